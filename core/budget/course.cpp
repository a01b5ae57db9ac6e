// SPDX-License-Identifier: MIT
#include "core/budget/course.h"

#include <cmath>

namespace memory_budget::budget::course {
namespace {

using recipe::Dtype;
using recipe::Key;
using recipe::Master;
using recipe::Method;
using recipe::Optimizer;
using recipe::Recipe;
using recipe::Shape;
using recipe::ShapeKey;
using recipe::Sharding;
using recipe::Targets;

double dtype_bytes(Dtype dtype) {
    return dtype == Dtype::fp32 ? 4 : 2;
}

/// States of 32 bits a parameter. Adam has two moments; bitsandbytes keeps them in 8 bits; Lion, Muon and SGD with
/// momentum have one; Adafactor's row and column sums are far below a byte a parameter and count as none.
double optimizer_bytes(Optimizer optimizer) {
    switch (optimizer) {
        case Optimizer::adamw_fused:
        case Optimizer::adamw_foreach:
        case Optimizer::adamw_single:
            return 8;
        case Optimizer::adamw_8bit:
        case Optimizer::paged_adamw_8bit:
            return 2;
        case Optimizer::sgd_momentum:
        case Optimizer::lion:
        case Optimizer::muon:
            return 4;
        case Optimizer::sgd:
        case Optimizer::adafactor:
            break;
    }
    return 0;
}

/// How many GPUs share each role (ZeRO's stages; both FSDP versions share all, as stage 3 does).
struct Shares {
    double weights = 1;
    double gradients = 1;
    double states = 1;
};

Shares shares(const Recipe& recipe) {
    const double gpus = recipe.number(Key::gpus);
    switch (recipe.choice<Sharding>(Key::sharding)) {
        case Sharding::none:
            return {};
        case Sharding::zero_1:
            return {1, 1, gpus};
        case Sharding::zero_2:
            return {1, gpus, gpus};
        case Sharding::zero_3:
        case Sharding::fsdp1:
        case Sharding::fsdp2:
            break;
    }
    return {gpus, gpus, gpus};
}

struct Projection {
    std::string_view name;
    ShapeKey need;  ///< the size beyond those of attention that it needs
    bool attention;
};

constexpr Projection projections[] = {
    {"q_proj", ShapeKey::num_attention_heads, true},   {"k_proj", ShapeKey::num_attention_heads, true},
    {"v_proj", ShapeKey::num_attention_heads, true},   {"o_proj", ShapeKey::num_attention_heads, true},
    {"gate_proj", ShapeKey::intermediate_size, false}, {"up_proj", ShapeKey::intermediate_size, false},
    {"down_proj", ShapeKey::intermediate_size, false},
};

bool targeted(const Projection& projection, const Recipe& recipe) {
    switch (recipe.choice<Targets>(Key::targets)) {
        case Targets::all_linear:
            return true;
        case Targets::attention:
            return projection.attention;
        case Targets::qv:
            return projection.name == "q_proj" || projection.name == "v_proj";
        case Targets::mlp:
            return !projection.attention;
        case Targets::list:
            break;
    }
    for (const std::string& name : recipe.target_names)
        if (name == projection.name) return true;
    return false;
}

/// Inputs plus outputs of one projection: a rank-r adapter on it has r times as many parameters.
std::int64_t in_plus_out(const Projection& projection, const Shape& shape) {
    const std::int64_t hidden = shape[ShapeKey::hidden_size];
    if (!projection.attention) return hidden + shape[ShapeKey::intermediate_size];
    const std::int64_t heads = shape[ShapeKey::num_attention_heads];
    const std::int64_t kv = shape[ShapeKey::num_key_value_heads] ? shape[ShapeKey::num_key_value_heads] : heads;
    const std::int64_t width = shape[ShapeKey::head_dim] ? shape[ShapeKey::head_dim] : hidden / heads;
    const bool grouped = projection.name == "k_proj" || projection.name == "v_proj";
    return hidden + (grouped ? kv : heads) * width;
}

/// Collects rows and keeps the sums.
class Rows {
  public:
    explicit Rows(Budget& budget) : budget_(budget) {}

    /// A GPU's part is rounded up to whole bytes.
    void add(std::string_view id, double bytes, bool fixed, std::string_view formula, std::vector<Input> inputs,
             std::string_view source) {
        if (!(bytes <= max_exact)) {
            budget_.overflow = true;
            return;
        }
        const auto whole = static_cast<std::int64_t>(bytes);
        budget_.rows.push_back({id, whole, formula, std::move(inputs), source});
        if (fixed) budget_.fixed_bytes += whole;
        budget_.total_bytes += whole;
        if (static_cast<double>(budget_.total_bytes) > max_exact) budget_.overflow = true;
    }

    void per_parameter(std::string_view id, double count, double bytes, double gpus, std::string_view symbol,
                       std::string_view source) {
        const bool frozen = id == "base";
        const std::string_view alone = frozen ? "parameters * base_bytes" : "parameters * bytes";
        const std::string_view shared = frozen ? "parameters * base_bytes / gpus" : "parameters * bytes / gpus";
        std::vector<Input> inputs = {{"parameters", count}, {symbol, bytes}};
        if (gpus > 1) inputs.push_back({"gpus", gpus});
        add(id, std::ceil(std::round(count * bytes) / gpus), true, gpus > 1 ? shared : alone, std::move(inputs),
            source);
    }

  private:
    Budget& budget_;
};

}  // namespace

BytesPerParameter bytes_per_parameter(const Recipe& recipe) {
    BytesPerParameter bytes = {};
    bytes.weights = dtype_bytes(recipe.choice<Dtype>(Key::weights_dtype));
    bytes.gradients = dtype_bytes(recipe.choice<Dtype>(Key::gradients_dtype));
    bytes.optimizer = optimizer_bytes(recipe.choice<Optimizer>(Key::optimizer));
    bytes.master = recipe.choice<Master>(Key::master) == Master::fp32 ? 4 : 0;
    bytes.base = recipe.choice<Method>(Key::method) == Method::qlora ? base_4bit : bytes.weights;
    if (recipe.has(Key::base_bytes_per_parameter)) bytes.base = recipe.number(Key::base_bytes_per_parameter);
    return bytes;
}

const std::vector<std::string_view>& projection_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list;
        for (const Projection& projection : projections) list.push_back(projection.name);
        return list;
    }();
    return names;
}

std::optional<std::int64_t> adapter_parameters(const Shape& shape, const Recipe& recipe) {
    if (recipe.has(Key::adapter_parameters)) return recipe.integer(Key::adapter_parameters);
    if (shape.adapter_parameters > 0) return shape.adapter_parameters;
    if (!shape[ShapeKey::hidden_size] || !shape[ShapeKey::num_hidden_layers]) return std::nullopt;
    std::int64_t sum = 0;
    for (const Projection& projection : projections) {
        if (!targeted(projection, recipe)) continue;
        if (!shape[projection.need]) return std::nullopt;
        sum += in_plus_out(projection, shape);
    }
    return sum * recipe.integer(Key::rank) * shape[ShapeKey::num_hidden_layers];
}

Budget estimate(const Shape& shape, const Recipe& recipe, recipe::Issues& issues) {
    Budget budget;
    Rows rows(budget);
    const BytesPerParameter bytes = bytes_per_parameter(recipe);
    const Shares share = shares(recipe);
    const auto parameters = static_cast<double>(shape[ShapeKey::parameters]);
    const bool full = recipe.choice<Method>(Key::method) == Method::full;

    if (parameters == 0) {
        budget.complete = false;
        issues.warn("parameters-unknown", "model.parameters",
                    "the number of parameters is not known: nothing that depends on it is counted");
    }
    double trained = parameters;
    if (!full) {
        const std::optional<std::int64_t> count = adapter_parameters(shape, recipe);
        if (count) {
            trained = static_cast<double>(*count);
        } else if (parameters > 0) {
            trained = std::round(parameters * assumed_adapter_share);
            issues.warn("adapter-assumed", "adapter_parameters",
                        "the sizes that give the adapter's parameters are not known: half a per cent of the model is "
                        "taken");
        } else {
            trained = 0;
        }
        if (trained > max_exact) budget.overflow = true;
    }
    if (!budget.overflow) budget.trainable_parameters = static_cast<std::int64_t>(trained);

    if (full && parameters > 0) {
        rows.per_parameter("weights", parameters, bytes.weights, share.weights, "bytes", "lesson-roles");
        rows.per_parameter("gradients", parameters, bytes.gradients, share.gradients, "bytes", "lesson-roles");
        if (bytes.master > 0)
            rows.per_parameter("master", parameters, bytes.master, share.states, "bytes", "lesson-roles");
        rows.per_parameter("optimizer", parameters, bytes.optimizer, share.states, "bytes", "lesson-roles");
    }
    if (!full) {
        const bool four_bit = recipe.choice<Method>(Key::method) == Method::qlora;
        if (parameters > 0)
            rows.per_parameter("base", parameters, bytes.base, share.weights, "base_bytes",
                               four_bit ? "lesson-4bit" : "lesson-lora");
        if (trained > 0) {
            const double each = std::ceil(trained * bytes.weights / share.weights) +
                                std::ceil(trained * bytes.gradients / share.gradients) +
                                std::ceil(trained * bytes.states() / share.states);
            std::vector<Input> inputs = {{"adapter_parameters", trained},
                                         {"weights", bytes.weights},
                                         {"gradients", bytes.gradients},
                                         {"states", bytes.states()}};
            std::string_view formula = "adapter_parameters * (weights + gradients + states)";
            if (share.states > 1) {
                inputs.push_back({"gpus", share.states});
                formula = share.weights > 1     ? "adapter_parameters * (weights + gradients + states) / gpus"
                          : share.gradients > 1 ? "adapter_parameters * (weights + (gradients + states) / gpus)"
                                                : "adapter_parameters * (weights + gradients + states / gpus)";
            }
            rows.add("adapter", each, true, formula, std::move(inputs), "lesson-lora");
        }
    }

    const double tokens = recipe.number(Key::batch) * recipe.number(Key::sequence);
    const auto layers = static_cast<double>(shape[ShapeKey::num_hidden_layers]);
    const auto hidden = static_cast<double>(shape[ShapeKey::hidden_size]);
    const auto vocabulary = static_cast<double>(shape[ShapeKey::vocab_size]);
    if (layers > 0 && hidden > 0)
        rows.add("activations", layers * tokens * hidden * 2, false,
                 "layers * batch * sequence * hidden_size * bytes_per_element",
                 {{"layers", layers},
                  {"batch", recipe.number(Key::batch)},
                  {"sequence", recipe.number(Key::sequence)},
                  {"hidden_size", hidden},
                  {"bytes_per_element", 2}},
                 "lesson-activations");
    if (vocabulary > 0)
        rows.add("logits", tokens * vocabulary * 2, false, "batch * sequence * vocabulary * bytes_per_element",
                 {{"batch", recipe.number(Key::batch)},
                  {"sequence", recipe.number(Key::sequence)},
                  {"vocabulary", vocabulary},
                  {"bytes_per_element", 2}},
                 "lesson-logits");
    budget.bytes_per_token = static_cast<std::int64_t>((hidden * layers + vocabulary) * 2);
    if (layers == 0 || hidden == 0 || vocabulary == 0) {
        budget.complete = false;
        issues.warn("shape-unknown", "model",
                    "layers, hidden size or vocabulary is not known: activations or logits are not counted");
    }
    if (recipe.choice<recipe::Checkpointing>(Key::checkpointing) == recipe::Checkpointing::none)
        issues.warn("course-checkpointing", "checkpointing",
                    "the lesson gives no figure without checkpointing: its checkpointed activations are shown");
    return budget;
}

std::vector<Segment> segments(const Budget& budget) {
    struct Group {
        std::string_view row, segment;
    };
    constexpr Group groups[] = {{"weights", "weights"},
                                {"gradients", "gradients"},
                                {"master", "master_and_optimizer"},
                                {"optimizer", "master_and_optimizer"},
                                {"base", "base"},
                                {"adapter", "adapter"},
                                {"activations", "activations_and_logits"},
                                {"logits", "activations_and_logits"}};
    std::vector<Segment> result;
    for (const Row& row : budget.rows) {
        for (const Group& group : groups) {
            if (group.row != row.id) continue;
            if (result.empty() || result.back().id != group.segment) result.push_back({group.segment, 0, {}});
            result.back().bytes += row.bytes;
            result.back().rows.push_back(row.id);
        }
    }
    return result;
}

}  // namespace memory_budget::budget::course
