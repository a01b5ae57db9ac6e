// SPDX-License-Identifier: MIT
#include "core/api/difference.h"

#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

TEST_CASE("the differences are the whole way from the lesson's total to what the machine is asked for",
          "[difference]") {
    for (const char* method : {"full", "lora", "qlora"})
        for (const char* model : {"qwen3-8b", "qwen3-30b-a3b"}) {
            INFO(method << " " << model);
            const json lesson = ask({{"model", model}, {"method", method}});
            const json detailed =
                ask({{"basis", "detailed"}, {"model", model}, {"method", method}, {"views", {"difference"}}});
            std::int64_t way = lesson["fit"]["requested_bytes"];
            for (const json& part : detailed["difference"])
                way += part["detailed_bytes"].get<std::int64_t>() - part["course_bytes"].get<std::int64_t>();
            CHECK(way == detailed["fit"]["requested_bytes"]);
        }
}

TEST_CASE("a 4-bit load of a mixture says that its experts stay at 16 bits", "[difference]") {
    const json response =
        ask({{"basis", "detailed"}, {"model", "qwen3-30b-a3b"}, {"method", "qlora"}, {"views", {"difference"}}});
    const json base = find(response["difference"], "id", "base");
    CHECK(base["reason"] == "experts-at-16-bit");
    CHECK(base["detailed_bytes"].get<std::int64_t>() > 59'000'000'000);
    CHECK_FALSE(ask({{"views", {"difference"}}}).contains("difference"));
}
