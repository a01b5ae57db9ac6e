// SPDX-License-Identifier: MIT
#include "core/catalog/course.h"
#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

TEST_CASE("every model and preset of the catalog calculates", "[catalog]") {
    const json catalog = json::parse(memory_budget::api::catalog());
    REQUIRE(catalog["models"].size() >= 5);
    for (const json& model : catalog["models"])
        for (const char* method : {"full", "lora", "qlora"}) {
            const json response = ask({{"model", model["id"]}, {"method", method}});
            INFO(model << " " << method);
            CHECK(response["ok"] == true);
            CHECK(response["budget"]["complete"] == true);
        }
    REQUIRE(catalog["presets"].size() >= 11);
    for (const json& preset : catalog["presets"]) {
        const json response = ask(preset["request"]);
        INFO(preset);
        CHECK(response["ok"] == true);
    }
    for (const json& recipe : catalog["recipes"]) CHECK(ask(recipe["set"])["ok"] == true);
}

TEST_CASE("a request with every default written out is the empty request", "[catalog]") {
    const json catalog = json::parse(memory_budget::api::catalog());
    json request = {{"v", 1}, {"model", catalog["default_model"]}};
    for (const json& parameter : catalog["parameters"])
        if (!parameter["default"].is_null()) request[parameter["key"].get<std::string>()] = parameter["default"];
    json spelled = ask(request);
    CHECK(spelled["warnings"].empty());
    CHECK(spelled == ask(json::object()));
}

TEST_CASE("the traced peaks of the lesson's cases stand beside the course's", "[catalog]") {
    const json response =
        ask({{"model", "qwen3-30b-a3b"}, {"method", "qlora"}, {"machine_gb", 24}, {"views", {"table"}}});
    const json traced = find(response["notes"], "code", "traced");
    CHECK(traced["caution"] == true);
    CHECK(traced["values"]["traced_bytes"] == 70315872256);
    CHECK(traced["values"]["course_tier"]["id"] == "24");
    CHECK(traced["values"]["traced_tier"]["id"] == "96");
    CHECK(find(response["notes"], "code", "experts-not-quantized")["caution"] == true);
    CHECK(response["table"]["rows"][4]["cells"]["qlora"]["caution"] == true);
    // A run that was not traced gets no traced figure, and the mixture keeps its caution.
    const json other = ask({{"model", "qwen3-30b-a3b"}, {"method", "qlora"}, {"batch", 2}});
    CHECK(find(other["notes"], "code", "traced").is_null());
    CHECK(find(other["notes"], "code", "experts-not-quantized")["caution"] == true);
}
