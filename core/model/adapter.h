// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/architecture.h"
#include "core/model/inventory.h"
#include "core/model/issue.h"

namespace memory_budget::model {

/// Which modules carry an adapter.
enum class TargetSet : std::uint8_t {
    all_linear,  ///< all linear modules but the head
    attention,   ///< the projections of attention
    query_value,
    mlp,    ///< dense and shared parts, and experts as `ExpertAdapters` says
    names,  ///< `AdapterPlan::names`
};

/// What becomes of routed experts, and which library does it.
enum class ExpertAdapters : std::uint8_t {
    left_out,          ///< PEFT on linear modules: attention and shared parts alone, as experts are no modules
    dense_equivalent,  ///< the course's: each block counts as a dense one of `intermediate_size`
    separate,          ///< every expert's matrices by themselves: Transformers 4, whose experts are modules
    fused,             ///< PEFT 0.20 on Transformers 5: adapters on the fused parameters
};

struct AdapterPlan {
    std::int64_t rank = 16;
    TargetSet targets = TargetSet::all_linear;
    /// For `TargetSet::names`: last parts of module names, or more of the path; `vision.` in front takes the tower.
    std::vector<std::string_view> names;
    ExpertAdapters experts = ExpertAdapters::fused;
    bool dora = false;             ///< a magnitude vector for each module; rank-stabilised scaling changes no size
    bool train_head = false;       ///< a trained copy of the output head beside the adapter
    bool train_embedding = false;  ///< the same of the embedding
    View view = View::network;
};

/// An adapter on one tensor of the inventory: two matrices `rank x in` and `out x rank`, for each matrix that it holds.
struct AdaptedTensor {
    std::size_t tensor = 0;  ///< index in `Inventory::tensors`
    std::int64_t rank = 0;
    std::int64_t parameters = 0;  ///< of all copies
};

struct AdapterCount {
    std::int64_t parameters = 0;         ///< all that is trained
    std::int64_t expert_parameters = 0;  ///< of these, on routed experts or what stands for them
    std::int64_t beside_parameters = 0;  ///< of these, trained copies of head and embedding
    std::int64_t modules = 0;            ///< modules and parameters that carry an adapter
    std::string_view library;  ///< who makes it so: `peft-modules`, `course`, `transformers-4`, `peft-parameters`
    std::vector<AdaptedTensor> tensors;
    Issues errors;    ///< `no-module-found`, `fused-targets-apart`
    Issues warnings;  ///< `name-not-found`, `experts-not-found`, `dora-not-on-parameters`
};

/// Trainable parameters of a low-rank adapter, exactly as the named library counts them.
AdapterCount count_adapter(const Architecture& a, const Inventory& all, const AdapterPlan& plan);

}  // namespace memory_budget::model
