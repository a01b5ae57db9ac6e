// SPDX-License-Identifier: MIT
#include "core/api/json_writer.h"

#include "tests/core/catch.h"

using memory_budget::api::JsonWriter;

TEST_CASE("values are separated where they must be", "[json]") {
    JsonWriter writer;
    writer.object().integer("a", 1).key("b").array().text("x").null().boolean(false).end_array();
    writer.key("c").object().end_object().end_object();
    CHECK(writer.take() == R"({"a":1,"b":["x",null,false],"c":{}})");
}

TEST_CASE("whole numbers have no fraction, others the shortest that reads back", "[json]") {
    JsonWriter writer;
    writer.array().number(16.0).number(0.55).number(9007199254740992.0).number(-2).end_array();
    CHECK(writer.take() == "[16,0.55,9007199254740992,-2]");
}

TEST_CASE("texts are escaped", "[json]") {
    JsonWriter writer;
    writer.array().text("\"\\\n").text("\xc3\xa9 \x01").end_array();
    CHECK(writer.take() == "[\"\\\"\\\\\\u000a\",\"\xc3\xa9 \\u0001\"]");
}
