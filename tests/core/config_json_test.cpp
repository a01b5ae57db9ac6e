// SPDX-License-Identifier: MIT
#include "core/api/config_json.h"

#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using memory_budget::api::max_config_bytes;
using memory_budget::api::parse_config;
using memory_budget::model::Config;
using memory_budget::model::Issues;

namespace {

/// The code of the one error, or nothing.
std::string error_of(const std::string& text, std::string* message = nullptr) {
    Issues errors;
    const auto config = parse_config(text, errors);
    CHECK(config.has_value() == errors.empty());
    CHECK(errors.size() <= 1);
    if (message && !errors.empty()) *message = errors[0].message;
    return errors.empty() ? "" : std::string(errors[0].code);
}

}  // namespace

TEST_CASE("a configuration's text becomes values", "[config-json]") {
    Issues errors;
    const auto config = parse_config(R"({"a": 1, "b": [true, null, "x"], "c": {"d": 0.5}, "a": 2})", errors);
    REQUIRE(config);
    CHECK(config->find("a")->number() == 2);
    CHECK(config->find("b")->items().size() == 3);
    CHECK(config->find("b")->items()[2].text() == "x");
    CHECK(config->find("c")->find("d")->number() == 0.5);
}

TEST_CASE("a byte-order mark is skipped", "[config-json]") {
    CHECK(error_of("\xEF\xBB\xBF{\"a\": 1}").empty());
}

TEST_CASE("each bad file has its own code and names the line", "[config-json]") {
    std::string message;
    CHECK(error_of("") == "empty");
    CHECK(error_of(" \n\t ") == "empty");
    CHECK(error_of("<!DOCTYPE html><html></html>") == "html-page");
    CHECK(error_of("{\"a\": 1,\n\"b\": NaN}", &message) == "not-finite");
    CHECK(message.find("line 2") != std::string::npos);
    CHECK(error_of("{\"b\": Infinity}") == "not-finite");
    CHECK(error_of("{\"b\": -Infinity}") == "not-finite");
    CHECK(error_of("{\"b\": [1, 1e999]}") == "not-finite");
    CHECK(error_of("{\n// the width\n\"a\": 1}", &message) == "comments");
    CHECK(message.find("line 2") != std::string::npos);
    CHECK(error_of("{\"a\": 1 /* one */}") == "comments");
    CHECK(error_of("{\"a\": 1,\n\n\"b\" 2}", &message) == "not-json");
    CHECK(message.find("line 3") != std::string::npos);
    CHECK(error_of("{\"a\": 1") == "not-json");
    CHECK(error_of("Not found") == "not-json");
    CHECK(error_of(std::string("{\"a\": 1}\0", 9)) == "not-json");
    CHECK(error_of(std::string(200, '[')) == "too-deep");
    CHECK(error_of(std::string(max_config_bytes + 1, ' ')) == "too-large");
}

TEST_CASE("a tokenizer's vocabulary is read past", "[config-json]") {
    std::string text = "{\"version\": \"1.0\", \"model\": {\"vocab\": {";
    for (int i = 0; i < 300'000; ++i) text += (i ? ",\"t" : "\"t") + std::to_string(i) + "\":" + std::to_string(i);
    text += "}}, \"added_tokens\": []}";
    Issues errors;
    const auto config = parse_config(text, errors);
    REQUIRE(config);
    const auto result = memory_budget::model::read_architecture(*config);
    CHECK(codes(result.errors) == std::vector<std::string>{"tokenizer-config"});
}
