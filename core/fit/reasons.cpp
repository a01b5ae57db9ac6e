// SPDX-License-Identifier: MIT
#include "core/fit/reasons.h"

namespace memory_budget::fit {
namespace {

using recipe::adapter_methods;
using recipe::all_bases;
using recipe::all_methods;
using recipe::basis_course;
using recipe::basis_detailed;
using recipe::Key;
using recipe::method_full;
using recipe::method_qlora;

template <typename Enum>
constexpr double at(Enum value) {
    return static_cast<double>(static_cast<std::uint8_t>(value));
}

constexpr std::uint8_t allocated = 1, reserved = 2, device = 4, any_meter = 7;

/// Holds where `key` is (or is not) `value`; `Key::count` holds always.
struct When {
    Key key = Key::count;
    bool equal = true;
    double value = 0;
};

struct Row {
    Reason reason;
    bool above;
    std::uint8_t meters;
    std::uint8_t bases;
    std::uint8_t methods;
    When when;
};

constexpr double paged = at(recipe::Optimizer::paged_adamw_8bit);
constexpr double fp32 = at(recipe::Dtype::fp32);
constexpr double full_loss = at(recipe::Loss::full);

constexpr Row table[] = {
    {{"rule-not-peak", "lesson-activations"}, true, any_meter, basis_course, all_methods, {}},
    {{"rule-not-peak", "lesson-activations"}, false, any_meter, basis_course, all_methods, {}},
    {{"loaded-at-32-bit", "trl-loading"}, true, any_meter, all_bases, all_methods, {Key::weights_dtype, false, fp32}},
    {{"logits-kept", "trl-losses"}, true, any_meter, basis_detailed, all_methods, {Key::loss, false, full_loss}},
    {{"not-checkpointed", "pytorch-checkpoint"},
     true,
     any_meter,
     all_bases,
     all_methods,
     {Key::checkpointing, false, at(recipe::Checkpointing::none)}},
    {{"scores-written-out", "transformers-attention"},
     true,
     any_meter,
     basis_detailed,
     all_methods,
     {Key::attention, false, at(recipe::Attention::eager)}},
    {{"prepared-for-kbit", "peft-kbit"},
     true,
     any_meter,
     basis_detailed,
     method_qlora,
     {Key::kbit_preparation, true, 0}},
    {{"longer-batches", "peft-comparison"}, true, any_meter, all_bases, all_methods, {}},
    {{"evaluation-counted", "peft-comparison"}, true, any_meter, all_bases, all_methods, {}},
    {{"loading-counted", "oom-reports"}, true, reserved | device, all_bases, method_qlora, {}},
    {{"blocks-cached", "pytorch-allocator"}, true, reserved | device, all_bases, all_methods, {}},
    {{"other-processes", "driver-readings"}, true, device, all_bases, all_methods, {}},
    {{"communication-buffers", "driver-readings"},
     true,
     device,
     all_bases,
     all_methods,
     {Key::sharding, false, at(recipe::Sharding::none)}},
    {{"shorter-batches", "peft-comparison"}, false, any_meter, all_bases, all_methods, {}},
    {{"read-between-steps", "pytorch-allocator"}, false, allocated, all_bases, all_methods, {}},
    {{"lower-meter", "pytorch-allocator"}, false, reserved | device, all_bases, all_methods, {}},
    {{"states-paged", "bitsandbytes-paged"},
     false,
     allocated | reserved,
     all_bases,
     all_methods,
     {Key::optimizer, true, paged}},
    {{"loaded-at-16-bit", "trl-loading"}, false, any_meter, all_bases, method_full, {Key::weights_dtype, true, fp32}},
    {{"fewer-modules-adapted", "peft-targets"},
     false,
     any_meter,
     all_bases,
     adapter_methods,
     {Key::targets, true, at(recipe::Targets::all_linear)}},
    {{"loss-in-pieces", "trl-losses"}, false, any_meter, basis_detailed, all_methods, {Key::loss, true, full_loss}},
    {{"fused-kernels", "liger"}, false, any_meter, basis_detailed, all_methods, {Key::liger, true, 0}},
};

}  // namespace

std::vector<Reason> reasons(bool above, std::size_t level, const recipe::Recipe& recipe) {
    const auto bit = [&](Key key) { return static_cast<std::uint8_t>(1u << recipe.integer(key)); };
    const std::uint8_t method = bit(Key::method), basis = bit(Key::basis);
    std::vector<Reason> list;
    for (const Row& row : table) {
        if (row.above != above || !(row.meters >> level & 1) || !(row.bases & basis) || !(row.methods & method))
            continue;
        const When& when = row.when;
        if (when.key == Key::count || (recipe.number(when.key) == when.value) == when.equal) list.push_back(row.reason);
    }
    return list;
}

}  // namespace memory_budget::fit
