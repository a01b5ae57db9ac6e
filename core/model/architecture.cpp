// SPDX-License-Identifier: MIT
#include "core/model/architecture.h"

// Written once: a compiler that copies some hundred fields in every family makes the engine a fifth larger.

namespace memory_budget::model {

[[gnu::noinline]] Linear::Linear(const char* name_, std::int64_t in_, std::int64_t out_, bool bias_, Weight weight_)
    : name(name_), in(in_), out(out_), bias(bias_), weight(weight_) {}
[[gnu::noinline]] Norm::Norm(const char* name_, NormKind kind_, std::int64_t size_)
    : name(name_), kind(kind_), size(size_), bias(kind_ == NormKind::layer) {}
[[gnu::noinline]] Extra::Extra(const char* name_, Role role_, Part part_, std::int64_t rows_, std::int64_t columns_,
                               bool bias_)
    : name(name_), role(role_), part(part_), rows(rows_), columns(columns_), bias(bias_) {}
[[gnu::noinline]] Attention::Attention() = default;
[[gnu::noinline]] Mlp::Mlp() = default;
[[gnu::noinline]] Experts::Experts() = default;
[[gnu::noinline]] Block::Block() = default;
[[gnu::noinline]] Block::Block(const Block&) = default;
[[gnu::noinline]] Block::Block(Block&&) noexcept = default;
[[gnu::noinline]] Block& Block::operator=(const Block&) = default;
[[gnu::noinline]] Block& Block::operator=(Block&&) noexcept = default;
[[gnu::noinline]] Block::~Block() = default;

}  // namespace memory_budget::model
