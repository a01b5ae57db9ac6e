// SPDX-License-Identifier: MIT
#include "core/budget/course.h"

#include "core/catalog/course.h"
#include "tests/core/catch.h"

using namespace memory_budget;
using recipe::Key;

namespace {

template <typename Enum>
void choose(recipe::Recipe& recipe, Key key, Enum value) {
    recipe.set(key, static_cast<double>(static_cast<int>(value)));
}

std::int64_t row(const budget::Budget& budget, std::string_view id) {
    for (const budget::Row& each : budget.rows)
        if (each.id == id) return each.bytes;
    return -1;
}

recipe::Shape model(std::string_view id) {
    return catalog::shape_of(*catalog::find_course_model(id));
}

}  // namespace

TEST_CASE("each optimizer has the states that its rule needs", "[course]") {
    recipe::Recipe recipe;
    const auto states = [&recipe](recipe::Optimizer optimizer) {
        choose(recipe, Key::optimizer, optimizer);
        return budget::course::bytes_per_parameter(recipe).optimizer;
    };
    CHECK(states(recipe::Optimizer::adamw_fused) == 8);
    CHECK(states(recipe::Optimizer::adamw_8bit) == 2);
    CHECK(states(recipe::Optimizer::paged_adamw_8bit) == 2);
    CHECK(states(recipe::Optimizer::sgd_momentum) == 4);
    CHECK(states(recipe::Optimizer::sgd) == 0);
}

TEST_CASE("each sharding stage divides what it says it divides", "[course]") {
    recipe::Recipe recipe;
    recipe.set(Key::gpus, 4);
    recipe::Issues issues;
    const auto with = [&](recipe::Sharding sharding) {
        choose(recipe, Key::sharding, sharding);
        return budget::course::estimate(model("qwen3-8b"), recipe, issues);
    };
    const std::int64_t weights = 16'400'000'000;
    CHECK(row(with(recipe::Sharding::none), "optimizer") == 4 * weights);
    const budget::Budget one = with(recipe::Sharding::zero_1);
    CHECK(row(one, "weights") == weights);
    CHECK(row(one, "gradients") == weights);
    CHECK(row(one, "optimizer") == weights);
    const budget::Budget two = with(recipe::Sharding::zero_2);
    CHECK(row(two, "weights") == weights);
    CHECK(row(two, "gradients") == weights / 4);
    const budget::Budget three = with(recipe::Sharding::zero_3);
    CHECK(row(three, "weights") == weights / 4);
    CHECK(row(three, "master") == weights / 2);
}

TEST_CASE("an adapter has rank times inputs plus outputs for each chosen projection", "[course]") {
    recipe::Recipe recipe;
    const recipe::Shape shape = model("qwen3-0.6b");
    CHECK(budget::course::adapter_parameters(shape, recipe) == 10092544);
    choose(recipe, Key::targets, recipe::Targets::qv);
    CHECK(budget::course::adapter_parameters(shape, recipe) == 28 * 16 * ((1024 + 2048) + (1024 + 1024)));
    choose(recipe, Key::targets, recipe::Targets::list);
    recipe.target_names = {"down_proj"};
    CHECK(budget::course::adapter_parameters(shape, recipe) == 28 * 16 * (3072 + 1024));
    recipe.set(Key::adapter_parameters, 12);
    CHECK(budget::course::adapter_parameters(shape, recipe) == 12);
}

TEST_CASE("what is not known is left out and said, never guessed in silence", "[course]") {
    recipe::Recipe recipe;
    recipe::Issues issues;
    recipe::Shape shape;
    shape[recipe::ShapeKey::parameters] = 7'000'000'000;
    choose(recipe, Key::method, recipe::Method::lora);
    const budget::Budget budget = budget::course::estimate(shape, recipe, issues);
    CHECK_FALSE(budget.complete);
    CHECK(row(budget, "activations") == -1);
    CHECK(budget.trainable_parameters == 35'000'000);
    REQUIRE(issues.warnings.size() == 2);
    CHECK(issues.warnings[0].code == "adapter-assumed");
    CHECK(issues.warnings[1].code == "shape-unknown");
}

TEST_CASE("a figure beyond 2^53 is refused", "[course]") {
    recipe::Recipe recipe;
    recipe::Issues issues;
    recipe.set(Key::batch, 65536);
    recipe.set(Key::sequence, 16777216);
    CHECK(budget::course::estimate(model("qwen3-8b"), recipe, issues).overflow);
}

TEST_CASE("the lesson's bars join master weights with optimizer states, and activations with logits", "[course]") {
    recipe::Recipe recipe;
    recipe::Issues issues;
    const auto segments = budget::course::segments(budget::course::estimate(model("qwen3-8b"), recipe, issues));
    REQUIRE(segments.size() == 4);
    CHECK(segments[2].id == "master_and_optimizer");
    CHECK(segments[2].rows == std::vector<std::string_view>{"master", "optimizer"});
    CHECK(segments[3].id == "activations_and_logits");
}
