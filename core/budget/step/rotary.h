// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/operations.h"
#include "core/model/architecture.h"

namespace memory_budget::budget::step {

/// cos and sin of all positions, made once a forward for each kind of block.
struct RotaryTables {
    Tensor cos, sin;
};

RotaryTables rotary_tables(Operations& o, const model::Rotary& rotary, std::int64_t size, DType hidden);

/// One of them, (batch, tokens, heads, size).
Tensor rotated(Operations& o, const Tensor& x, const RotaryTables& tables);

/// Turns query and key, each (batch, heads, tokens, size), in place of the caller's variables. `rest` is the four
/// parts that the caller's own code holds on to, where it cuts and joins the heads itself.
void rotate(Operations& o, model::RotaryKind kind, Tensor& q, Tensor& k, const RotaryTables& tables, Tensor* rest);

/// `x cos + half-turned(x) sin`, over the last dimension.
Tensor half_rotation(Operations& o, const Tensor& x, const Tensor& cos, const Tensor& sin);

}  // namespace memory_budget::budget::step
