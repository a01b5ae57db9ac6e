// SPDX-License-Identifier: MIT
#include "core/api/json_reader.h"

#include "tests/core/catch.h"

using namespace memory_budget::api;
using Why = ReadFailure::Why;

namespace {

ReadFailure failure_of(std::string_view text) {
    ReadFailure failure;
    CHECK_FALSE(read_json(text, 8, failure));
    return failure;
}

}  // namespace

TEST_CASE("values come out as they were written", "[json]") {
    ReadFailure failure;
    const auto tree = read_json(R"({"a":[1,2.5,"x\u00e9",null],"b":{"c":true}})", 8, failure);
    REQUIRE(tree);
    const auto& list = tree->find("a")->items();
    CHECK(list[0].number() == 1);
    CHECK(list[1].number() == 2.5);
    CHECK(list[2].text() == "x\xc3\xa9");
    CHECK(list[3].is_null());
    CHECK(tree->find("b")->find("c")->truth());
}

TEST_CASE("a failure says why and where", "[json]") {
    CHECK(failure_of("[[[[[[[[[1]]]]]]]]]").why == Why::too_deep);
    const ReadFailure nan = failure_of(R"({"a":{"b":NaN}})");
    CHECK(nan.why == Why::not_finite);
    CHECK(nan.path == "a.b");
    CHECK(failure_of(R"({"a":1e999})").why == Why::not_finite);
    CHECK(failure_of("{").why == Why::no_json);
    CHECK(failure_of(std::string_view("1\0", 2)).why == Why::zero_byte);
}
