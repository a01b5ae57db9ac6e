// SPDX-License-Identifier: MIT
// Choices of a run beside those that were traced: what each adds or takes away, by hand where that can be said.
#include <set>

#include "tests/core/played_run.h"

using nlohmann::json;

namespace {

std::int64_t bytes(const json& budget, const std::string& phase, const std::string& category) {
    return find(budget["phases"], "id", phase)["by_category"].value(category, std::int64_t{0});
}

std::int64_t peak(const json& budget) {
    return budget["total_bytes"];
}

bool about(std::int64_t got, std::int64_t expected, std::int64_t off) {
    return got >= expected - off && got <= expected + off;
}

// Qwen3-0.6B: 28 blocks, hidden 1024, tied embedding of 151936 rows; 310 tensors, each rounded up to 512 bytes.
constexpr std::int64_t parameters = 596'049'920, embedding = 151'936 * 1024, tensors = 310;
constexpr std::int64_t rounding = tensors * 512;
const json bf16 = {{"stack", "transformers-bf16"}, {"optimizer", "adamw-fused"}};

json with(json base, const json& more) {
    base.update(more);
    return base;
}

}  // namespace

TEST_CASE("every n-th block checkpointed lies between all and none", "[choices]") {
    for (const char* method : {"full", "lora", "qlora"}) {
        const json run = {{"method", method}, {"batch", 2}, {"sequence", 512}, {"stack", "trl-nll"}};
        const auto saved = [&](const json& more) {
            return played_budget(with(run, more))["saved_for_backward_bytes"].get<std::int64_t>();
        };
        const std::int64_t none = saved({{"checkpointing", "none"}}), all = saved({{"checkpointing", "block"}});
        std::int64_t last = all;
        for (const int every : {1, 2, 3, 4, 28}) {
            INFO(method << " " << every);
            const std::int64_t some = saved({{"checkpointing", "selective"}, {"checkpoint_every", every}});
            CHECK(some >= last);
            CHECK(some <= none);
            last = some;
        }
        CHECK(saved({{"checkpointing", "selective"}, {"checkpoint_every", 1}}) == all);
        // More than there are blocks: none of them.
        if (std::string(method) == "full")
            CHECK(saved({{"checkpointing", "selective"}, {"checkpoint_every", 29}}) == none);
    }
    CHECK(played_budget({{"checkpointing", "selective"}})["inexact"] == "checkpointing-not-traced");
}

TEST_CASE("what is kept for backward can wait on the host", "[choices]") {
    constexpr std::int64_t tokens = 2 * 512, input = tokens * 1024 * 4, log_probabilities = tokens * 151'936 * 4;
    for (const char* method : {"full", "lora", "qlora"}) {
        for (const char* checkpointing : {"none", "block", "selective"}) {
            const json run = {{"method", method},   {"batch", 2},       {"sequence", 512},
                              {"stack", "trl-nll"}, {"metrics", false}, {"checkpointing", checkpointing}};
            INFO(method << " " << checkpointing);
            const json here = played_budget(run), away = played_budget(with(run, {{"activation_offload", true}}));
            // Where nothing is kept any more a few that were brought back may live a little longer than they would
            // have.
            CHECK(peak(away) <= peak(here) + 2 * input);
            CHECK(away["saved_for_backward_bytes"] < here["saved_for_backward_bytes"]);
            CHECK(away["host_bytes"].get<std::int64_t>() > 0);
            CHECK(away["inexact"] == "checkpointing-not-traced");
        }
    }
    // A checkpointed block keeps its input: on the host there is one a block, beside what the loss keeps.
    const json run = with(bf16, {{"batch", 2}, {"sequence", 512}, {"activation_offload", true}});
    CHECK(about(played_budget(run)["host_bytes"], 28 * input / 2 + log_probabilities, 2 * input));
}

TEST_CASE("sixteen bytes a parameter with a separate master copy, eighteen with 32-bit gradients", "[choices]") {
    const json pure = played_budget(bf16);
    CHECK(about(bytes(pure, "optimizer", "optimizer"), 4 * parameters, 3 * rounding));
    const json sixteen = played_budget(with(bf16, {{"master", "fp32"}}));
    CHECK(about(bytes(sixteen, "optimizer", "parameters"), 2 * parameters, rounding));
    CHECK(about(bytes(sixteen, "optimizer", "gradients"), 2 * parameters, rounding));
    CHECK(about(bytes(sixteen, "optimizer", "optimizer"), 12 * parameters, 4 * rounding));
    const json eighteen = played_budget(with(bf16, {{"master", "fp32"}, {"gradients_dtype", "fp32"}}));
    CHECK(about(bytes(eighteen, "optimizer", "gradients"), 4 * parameters, rounding));
    CHECK(about(bytes(eighteen, "optimizer", "optimizer"), 12 * parameters, 4 * rounding));
    // A 16-bit gradient is given up as soon as it is added: beside the 32-bit ones only a few are there at once.
    CHECK(bytes(eighteen, "backward", "gradients") <= 4 * parameters + rounding + 2 * embedding);
    CHECK(sixteen["exact"] == false);
    // 32-bit weights are their own master.
    CHECK(peak(played_budget({{"master", "fp32"}})) == peak(played_budget(json::object())));
}

TEST_CASE("with the optimizer's step in backward gradients are gone one by one", "[choices]") {
    // Short, so that not the logits decide.
    const json run = with(bf16, {{"sequence", 64}});
    const json after = played_budget(run), inside = played_budget(with(run, {{"step_in_backward", true}}));
    CHECK(about(bytes(after, "optimizer", "gradients"), 2 * parameters, rounding));
    CHECK(bytes(inside, "optimizer", "gradients") == 0);
    CHECK(peak(inside) < peak(after));
    CHECK(find(inside["phases"], "id", "clip").is_null());
    // Accumulation has nothing to add to, and is refused: the figures are those without.
    CHECK(peak(played_budget(with(run, {{"step_in_backward", true}, {"accumulation", 8}}))) == peak(inside));
    CHECK(peak(played_budget(with(run, {{"step_in_backward", true}, {"optimizer", "adafactor"}}))) <
          peak(played_budget(with(run, {{"optimizer", "adafactor"}}))));
}

TEST_CASE("AdamW one tensor at a time takes two temporaries of the largest, all at once one of all", "[choices]") {
    const std::int64_t fused = bytes(played_budget(bf16), "optimizer", "activations");
    const json single = played_budget(with(bf16, {{"optimizer", "adamw-single"}}));
    const json foreach = played_budget(with(bf16, {{"optimizer", "adamw-foreach"}}));
    CHECK(bytes(single, "optimizer", "activations") - fused == 2 * 2 * embedding);
    CHECK(about(bytes(foreach, "optimizer", "activations") - fused, 2 * parameters, rounding));
}

TEST_CASE("8-bit AdamW: two bytes a parameter and its scales, but embeddings at 32 bits", "[choices]") {
    constexpr std::int64_t rest = parameters - embedding, scales = rest / 256 * 4 * 2;
    const json adam8 = played_budget(with(bf16, {{"optimizer", "adamw-8bit"}}));
    CHECK(about(bytes(adam8, "optimizer", "optimizer"), 8 * embedding + 2 * rest + scales, 4 * rounding));
    // Paged: what is large is in managed memory, and the scales stay.
    const json paged = played_budget(with(bf16, {{"optimizer", "paged-adamw-8bit"}}));
    CHECK(about(bytes(paged, "optimizer", "optimizer"), scales, 4 * rounding));
}

TEST_CASE("a run in 16-bit floats lists no brain floats", "[choices]") {
    for (const char* stack : {"trl", "trl-nll", "trl-liger"}) {
        for (const char* method : {"full", "lora", "qlora"}) {
            const json run = {
                {"stack", stack},          {"method", method},        {"autocast", "fp16"}, {"weights_dtype", "fp16"},
                {"adapter_dtype", "fp32"}, {"checkpointing", "none"}, {"batch", 4}};
            INFO(run.dump());
            std::set<std::string> types;
            const json played = played_budget(run);
            for (const json& tensor : played["tensors"]) types.insert(tensor["dtype"].get<std::string>());
            CHECK(types.count("bfloat16") == 0);
            CHECK(types.count("float16") == 1);
            json same = run;
            same["autocast"] = same["weights_dtype"] = "bf16";
            CHECK(peak(played_budget(same)) == peak(played));
        }
    }
}
