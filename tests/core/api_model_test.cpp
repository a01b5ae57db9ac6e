// SPDX-License-Identifier: MIT
// Models by configuration and from the catalog, through the request that a page sends.
#include "tests/core/catch.h"
#include "tests/core/model_data.h"
#include "tests/core/response.h"

using nlohmann::json;

TEST_CASE("a configuration in a request is counted exactly", "[api]") {
    const json response =
        ask({{"model", {{"config", hub_config("Qwen/Qwen3-8B")}, {"name", "Mine"}}}, {"method", "lora"}});
    CHECK(response["ok"] == true);
    CHECK(response["model"]["name"] == "Mine");
    CHECK(response["model"]["parameters"] == 8190735360);
    CHECK(response["model"]["trainable_parameters"] == 43646976);
}

TEST_CASE("the compact line that comes back gives the same figures", "[api]") {
    for (const char* hub : {"Qwen/Qwen3-30B-A3B", "google/gemma-2-2b", "deepseek-ai/DeepSeek-V2-Lite"}) {
        INFO(hub);
        const json request = {{"model", {{"config", hub_config(hub)}}}, {"method", "lora"}};
        const json first = ask(request);
        REQUIRE(first["ok"] == true);
        json again = request;
        again["model"] = first["request"]["model"];
        CHECK(again["model"]["config"].is_string());
        CHECK(ask(again)["budget"] == first["budget"]);
    }
}

TEST_CASE("what a configuration lacks is named by its path", "[api]") {
    const json response = ask({{"model", {{"config", {{"model_type", "llama"}, {"hidden_size", 64}}}}}});
    CHECK(response["ok"] == false);
    CHECK(find(response["errors"], "path", "model.config.vocab_size")["code"] == "missing-key");
    CHECK(ask({{"model", {{"config", 5}}}})["errors"][0]["path"] == "model.config");
}

TEST_CASE("a model of the catalog counts exactly, the course's five as the lesson prints them", "[api]") {
    CHECK(ask({{"model", "qwen3-14b"}})["model"]["parameters"] == 14768307200);
    CHECK(ask({{"model", "qwen3-8b"}})["model"]["parameters"] == 8200000000);
}

TEST_CASE("own module names are taken where the architecture has them", "[api]") {
    const json request = {{"model", "qwen3-14b"}, {"method", "lora"}, {"targets", {"q_proj"}}};
    CHECK(ask(request)["model"]["trainable_parameters"] == 40 * 16 * (5120 + 5120));
    json bad = request;
    bad["targets"] = {"nose"};
    CHECK(ask(bad)["ok"] == false);
}
