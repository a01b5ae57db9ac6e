// SPDX-License-Identifier: MIT
#include "core/budget/detailed.h"

#include <algorithm>
#include <cmath>

#include "core/budget/overhead.h"
#include "core/budget/step/play.h"
#include "core/recipe/stacks.h"

namespace memory_budget::budget::detailed {
namespace {

using recipe::Key;
using recipe::Recipe;
using step::Category;

constexpr std::size_t alive_shown = 24;

/// Transformers up to 4.47: classes whose flash attention repeats keys and values (Llama's does not).
bool repeats_keys(std::string_view family) {
    for (std::string_view f : {"mistral", "mixtral", "qwen2", "qwen2_moe", "phi3", "starcoder2"})
        if (f == family) return true;
    return false;
}

/// Transformers 4.x: classes that never widened their logits.
bool keeps_logits_narrow(std::string_view family) {
    for (std::string_view f : {"gpt2", "gpt_bigcode", "gpt_neox", "falcon", "bloom", "opt"})
        if (f == family) return true;
    return false;
}

step::Precision precision(recipe::Dtype dtype) {
    switch (dtype) {
        case recipe::Dtype::fp32:
            return step::Precision::f32;
        case recipe::Dtype::bf16:
            return step::Precision::bf16;
        case recipe::Dtype::fp16:
            break;
    }
    return step::Precision::f16;
}

struct CategoryRow {
    Category category;
    std::string_view id;
    std::string_view source;
};

constexpr CategoryRow category_rows[] = {
    {Category::frozen, "base", "step-parameters"},        {Category::quantization, "quantization", "step-bitsandbytes"},
    {Category::parameters, "weights", "step-parameters"}, {Category::gradients, "gradients", "step-autograd"},
    {Category::optimizer, "optimizer", "step-optimizer"}, {Category::activations, "activations", "step-autograd"},
    {Category::workspace, "workspace", "step-kernels"},   {Category::buffers, "buffers", "step-parameters"},
};

const step::PhaseMemory& peak_of(const step::Step& step) {
    for (const step::PhaseMemory& phase : step.phases)
        if (phase.id == step.peak_phase) return phase;
    return step.phases.front();
}

std::int64_t times(std::int64_t bytes, double factor) {
    return static_cast<std::int64_t>(std::round(static_cast<double>(bytes) * factor));
}

std::array<Level, 3> levels_of(std::int64_t peak, bool exact) {
    const auto plus = [](std::int64_t bytes, double more) { return bytes + static_cast<std::int64_t>(more); };
    const Measured spread = exact ? Measured{1, 1, 1} : overhead::release_ratio;
    const Level allocated = {"allocated", times(peak, spread.low), plus(peak, overhead::matrix_workspace.typical),
                             plus(times(peak, spread.high), overhead::matrix_workspace.high)};
    const Level reserved = {"reserved", times(allocated.low_bytes, overhead::reserved_ratio.low),
                            times(allocated.bytes, overhead::reserved_ratio.typical),
                            times(allocated.high_bytes, overhead::reserved_ratio.high)};
    const Level device = {"device", plus(reserved.low_bytes, overhead::context.low),
                          plus(reserved.bytes, overhead::context.typical),
                          plus(reserved.high_bytes, overhead::context.high)};
    return {allocated, reserved, device};
}

/// The type of the weights that are trained.
recipe::Dtype trained_dtype(const Recipe& recipe) {
    const bool full = recipe.choice<recipe::Method>(Key::method) == recipe::Method::full;
    return recipe.choice<recipe::Dtype>(full ? Key::weights_dtype : Key::adapter_dtype);
}

bool is_zero(recipe::Sharding sharding) {
    return sharding == recipe::Sharding::zero_1 || sharding == recipe::Sharding::zero_2 ||
           sharding == recipe::Sharding::zero_3;
}

void share(const Recipe& recipe, step::StepSettings& settings) {
    const auto sharding = recipe.choice<recipe::Sharding>(Key::sharding);
    const std::int64_t gpus = recipe.integer(Key::gpus);
    settings.offload = recipe.choice<step::Offload>(Key::offload);
    const bool sharded = sharding != recipe::Sharding::none && (gpus > 1 || is_zero(sharding));
    if (sharded) {
        settings.sharding = static_cast<step::Sharding>(sharding);
        settings.gpus = gpus;
        settings.reshard_after_forward = recipe.flag(Key::reshard_after_forward);
        settings.reduce_bucket = recipe.integer(Key::reduce_bucket);
        settings.step_in_backward = false;
    }
    if (settings.offload != step::Offload::none && settings.sharding != step::Sharding::zero_3)
        settings.offload = settings.sharding == step::Sharding::fsdp1 || settings.sharding == step::Sharding::fsdp2
                               ? step::Offload::parameters
                               : step::Offload::optimizer;
    if (settings.sharding == step::Sharding::none && settings.offload != step::Offload::none) settings.master = false;
    if (!sharded || !is_zero(sharding)) return;
    // DeepSpeed takes the model to 16 bits, adapters too, and keeps 32-bit copies of its own.
    settings.weights = settings.adapter = settings.half;
    settings.autocast = settings.kbit_preparation = settings.master = settings.wide_gradients = false;
}

}  // namespace

step::StepSettings settings_of(const Recipe& recipe, std::string_view family) {
    step::StepSettings settings;
    settings.method = recipe.choice<step::Method>(Key::method);
    settings.weights = precision(recipe.choice<recipe::Dtype>(Key::weights_dtype));
    const auto autocast = recipe.choice<recipe::Autocast>(Key::autocast);
    settings.autocast = autocast != recipe::Autocast::none;
    const bool fp16 = settings.autocast ? autocast == recipe::Autocast::fp16
                                        : recipe.choice<recipe::Dtype>(Key::weights_dtype) == recipe::Dtype::fp16;
    if (fp16) settings.half = step::Precision::f16;
    settings.master = recipe.choice<recipe::Master>(Key::master) == recipe::Master::fp32 &&
                      trained_dtype(recipe) != recipe::Dtype::fp32;
    settings.wide_gradients =
        settings.master && recipe.choice<recipe::Dtype>(Key::gradients_dtype) == recipe::Dtype::fp32;
    if (recipe.has(Key::adapter_dtype)) settings.adapter = precision(recipe.choice<recipe::Dtype>(Key::adapter_dtype));
    settings.rank = recipe.integer(Key::rank);
    settings.dropout = recipe.number(Key::dropout);
    settings.kbit_preparation = recipe.flag(Key::kbit_preparation);
    settings.all_linear = false;
    switch (recipe.choice<recipe::Targets>(Key::targets)) {
        case recipe::Targets::all_linear:
            settings.all_linear = true;
            break;
        case recipe::Targets::attention:
            settings.targets = {"q_proj", "k_proj", "v_proj", "o_proj"};
            break;
        case recipe::Targets::qv:
            settings.targets = {"q_proj", "v_proj"};
            break;
        case recipe::Targets::mlp:
            settings.targets = {"gate_proj", "up_proj", "down_proj"};
            break;
        case recipe::Targets::list:
            settings.targets = recipe.target_names;
            break;
    }
    settings.checkpointing = recipe.choice<step::Checkpointing>(Key::checkpointing);
    settings.checkpoint_every = recipe.integer(Key::checkpoint_every);
    settings.activation_offload = recipe.flag(Key::activation_offload);
    settings.attention = recipe.choice<step::AttentionPath>(Key::attention);
    settings.loss = recipe.choice<step::Loss>(Key::loss);
    settings.metrics = recipe.flag(Key::metrics);
    const recipe::Pieces& pieces = recipe::stack_of(recipe).pieces;
    const bool liger = recipe.flag(Key::liger);
    settings.kernels = {liger || pieces.fused_norm_and_rotary, liger || pieces.fused_norm_and_rotary, liger};
    settings.loss_chain = static_cast<step::LossChain>(pieces.loss_chain);
    if (pieces.loss_chain != recipe::LossChain::padded_labels && keeps_logits_narrow(family))
        settings.loss_chain = step::LossChain::copied_narrow;
    // Granite's own code widened its logits until after 4.48.
    if (pieces.loss_chain == recipe::LossChain::copied_beside_logits && family == "granite")
        settings.loss_chain = step::LossChain::copied_logits;
    settings.kept_cache = pieces.loss_chain != recipe::LossChain::padded_labels && family == "gpt_bigcode";
    settings.modules = static_cast<step::Modules>(pieces.modules);
    settings.compiled = pieces.compiled;
    settings.packed_keeps_input = pieces.packed_keeps_input;
    if (pieces.compiled) settings.kernels = {true, settings.kernels.rotary, true};
    settings.reentrant = pieces.reentrant;
    settings.separate_experts = pieces.separate_experts;
    settings.narrowed_embeddings = pieces.narrowed_embeddings;
    settings.repeated_kv = pieces.old_attention && repeats_keys(family);
    if (settings.method == step::Method::qlora)
        if (const auto format = recipe.choice<recipe::Quantization>(Key::quantization);
            format != recipe::Quantization::none)
            settings.quantization = static_cast<step::Quantization>(static_cast<int>(format) - 1);
    settings.optimizer = recipe.choice<step::Optimizer>(Key::optimizer);
    settings.accumulation = recipe.integer(Key::accumulation);
    settings.step_in_backward = recipe.flag(Key::step_in_backward);
    if (settings.step_in_backward) settings.accumulation = 1;
    share(recipe, settings);
    settings.batch = recipe.integer(Key::batch);
    settings.sequence = recipe.integer(Key::sequence);
    return settings;
}

Estimate estimate(const std::shared_ptr<const model::Architecture>& architecture, const Recipe& recipe) {
    const step::StepSettings settings = settings_of(recipe, architecture->family);
    Estimate estimate;
    step::Schedule schedule(architecture, settings);
    estimate.step = schedule.step(settings.batch, settings.sequence);
    estimate.alive = schedule.alive(settings.batch, settings.sequence, estimate.step.peak_phase, alive_shown);
    estimate.inexact = step::inexact(*architecture, settings);
    const step::PhaseMemory& peak = peak_of(estimate.step);
    for (const CategoryRow& row : category_rows) {
        const std::int64_t bytes = peak.by_category[static_cast<std::size_t>(row.category)];
        if (bytes > 0) estimate.budget.rows.push_back({row.id, bytes, "sum of tensors", {}, row.source});
    }
    estimate.budget.total_bytes = estimate.step.peak_bytes;
    estimate.budget.fixed_bytes = estimate.step.after_load;
    estimate.budget.overflow =
        static_cast<double>(estimate.step.peak_bytes) > max_exact || estimate.step.peak_bytes < 0;
    estimate.levels = levels_of(estimate.step.peak_bytes, estimate.inexact.empty());
    return estimate;
}

Outline::Outline(const std::shared_ptr<const model::Architecture>& architecture, const Recipe& recipe)
    : architecture_(architecture),
      settings_(settings_of(recipe, architecture->family)),
      schedule_(architecture, settings_) {}

std::int64_t Outline::resting_bytes() const {
    return step::resting_bytes(*architecture_, settings_);
}

Outline::Peak Outline::at(std::int64_t batch, std::int64_t sequence) {
    const std::int64_t peak = schedule_.peak(batch, sequence);
    // The most likely figure is the same for exact and other runs.
    return {peak, levels_of(peak, true).back().bytes};
}

step::Phase Outline::phase(std::int64_t batch, std::int64_t sequence) {
    return schedule_.step(batch, sequence).peak_phase;
}

void check(const Recipe& recipe, recipe::Issues& issues) {
    const auto sharding = recipe.choice<recipe::Sharding>(Key::sharding);
    const bool sharded = sharding != recipe::Sharding::none;
    const auto optimizer = recipe.choice<recipe::Optimizer>(Key::optimizer);
    const auto loss = recipe.choice<recipe::Loss>(Key::loss);
    const auto method = recipe.choice<recipe::Method>(Key::method);
    if (sharded && recipe.integer(Key::gpus) == 1)
        issues.warn("sharding-one-gpu", "gpus", "sharding over one GPU shares nothing");
    if (!sharded && recipe.integer(Key::gpus) > 1)
        issues.warn("gpus-not-shared", "sharding", "without sharding every GPU holds all of it");
    const auto offload = recipe.choice<recipe::Offload>(Key::offload);
    const bool fsdp = sharded && !is_zero(sharding);
    if (offload == recipe::Offload::optimizer && fsdp)
        issues.warn("offload-all-of-fsdp", "offload", "FSDP offloads parameters, gradients and states together");
    if (offload == recipe::Offload::parameters &&
        (!sharded || (is_zero(sharding) && sharding != recipe::Sharding::zero_3)))
        issues.warn("offload-parameters-needs-stage-3", "offload",
                    "parameters wait on the host under ZeRO-3 or FSDP only: the optimizer alone is offloaded");
    if (offload != recipe::Offload::none && fsdp && recipe.integer(Key::gpus) == 1)
        issues.warn("offload-needs-sharding", "offload", "FSDP's offload is a part of its sharding");
    if (sharded && is_zero(sharding) && recipe.given(Key::autocast) &&
        recipe.choice<recipe::Autocast>(Key::autocast) != recipe::Autocast::none)
        issues.warn("autocast-under-zero", "autocast", "DeepSpeed computes in 16-bit weights: autocast is off");
    if (fsdp && recipe.integer(Key::accumulation) > 1)
        issues.warn("accumulation-unsharded", "accumulation",
                    "between the passes of an accumulation FSDP keeps gradients whole (Accelerate's no_sync)");
    const bool master = recipe.choice<recipe::Master>(Key::master) != recipe::Master::none;
    if (master && trained_dtype(recipe) == recipe::Dtype::fp32)
        issues.warn("master-of-32-bit", "master", "32-bit weights are their own master copy: none is made beside them");
    const bool in_backward = recipe.flag(Key::step_in_backward);
    if (in_backward && recipe.integer(Key::accumulation) > 1)
        issues.warn("step-in-backward-accumulation", "step_in_backward",
                    "a step in backward leaves no gradient to add to: torchtune refuses accumulation with it");
    if (in_backward && sharded)
        issues.warn("step-in-backward-sharded", "step_in_backward",
                    "no sharding library here steps parameters in backward's hooks");
    if (loss == recipe::Loss::chunked && recipe.flag(Key::liger))
        issues.warn("chunked-with-liger", "loss", "TRL refuses its chunked loss together with Liger's kernels");
    if (loss == recipe::Loss::fused && !recipe.flag(Key::liger) &&
        !recipe::stack_of(recipe).pieces.fused_norm_and_rotary)
        issues.warn("fused-without-liger", "loss", "the fused loss comes with Liger's kernels");
    if (loss != recipe::Loss::full && recipe.flag(Key::metrics))
        issues.warn("metrics-without-logits", "metrics",
                    "the metrics are taken over logits that this loss never makes");
    for (const std::string& name : recipe.target_names)
        if (name == "lm_head" && loss == recipe::Loss::chunked)
            issues.warn("chunked-with-head", "targets", "TRL refuses its chunked loss where the head has an adapter");
    if (method == recipe::Method::qlora &&
        recipe.choice<recipe::Quantization>(Key::quantization) == recipe::Quantization::none)
        issues.warn("qlora-without-quantization", "quantization", "without a quantised base this is a LoRA run");
    if (method != recipe::Method::qlora && recipe.given(Key::quantization) &&
        recipe.choice<recipe::Quantization>(Key::quantization) != recipe::Quantization::none)
        issues.warn("quantization-needs-qlora", "quantization", "only the base of a QLoRA run is quantised");
    if (!master && recipe.given(Key::gradients_dtype) &&
        recipe.choice<recipe::Dtype>(Key::gradients_dtype) != trained_dtype(recipe))
        issues.warn("gradients-follow-weights", "gradients_dtype",
                    "PyTorch makes gradients in the weights' type; other ones go with a separate master copy");
    if (recipe.given(Key::checkpoint_every) &&
        recipe.choice<recipe::Checkpointing>(Key::checkpointing) != recipe::Checkpointing::selective)
        issues.warn("checkpoint-every-unused", "checkpoint_every", "only selective checkpointing passes blocks over");
    if (recipe.given(Key::reduce_bucket) && !(sharded && is_zero(sharding)))
        issues.warn("bucket-without-zero", "reduce_bucket", "only DeepSpeed's ZeRO reduces by a bucket of this size");
    if (optimizer == recipe::Optimizer::muon && sharded)
        issues.warn("muon-needs-matrices", "optimizer", "Muon steps whole matrices, and a GPU has a part of each");
    const bool adam = optimizer == recipe::Optimizer::adamw_fused || optimizer == recipe::Optimizer::adamw_foreach ||
                      optimizer == recipe::Optimizer::adamw_single;
    if (offload != recipe::Offload::none && sharded && is_zero(sharding) && !adam)
        issues.warn("offload-needs-cpu-adam", "offload",
                    "DeepSpeed refuses to offload an optimizer other than its own Adam unless it is forced to");
}

std::vector<Segment> segments(const Budget& budget, const Recipe& recipe) {
    struct Group {
        std::string_view row, full, adapter;
    };
    constexpr Group groups[] = {
        {"base", "weights", "base"},
        {"quantization", "base", "base"},
        {"weights", "weights", "adapter"},
        {"gradients", "gradients", "adapter"},
        {"optimizer", "optimizer", "adapter"},
        {"activations", "activations", "activations"},
        {"workspace", "activations", "activations"},
        {"buffers", "activations", "activations"},
    };
    const bool full = recipe.choice<recipe::Method>(Key::method) == recipe::Method::full;
    std::vector<Segment> result;
    for (const Row& row : budget.rows)
        for (const Group& group : groups) {
            if (group.row != row.id) continue;
            const std::string_view id = full ? group.full : group.adapter;
            if (result.empty() || result.back().id != id) result.push_back({id, 0, {}});
            result.back().bytes += row.bytes;
            result.back().rows.push_back(row.id);
        }
    return result;
}

}  // namespace memory_budget::budget::detailed
