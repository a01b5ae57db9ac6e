// SPDX-License-Identifier: MIT
#include "core/recipe/parameters.h"

#include <cmath>
#include <set>

#include "core/recipe/stacks.h"
#include "tests/core/catch.h"

using namespace memory_budget::recipe;

TEST_CASE("every default is inside its range or among its choices", "[parameters]") {
    for (const Parameter& row : parameters()) {
        INFO(row.key);
        if (std::isnan(row.fallback)) continue;
        if (row.kind == Kind::integer || row.kind == Kind::number) {
            CHECK(row.min <= row.fallback);
            CHECK(row.fallback <= row.max);
        } else if (row.kind == Kind::stack) {
            CHECK(row.fallback < static_cast<double>(stacks().size()));
        } else if (row.kind != Kind::boolean) {
            CHECK(row.fallback < static_cast<double>(row.choices.size()));
        }
    }
}

TEST_CASE("keys and link names are unique and found again", "[parameters]") {
    std::set<std::string_view> keys;
    std::set<std::string_view> urls;
    for (const Parameter& row : parameters()) {
        CHECK(keys.insert(row.key).second);
        CHECK(urls.insert(row.url).second);
        CHECK(find_parameter(row.key) == &row);
        CHECK(&parameter(row.id) == &row);
        CHECK(row.methods != 0);
        CHECK(row.bases != 0);
    }
    CHECK(find_parameter("no_such_key") == nullptr);
}
