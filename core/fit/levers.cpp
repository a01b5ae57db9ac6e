// SPDX-License-Identifier: MIT
#include "core/fit/levers.h"

#include <limits>

namespace memory_budget::fit {
namespace {

using recipe::adapter_methods;
using recipe::all_methods;
using recipe::Key;
using recipe::method_full;
using recipe::method_lora;

constexpr double out = std::numeric_limits<double>::quiet_NaN();

template <typename Enum>
constexpr double at(Enum value) {
    return static_cast<double>(static_cast<std::uint8_t>(value));
}

constexpr double adamw_8bit = at(recipe::Optimizer::adamw_8bit);
constexpr double paged = at(recipe::Optimizer::paged_adamw_8bit);
constexpr double adafactor = at(recipe::Optimizer::adafactor);
constexpr double fsdp2 = at(recipe::Sharding::fsdp2);
constexpr double bf16 = at(recipe::Dtype::bf16);

// A lever that sets nothing new, brings a contradiction into the recipe or does not help is left out by the search, so
// that no row says where it applies.
constexpr Lever table[] = {
    {"metrics-off", {{{Key::metrics, 0}}}, 1, Scale::none, all_methods, 0, 1, "trl-metrics"},
    {"attention-flash",
     {{{Key::attention, at(recipe::Attention::flash)}}},
     1,
     Scale::none,
     all_methods,
     0,
     1,
     "pytorch-attention"},
    {"chunked-loss",
     {{{Key::loss, at(recipe::Loss::chunked)}, {Key::metrics, 0}, {Key::liger, 0}}},
     3,
     Scale::none,
     all_methods,
     0,
     2,
     "trl-chunked-loss"},
    {"smaller-batch", {}, 0, Scale::batch, all_methods, cost_time, 3, "accumulation"},
    {"checkpointing",
     {{{Key::checkpointing, at(recipe::Checkpointing::block)}}},
     1,
     Scale::none,
     all_methods,
     cost_time,
     4,
     "checkpointing"},
    {"liger",
     {{{Key::loss, at(recipe::Loss::fused)}, {Key::metrics, 0}, {Key::liger, 1}}},
     3,
     Scale::none,
     all_methods,
     cost_dependency,
     4,
     "liger"},
    {"activation-offload",
     {{{Key::activation_offload, 1}}},
     1,
     Scale::none,
     all_methods,
     cost_time,
     5,
     "activation-offload"},
    {"step-in-backward",
     {{{Key::step_in_backward, 1}, {Key::accumulation, 1}}},
     2,
     Scale::none,
     method_full,
     cost_dependency | cost_quality,
     6,
     "step-in-backward"},
    {"optimizer-8bit",
     {{{Key::optimizer, adamw_8bit}}},
     1,
     Scale::none,
     all_methods,
     cost_dependency | cost_quality,
     6,
     "bitsandbytes-8bit"},
    {"optimizer-paged",
     {{{Key::optimizer, paged}}},
     1,
     Scale::none,
     all_methods,
     cost_dependency | cost_quality | cost_time,
     7,
     "bitsandbytes-paged"},
    {"fewer-targets",
     {{{Key::targets, at(recipe::Targets::attention)}}},
     1,
     Scale::none,
     adapter_methods,
     cost_quality,
     8,
     "peft-targets"},
    {"lower-rank", {}, 0, Scale::rank, adapter_methods, cost_quality, 8, "lora-rank"},
    {"offload-optimizer",
     {{{Key::offload, at(recipe::Offload::optimizer)}}},
     1,
     Scale::none,
     all_methods,
     cost_time | cost_dependency,
     8,
     "offload"},
    {"adafactor", {{{Key::optimizer, adafactor}}}, 1, Scale::none, all_methods, cost_quality, 9, "adafactor"},
    {"pure-bf16",
     {{{Key::weights_dtype, bf16},
       {Key::gradients_dtype, bf16},
       {Key::autocast, at(recipe::Autocast::none)},
       {Key::master, at(recipe::Master::none)}}},
     4,
     Scale::none,
     method_full,
     cost_quality,
     10,
     "pure-bf16"},
    {"shorter-length", {}, 0, Scale::length, all_methods, cost_data, 11, "truncation"},
    {"qlora",
     {{{Key::method, at(recipe::Method::qlora)}, {Key::base_bytes_per_parameter, out}}},
     2,
     Scale::none,
     method_lora,
     cost_quality | cost_dependency | cost_time,
     12,
     "qlora"},
    {"offload-parameters",
     {{{Key::offload, at(recipe::Offload::parameters)}}},
     1,
     Scale::none,
     all_methods,
     cost_time | cost_dependency,
     13,
     "offload"},
    {"lora",
     {{{Key::method, at(recipe::Method::lora)}, {Key::base_bytes_per_parameter, out}}},
     2,
     Scale::none,
     method_full,
     cost_quality,
     14,
     "lora"},
    {"qlora",
     {{{Key::method, at(recipe::Method::qlora)}, {Key::base_bytes_per_parameter, out}}},
     2,
     Scale::none,
     method_full,
     cost_quality | cost_dependency | cost_time,
     18,
     "qlora"},
    {"more-gpus", {{{Key::sharding, fsdp2}}}, 1, Scale::gpus, all_methods, cost_hardware, 20, "fsdp2"},
};

}  // namespace

std::span<const Lever> levers() {
    return table;
}

}  // namespace memory_budget::fit
