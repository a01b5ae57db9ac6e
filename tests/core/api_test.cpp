// SPDX-License-Identifier: MIT
#include "core/api/api.h"

#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

json error_at(const json& response, const std::string& path) {
    CHECK(response["ok"] == false);
    CHECK_FALSE(response.contains("budget"));
    return find(response["errors"], "path", path);
}

}  // namespace

TEST_CASE("all errors of a request come at once, each with code and path", "[api]") {
    const json response = ask_text(
        R"({"model":"gpt-9","rank":0,"batch":-3,"sequence":1000000000000000,"gpus":1.5,"master":"maybe","machine_gb":"big"})");
    CHECK(response["errors"].size() == 7);
    CHECK(error_at(response, "model")["code"] == "unknown-model");
    CHECK(error_at(response, "rank")["code"] == "out-of-range");
    CHECK(error_at(response, "rank")["allowed"]["min"] == 1);
    CHECK(error_at(response, "batch")["code"] == "out-of-range");
    CHECK(error_at(response, "sequence")["code"] == "out-of-range");
    CHECK(error_at(response, "gpus")["code"] == "not-integer");
    CHECK(error_at(response, "master")["allowed"]["choices"] == json({"none", "fp32"}));
    CHECK(error_at(response, "machine_gb")["code"] == "wrong-type");
}

TEST_CASE("text that is no request says what it is instead", "[api]") {
    CHECK(error_at(ask_text(""), "")["code"] == "not-json");
    CHECK(error_at(ask_text("hello"), "")["code"] == "not-json");
    CHECK(error_at(ask_text("[1]"), "")["code"] == "not-an-object");
    CHECK(error_at(ask_text("null"), "")["code"] == "not-an-object");
    CHECK(error_at(ask_text(R"({"batch":NaN})"), "batch")["code"] == "not-finite");
    CHECK(error_at(ask_text(R"({"model":{"parameters":1e400}})"), "model.parameters")["code"] == "not-finite");
    CHECK(error_at(ask_text(std::string(100000, '[')), "")["code"] == "too-deep");
    CHECK(error_at(ask_text("[" + std::string(5 << 20, '1') + "]"), "")["code"] == "too-large");
    CHECK(error_at(ask_text("{\"model\":\"\xff\"}"), "model")["code"] == "not-json");
    CHECK(error_at(ask_text(std::string("{\"batch\":1}\0x", 13)), "")["code"] == "not-json");
    CHECK(error_at(ask({{"v", 2}}), "v")["code"] == "version");
}

TEST_CASE("an unknown key is a warning and changes no figure", "[api]") {
    const json response = ask({{"colour", "red"}, {"model", {{"parameters", 1000}, {"wings", 2}}}});
    CHECK(response["ok"] == true);
    CHECK(find(response["warnings"], "path", "colour")["code"] == "unknown-key");
    CHECK(find(response["warnings"], "path", "model.wings")["code"] == "unknown-key");
}

TEST_CASE("a name given by the user comes back as it was, and as nothing but text", "[api]") {
    const std::string name = "</script><b>\"\\ \xc3\xa9 \x01";
    const json response = ask({{"model", {{"parameters", 1000}, {"name", name}}}});
    CHECK(response["model"]["name"] == name);
}

TEST_CASE("targets may be a list of projections", "[api]") {
    const json response = ask({{"model", "qwen3-8b"}, {"method", "lora"}, {"targets", {"q_proj", "v_proj"}}});
    const json named = ask({{"model", "qwen3-8b"}, {"method", "lora"}, {"targets", "qv"}});
    CHECK(response["model"]["trainable_parameters"] == named["model"]["trainable_parameters"]);
    CHECK(response["request"]["targets"] == json({"q_proj", "v_proj"}));
    const json bad = ask({{"targets", {"q_proj", "nose"}}});
    CHECK(error_at(bad, "targets[1]")["code"] == "not-a-choice");
    CHECK(error_at(ask({{"targets", json::array()}}), "targets")["code"] == "wrong-type");
}

TEST_CASE("heads that do not divide the hidden size need a width of their own", "[api]") {
    const json bad = ask({{"model", {{"parameters", 1000}, {"hidden_size", 100}, {"num_attention_heads", 3}}}});
    CHECK(error_at(bad, "model.head_dim")["code"] == "missing");
}

TEST_CASE("the views are computed only when asked for", "[api]") {
    const json plain = ask(json::object());
    CHECK_FALSE(plain.contains("table"));
    CHECK_FALSE(plain.contains("methods"));
    const json all = ask({{"views", {"methods", "table"}}});
    CHECK(all["methods"].size() == 3);
    CHECK(all["table"]["rows"].size() == 5);
    CHECK(error_at(ask({{"views", {"pie"}}}), "views[0]")["code"] == "not-a-choice");
}

TEST_CASE("a model given by hand has a row of its own in the table, marked", "[api]") {
    const json response = ask({{"model", {{"name", "Mine"}, {"parameters", 2000000000}}}, {"views", {"table"}}});
    const json& rows = response["table"]["rows"];
    REQUIRE(rows.size() == 6);
    CHECK(rows[5]["selected"] == true);
    CHECK(rows[5]["model"]["name"] == "Mine");
    CHECK(rows[5]["cells"]["full"]["fixed_bytes"] == 32000000000);
}

TEST_CASE("a machine by name brings its memory, unless gigabytes are given beside it", "[api]") {
    const json named = ask({{"machine", "rtx-4090"}});
    CHECK(named["fit"]["machine_bytes"] == (std::int64_t{24092} << 20));
    CHECK(named["request"]["machine"] == "rtx-4090");
    CHECK(ask({{"machine", "rtx-4090"}, {"machine_gb", 20}})["fit"]["machine_bytes"] == 20000000000);
    CHECK(error_at(ask({{"machine", "abacus"}}), "machine")["code"] == "not-a-choice");
}
