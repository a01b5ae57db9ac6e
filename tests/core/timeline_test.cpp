// SPDX-License-Identifier: MIT
#include "core/budget/step/timeline.h"

#include "core/catalog/models.h"
#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

json timed(json request) {
    request["basis"] = "detailed";
    request["views"] = {"timeline"};
    return ask(request);
}

}  // namespace

TEST_CASE("a timeline has the peak of the dry run, in its phase, and of every other phase too", "[timeline]") {
    const std::vector<json> runs = {
        {{"model", "qwen3-1.7b"}},
        {{"model", "qwen3-1.7b"}, {"checkpointing", "none"}, {"batch", 3}, {"sequence", 700}},
        {{"model", "qwen3-1.7b"}, {"batch", 8}, {"sequence", 2048}},
        {{"model", "qwen3-1.7b"}, {"stack", "trl-nll"}, {"batch", 4}},
        {{"model", "qwen3-1.7b"}, {"stack", "trl-liger"}, {"batch", 4}},
        {{"model", "qwen3-8b"}, {"method", "lora"}},
        {{"model", "qwen3-30b-a3b"}, {"method", "qlora"}},
        {{"model", "qwen3-0.6b"}, {"optimizer", "adamw-foreach"}, {"stack", "transformers-bf16"}},
        {{"model", "qwen3-0.6b"}, {"sharding", "fsdp2"}, {"gpus", 4}, {"stack", "trl-nll"}},
        {{"model", "qwen3-0.6b"}, {"accumulation", 4}},
        {{"model", "gemma-2-2b"}, {"sequence", 8192}},
    };
    for (const json& run : runs) {
        INFO(run.dump());
        const json response = timed(run);
        REQUIRE(response["ok"] == true);
        const json& line = response["timeline"];
        CHECK(line["moments"].size() <= 200);
        const json& peak = line["moments"][line["peak"].get<std::size_t>()];
        CHECK(peak["bytes"] == response["budget"]["total_bytes"]);
        CHECK(peak["phase"] == response["budget"]["peak_phase"]);
        for (const json& phase : response["budget"]["phases"]) {
            std::int64_t highest = 0;
            for (const json& moment : line["moments"])
                if (moment["phase"] == phase["id"]) highest = std::max(highest, moment["bytes"].get<std::int64_t>());
            INFO(phase["id"]);
            CHECK(highest == phase["peak_bytes"]);
        }
    }
}

TEST_CASE("a moment is the sum of its categories, and its tensors are the largest first", "[timeline]") {
    const json response = timed({{"model", "qwen3-0.6b"}, {"method", "lora"}, {"batch", 2}});
    const json& line = response["timeline"];
    std::string last;
    std::vector<std::string> phases;
    for (const json& moment : line["moments"]) {
        std::int64_t sum = 0;
        for (const json& bytes : moment["by_category"]) sum += bytes.get<std::int64_t>();
        CHECK(sum == moment["bytes"]);
        std::int64_t before = 1'000'000'000'000;
        for (const json& held : moment["tensors"]) {
            const json& tensor = line["tensors"][held[0].get<std::size_t>()];
            const std::int64_t bytes = tensor["bytes"].get<std::int64_t>() * held[1].get<std::int64_t>();
            CHECK(bytes <= before);
            CHECK(bytes <= moment["bytes"]);
            before = bytes;
        }
        if (moment["phase"] != last) phases.push_back(last = moment["phase"]);
    }
    CHECK(phases == std::vector<std::string>{"load", "forward", "backward", "clip", "optimizer"});
    // At the peak the same tensors are listed as beside the budget.
    const json& peak = line["moments"][line["peak"].get<std::size_t>()];
    for (std::size_t i = 0; i < peak["tensors"].size(); ++i) {
        const json& held = peak["tensors"][i];
        const json& alive = response["budget"]["tensors"][i];
        CHECK(line["tensors"][held[0].get<std::size_t>()]["shape"] == alive["shape"]);
        CHECK(held[1] == alive["count"]);
    }
}

TEST_CASE("only a dry run has a timeline", "[timeline]") {
    CHECK_FALSE(ask({{"views", {"timeline"}}}).contains("timeline"));
    CHECK_FALSE(ask({{"basis", "detailed"}}).contains("timeline"));
}
