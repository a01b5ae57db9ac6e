// SPDX-License-Identifier: MIT
#include "core/recipe/parameters.h"

#include <array>
#include <limits>

namespace memory_budget::recipe {
namespace {

using Names = std::string_view;
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr Names bases[] = {"course", "detailed"};
constexpr Names autocasts[] = {"none", "bf16", "fp16"};
constexpr Names quantizations[] = {"none", "nf4-double", "nf4", "gptq"};
constexpr Names attentions[] = {"flash", "masked", "eager", "flash-attention-2"};
constexpr Names losses[] = {"full", "chunked", "fused", "in-place"};
constexpr Names methods[] = {"full", "lora", "qlora"};
constexpr Names dtypes[] = {"fp32", "bf16", "fp16"};
constexpr Names masters[] = {"none", "fp32"};
constexpr Names optimizers[] = {"adamw-fused",  "adamw-foreach", "adamw-8bit", "paged-adamw-8bit", "adafactor", "sgd",
                                "sgd-momentum", "lion",          "muon",       "adamw-single"};
constexpr Names checkpointings[] = {"none", "block", "selective"};
constexpr Names shardings[] = {"none", "zero-1", "zero-2", "zero-3", "fsdp1", "fsdp2"};
constexpr Names offloads[] = {"none", "optimizer", "parameters"};
constexpr Names expert_choices[] = {"left-out", "dense-equivalent", "separate", "fused"};
constexpr Names target_sets[] = {"all-linear", "attention", "qv", "mlp"};

template <typename Enum>
constexpr double at(Enum value) {
    return static_cast<double>(static_cast<std::uint8_t>(value));
}

// Ranges are wide enough for any run that was ever published and keep every product that makes sense within 2^53.
constexpr std::array<Parameter, static_cast<std::size_t>(Key::count)> table = {{
    {Key::basis, "basis", "basis", Kind::choice, "", at(Basis::course), 0, 0, bases, all_methods, all_bases, "run", 1},
    {Key::stack, "stack", "stack", Kind::stack, "", 0, 0, 0, {}, all_methods, basis_detailed, "run", 1},
    {Key::method, "method", "method", Kind::choice, "", at(Method::full), 0, 0, methods, all_methods, all_bases,
     "method", 1},
    {Key::batch, "batch", "b", Kind::integer, "sequences", 1, 1, 65536, {}, all_methods, all_bases, "run", 1},
    {Key::sequence, "sequence", "s", Kind::integer, "tokens", 1024, 1, 16777216, {}, all_methods, all_bases, "run", 1},
    {Key::accumulation,
     "accumulation",
     "acc",
     Kind::integer,
     "steps",
     1,
     1,
     65536,
     {},
     all_methods,
     basis_detailed,
     "run",
     1},
    {Key::rank, "rank", "r", Kind::integer, "", 16, 1, 16384, {}, adapter_methods, all_bases, "method", 1},
    {Key::targets, "targets", "targets", Kind::list, "", at(Targets::all_linear), 0, 0, target_sets, adapter_methods,
     all_bases, "method", 1},
    {Key::expert_adapters, "expert_adapters", "experts", Kind::choice, "", none, 0, 0, expert_choices, adapter_methods,
     all_bases, "method", 1},
    {Key::dora, "dora", "dora", Kind::boolean, "", none, 0, 0, {}, adapter_methods, all_bases, "method", 1},
    {Key::train_head, "train_head", "head", Kind::boolean, "", none, 0, 0, {}, adapter_methods, all_bases, "method", 1},
    {Key::train_embedding,
     "train_embedding",
     "embed",
     Kind::boolean,
     "",
     none,
     0,
     0,
     {},
     adapter_methods,
     all_bases,
     "method",
     1},
    {Key::adapter_dtype, "adapter_dtype", "adapter", Kind::choice, "", none, 0, 0, dtypes, adapter_methods,
     basis_detailed, "precision", 1},
    {Key::dropout,
     "dropout",
     "dropout",
     Kind::number,
     "",
     none,
     0,
     0.99,
     {},
     adapter_methods,
     basis_detailed,
     "method",
     1},
    {Key::adapter_parameters,
     "adapter_parameters",
     "ap",
     Kind::integer,
     "parameters",
     none,
     1,
     1e13,
     {},
     adapter_methods,
     all_bases,
     "method",
     1},
    {Key::weights_dtype, "weights_dtype", "weights", Kind::choice, "", at(Dtype::bf16), 0, 0, dtypes, all_methods,
     all_bases, "precision", 1},
    {Key::autocast, "autocast", "autocast", Kind::choice, "", none, 0, 0, autocasts, all_methods, basis_detailed,
     "precision", 1},
    {Key::gradients_dtype, "gradients_dtype", "gradients", Kind::choice, "", at(Dtype::bf16), 0, 0, dtypes, all_methods,
     all_bases, "precision", 1},
    {Key::master, "master", "master", Kind::choice, "", at(Master::fp32), 0, 0, masters, all_methods, all_bases,
     "precision", 1},
    {Key::optimizer, "optimizer", "opt", Kind::choice, "", at(Optimizer::adamw_fused), 0, 0, optimizers, all_methods,
     all_bases, "precision", 1},
    {Key::quantization, "quantization", "quant", Kind::choice, "", none, 0, 0, quantizations, method_qlora,
     basis_detailed, "precision", 1},
    {Key::kbit_preparation,
     "kbit_preparation",
     "kbit",
     Kind::boolean,
     "",
     none,
     0,
     0,
     {},
     method_qlora,
     basis_detailed,
     "precision",
     1},
    {Key::base_bytes_per_parameter,
     "base_bytes_per_parameter",
     "bpp",
     Kind::number,
     "bytes per parameter",
     none,
     0.1,
     8,
     {},
     adapter_methods,
     basis_course,
     "precision",
     1},
    {Key::step_in_backward,
     "step_in_backward",
     "sib",
     Kind::boolean,
     "",
     0,
     0,
     0,
     {},
     all_methods,
     basis_detailed,
     "precision",
     1},
    {Key::checkpointing, "checkpointing", "ckpt", Kind::choice, "", at(Checkpointing::block), 0, 0, checkpointings,
     all_methods, basis_detailed, "run", 1},
    {Key::checkpoint_every,
     "checkpoint_every",
     "every",
     Kind::integer,
     "blocks",
     2,
     1,
     1000,
     {},
     all_methods,
     basis_detailed,
     "run",
     1},
    {Key::activation_offload,
     "activation_offload",
     "aoff",
     Kind::boolean,
     "",
     0,
     0,
     0,
     {},
     all_methods,
     basis_detailed,
     "run",
     1},
    {Key::attention, "attention", "attn", Kind::choice, "", none, 0, 0, attentions, all_methods, basis_detailed, "run",
     1},
    {Key::loss, "loss", "loss", Kind::choice, "", none, 0, 0, losses, all_methods, basis_detailed, "run", 1},
    {Key::metrics, "metrics", "metrics", Kind::boolean, "", none, 0, 0, {}, all_methods, basis_detailed, "run", 1},
    {Key::liger, "liger", "liger", Kind::boolean, "", none, 0, 0, {}, all_methods, basis_detailed, "run", 1},
    {Key::sharding, "sharding", "shard", Kind::choice, "", at(Sharding::none), 0, 0, shardings, all_methods, all_bases,
     "sharding", 1},
    {Key::gpus, "gpus", "gpus", Kind::integer, "gpus", 1, 1, 65536, {}, all_methods, all_bases, "sharding", 1},
    {Key::reshard_after_forward,
     "reshard_after_forward",
     "reshard",
     Kind::boolean,
     "",
     1,
     0,
     0,
     {},
     all_methods,
     basis_detailed,
     "sharding",
     1},
    {Key::reduce_bucket,
     "reduce_bucket",
     "bucket",
     Kind::integer,
     "parameters",
     500000000,
     1,
     1e12,
     {},
     all_methods,
     basis_detailed,
     "sharding",
     1},
    {Key::offload, "offload", "offload", Kind::choice, "", at(Offload::none), 0, 0, offloads, all_methods,
     basis_detailed, "sharding", 1},
    {Key::machine, "machine", "m", Kind::machine, "", none, 0, 0, {}, all_methods, all_bases, "machine", 1},
    {Key::machine_gb,
     "machine_gb",
     "gb",
     Kind::number,
     "gb",
     32,
     0.25,
     1000000,
     {},
     all_methods,
     all_bases,
     "machine",
     1},
    {Key::reserve_gb,
     "reserve_gb",
     "reserve",
     Kind::number,
     "gb",
     2,
     0,
     100000,
     {},
     all_methods,
     all_bases,
     "machine",
     1},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].id) != i) return false;
    return true;
}
static_assert(in_order(), "the rows stand in the order of Key");

constexpr std::array<ShapeParameter, static_cast<std::size_t>(ShapeKey::count)> shape = {{
    {ShapeKey::parameters, "parameters", "parameters", 1, 1e14},
    {ShapeKey::hidden_size, "hidden_size", "", 1, 1048576},
    {ShapeKey::num_hidden_layers, "num_hidden_layers", "", 1, 10000},
    {ShapeKey::intermediate_size, "intermediate_size", "", 1, 16777216},
    {ShapeKey::vocab_size, "vocab_size", "", 1, 16777216},
    {ShapeKey::num_attention_heads, "num_attention_heads", "", 1, 65536},
    {ShapeKey::num_key_value_heads, "num_key_value_heads", "", 1, 65536},
    {ShapeKey::head_dim, "head_dim", "", 1, 65536},
}};

}  // namespace

std::span<const Parameter> parameters() {
    return table;
}

const Parameter& parameter(Key key) {
    return table[static_cast<std::size_t>(key)];
}

const Parameter* find_parameter(std::string_view key) {
    for (const Parameter& row : table)
        if (row.key == key) return &row;
    return nullptr;
}

std::span<const ShapeParameter> shape_parameters() {
    return shape;
}

}  // namespace memory_budget::recipe
