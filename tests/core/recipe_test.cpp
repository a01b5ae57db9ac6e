// SPDX-License-Identifier: MIT
#include "core/recipe/recipe.h"

#include "tests/core/catch.h"

using namespace memory_budget::recipe;

TEST_CASE("a new recipe holds the defaults and says that nothing was given", "[recipe]") {
    const Recipe recipe;
    CHECK(recipe.integer(Key::batch) == 1);
    CHECK(recipe.integer(Key::sequence) == 1024);
    CHECK(recipe.choice<Master>(Key::master) == Master::fp32);
    CHECK_FALSE(recipe.has(Key::adapter_parameters));
    CHECK_FALSE(recipe.given(Key::batch));
}

TEST_CASE("a value that was set is given until it is cleared", "[recipe]") {
    Recipe recipe;
    recipe.set(Key::adapter_parameters, 5);
    CHECK(recipe.has(Key::adapter_parameters));
    CHECK(recipe.given(Key::adapter_parameters));
    recipe.clear(Key::adapter_parameters);
    CHECK_FALSE(recipe.has(Key::adapter_parameters));
    CHECK_FALSE(recipe.given(Key::adapter_parameters));
}
