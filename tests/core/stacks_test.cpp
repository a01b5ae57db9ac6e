// SPDX-License-Identifier: MIT
#include "core/recipe/stacks.h"

#include <cmath>
#include <set>

#include "tests/core/catch.h"

using namespace memory_budget::recipe;

TEST_CASE("after a stack has filled a recipe every row of a run has a value", "[stacks]") {
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < stacks().size(); ++i) {
        CHECK(ids.insert(stacks()[i].id).second);
        CHECK_FALSE(stacks()[i].versions.empty());
        for (const Method method : {Method::full, Method::lora, Method::qlora}) {
            Recipe recipe;
            recipe.set(Key::stack, static_cast<double>(i));
            recipe.set(Key::method, static_cast<double>(static_cast<int>(method)));
            apply_stack(recipe);
            const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(method));
            for (const Parameter& row : parameters()) {
                const bool optional = row.id == Key::adapter_parameters || row.id == Key::machine ||
                                      row.id == Key::base_bytes_per_parameter || row.id == Key::expert_adapters ||
                                      row.id == Key::dora || row.id == Key::train_head ||
                                      row.id == Key::train_embedding;
                INFO(stacks()[i].id << " " << row.key);
                if ((row.methods & bit) && (row.bases & basis_detailed) && !optional) CHECK(recipe.has(row.id));
            }
        }
    }
}

TEST_CASE("what the user gave stands against the stack", "[stacks]") {
    Recipe recipe;
    recipe.set(Key::loss, static_cast<double>(static_cast<int>(Loss::full)));
    apply_stack(recipe);
    CHECK(recipe.choice<Loss>(Key::loss) == Loss::full);
    CHECK(recipe.choice<Dtype>(Key::weights_dtype) == Dtype::fp32);
    CHECK_FALSE(recipe.given(Key::weights_dtype));
}

TEST_CASE("TRL's adapters are 32-bit on a 16-bit base and 16-bit on a quantised one", "[stacks]") {
    for (const Method method : {Method::lora, Method::qlora}) {
        Recipe recipe;
        recipe.set(Key::method, static_cast<double>(static_cast<int>(method)));
        apply_stack(recipe);
        CHECK(recipe.choice<Dtype>(Key::adapter_dtype) == (method == Method::lora ? Dtype::fp32 : Dtype::bf16));
    }
}
