// SPDX-License-Identifier: MIT
#pragma once

#include "tests/core/catch.h"
#include "tests/core/response.h"

/// The budget of a dry run, after what must hold of each: its peak is that of the same step with every block played by
/// itself, and the categories of each phase add up to that phase's peak.
inline nlohmann::json played_budget(nlohmann::json request) {
    if (!request.contains("model")) request["model"] = "qwen3-0.6b";
    request["basis"] = "detailed";
    request["views"] = {"timeline"};
    const nlohmann::json response = ask(request);
    INFO(request.dump());
    REQUIRE(response["ok"] == true);
    const nlohmann::json& line = response["timeline"];
    CHECK(line["moments"][line["peak"].get<std::size_t>()]["bytes"] == response["budget"]["total_bytes"]);
    for (const nlohmann::json& phase : response["budget"]["phases"]) {
        std::int64_t sum = 0;
        for (const nlohmann::json& bytes : phase["by_category"]) sum += bytes.get<std::int64_t>();
        CHECK(sum == phase["peak_bytes"]);
    }
    return response["budget"];
}
