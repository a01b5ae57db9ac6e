// SPDX-License-Identifier: MIT
#include "core/fit/fit.h"

#include "core/fit/tiers.h"
#include "tests/core/catch.h"

using namespace memory_budget;

TEST_CASE("a total fits a tier up to the last byte of its upper figure", "[fit]") {
    CHECK(fit::smallest_tier(0)->id == "8");
    CHECK(fit::smallest_tier(8'000'000'000)->id == "8");
    CHECK(fit::smallest_tier(8'000'000'001)->id == "12-16");
    CHECK(fit::smallest_tier(64'000'000'000)->id == "48-64");
    CHECK(fit::smallest_tier(64'000'000'001)->id == "96");
    CHECK(fit::smallest_tier(128'000'000'001) == nullptr);
}

TEST_CASE("tiers rise", "[fit]") {
    int last = 0;
    for (const fit::Tier& tier : fit::tiers()) {
        CHECK(tier.low_gb > last);
        CHECK(tier.high_gb >= tier.low_gb);
        last = tier.high_gb;
    }
}

TEST_CASE("the reserve is asked of the machine beside the total", "[fit]") {
    recipe::Recipe recipe;
    recipe.set(recipe::Key::machine_gb, 24);
    recipe.set(recipe::Key::reserve_gb, 2.5);
    const fit::Fit full = fit::judge(21'500'000'000, recipe);
    CHECK(full.fits());
    CHECK(full.free_bytes == 0);
    CHECK(full.requested_bytes == 24'000'000'000);
    const fit::Fit over = fit::judge(21'500'000'001, recipe);
    CHECK_FALSE(over.fits());
    CHECK(over.over_bytes == 1);
    CHECK(over.tier->id == "32");
}
