// SPDX-License-Identifier: MIT
// Runs shared between GPUs, and what waits in the host's memory: sums by hand, and what must hold of any run.
#include "tests/core/played_run.h"

using nlohmann::json;

namespace {

// Qwen3-0.6B: 28 blocks, hidden 1024, tied embedding of 151936 rows; 310 tensors, each rounded up to 512 bytes.
constexpr std::int64_t parameters = 596'049'920, embedding = 151'936 * 1024, rounding = 310 * 512;
constexpr std::int64_t bucket = 1'000'000;

json budget(json request, const json& more = json::object()) {
    request.update(more);
    const json played = played_budget(request);
    INFO(request.dump());
    for (const json& phase : played["phases"]) CHECK_FALSE(phase["by_category"].contains("host"));
    return played;
}

std::int64_t bytes(const json& budget, const std::string& phase, const std::string& category) {
    return find(budget["phases"], "id", phase)["by_category"].value(category, std::int64_t{0});
}

std::int64_t after(const json& budget, const std::string& what) {
    return budget["after_" + what + "_bytes"];
}

std::int64_t peak(const json& budget) {
    return budget["total_bytes"];
}

std::int64_t host(const json& budget) {
    return budget.value("host_bytes", std::int64_t{0});
}

bool about(std::int64_t got, std::int64_t expected, std::int64_t off = 3 * rounding) {
    return got >= expected - off && got <= expected + off;
}

const json run = {{"stack", "transformers-bf16"},
                  {"optimizer", "adamw-fused"},
                  {"sequence", 256},
                  {"gpus", 4},
                  {"reduce_bucket", bucket}};
const std::vector<std::string> stages = {"zero-1", "zero-2", "zero-3"},
                               all = {"zero-1", "zero-2", "zero-3", "fsdp1", "fsdp2"};

}  // namespace

TEST_CASE("what each stage of ZeRO keeps between steps, a parameter", "[sharing]") {
    for (const int gpus : {1, 2, 8}) {
        INFO(gpus);
        const json g = {{"gpus", gpus}};
        // Weights in 16 bits, and a part of 32-bit copies and two 32-bit moments.
        const std::int64_t states = 12 * parameters / gpus;
        CHECK(about(after(budget(run, {{"sharding", "zero-1"}, {"gpus", gpus}}), "step"), 2 * parameters + states));
        CHECK(about(after(budget(run, {{"sharding", "zero-2"}, {"gpus", gpus}}), "step"), 2 * parameters + states));
        // A part of the weights and of the gradients' buffer; norms whole; the bucket.
        const std::int64_t norms = 65'536 * 2;
        CHECK(about(after(budget(run, {{"sharding", "zero-3"}, {"gpus", gpus}}), "step"),
                    4 * parameters / gpus + norms + states + 2 * bucket));
    }
}

TEST_CASE("a ZeRO step casts this rank's gradient to 32 bits beside the 16-bit ones", "[sharing]") {
    const std::int64_t share = parameters / 4;
    for (const std::string& stage : stages) {
        INFO(stage);
        const json played = budget(run, {{"sharding", stage}});
        CHECK(about(bytes(played, "optimizer", "gradients"), (2 + 2 + 4) * share));
        CHECK(about(bytes(played, "optimizer", "optimizer"), 12 * share));
        CHECK(played["inexact"] == "sharding-not-traced");
    }
    // Gradients before the step: whole, or by buckets.
    const json one = budget(run, {{"sharding", "zero-1"}, {"sequence", 16}, {"gpus", 1}});
    CHECK(about(bytes(one, "backward", "gradients"), (2 + 2) * parameters));
    CHECK(bytes(budget(run, {{"sharding", "zero-2"}}), "backward", "gradients") < 2 * share + 4 * embedding);
}

TEST_CASE("a bucket is as large as it is set, whatever the model needs", "[sharing]") {
    for (const std::string& stage : stages) {
        const json small = budget(run, {{"sharding", stage}, {"reduce_bucket", 10'000'000}});
        const json large = budget(run, {{"sharding", stage}, {"reduce_bucket", 30'000'000}});
        INFO(stage);
        CHECK(bytes(large, "backward", "workspace") - bytes(small, "backward", "workspace") >= 2 * 20'000'000);
    }
}

TEST_CASE("FSDP keeps an equal part of everything", "[sharing]") {
    for (const char* kind : {"fsdp1", "fsdp2"}) {
        INFO(kind);
        const json played = budget(run, {{"sharding", kind}});
        CHECK(about(after(played, "load"), 2 * parameters / 4));
        CHECK(about(after(played, "step"), 6 * parameters / 4));
        // 32-bit parameters are gathered in 16 bits under mixed precision.
        const json mixed = budget(run, {{"sharding", kind}, {"weights_dtype", "fp32"}, {"autocast", "bf16"}});
        CHECK(about(after(mixed, "load"), 4 * parameters / 4));
        CHECK(about(after(mixed, "step"), 12 * parameters / 4));
    }
    // The flat tensor of FSDP1 is what modules see: no copy is made on gathering.
    CHECK(peak(budget(run, {{"sharding", "fsdp1"}, {"sequence", 16}, {"batch", 1}})) > 0);
}

TEST_CASE("more GPUs never take more of each, nor does a later stage keep more", "[sharing]") {
    for (const char* method : {"full", "lora", "qlora"}) {
        for (const std::string& kind : all) {
            std::int64_t last = 0, kept = 0;
            for (const int gpus : {64, 8, 3, 2}) {
                INFO(method << " " << kind << " " << gpus);
                const json played = budget(run, {{"method", method}, {"sharding", kind}, {"gpus", gpus}});
                CHECK(peak(played) >= last);
                CHECK(after(played, "step") >= kept);
                last = peak(played);
                kept = after(played, "step");
            }
            CHECK(kept <=
                  after(budget(run, {{"method", method}, {"sharding", kind}, {"gpus", 1}}), "step") + 2 * bucket);
        }
        const auto kept = [&](const std::string& stage) {
            return after(budget(run, {{"method", method}, {"sharding", stage}, {"gpus", 8}}), "step");
        };
        CHECK(kept("zero-2") <= kept("zero-1"));
        CHECK(kept("zero-3") <= kept("zero-2") + 2 * bucket);
    }
}

TEST_CASE("offload never takes more of the device, and what left it is on the host", "[sharing]") {
    std::vector<std::string> kinds = all;
    kinds.push_back("none");
    for (const std::string& kind : kinds) {
        const json g = {{"sharding", kind}, {"gpus", kind == "none" ? 1 : 4}};
        const json here = budget(run, g);
        std::int64_t last = peak(here), before = host(here);
        CHECK(before == 0);
        for (const char* offload : {"optimizer", "parameters"}) {
            INFO(kind << " " << offload);
            json more = g;
            more["offload"] = offload;
            const json away = budget(run, more);
            CHECK(peak(away) <= last);
            CHECK(host(away) >= before);
            CHECK(host(away) > 0);
            CHECK(bytes(away, "optimizer", "optimizer") == 0);
            CHECK(away["exact"] == false);
            last = peak(away);
            before = host(away);
        }
    }
    const std::int64_t share = parameters / 4;
    // 32-bit copies, moments and gradients, and 16-bit weights on their way back.
    CHECK(about(host(budget(run, {{"sharding", "zero-2"}, {"offload", "optimizer"}})), (4 + 8 + 4 + 2) * share));
    // With the gradients' buffer, and the parameters themselves.
    CHECK(about(host(budget(run, {{"sharding", "zero-3"}, {"offload", "optimizer"}})), 20 * share));
    CHECK(about(host(budget(run, {{"sharding", "zero-3"}, {"offload", "parameters"}})), 22 * share));
    // Parameters, gradients and states, all of one width.
    CHECK(about(host(budget(run, {{"sharding", "fsdp2"}, {"offload", "parameters"}})), 8 * share));
    // On one GPU: a copy of parameters and gradients, and the states.
    CHECK(about(host(budget(run, {{"gpus", 1}, {"offload", "optimizer"}})), 8 * parameters));
}

TEST_CASE("between the passes of an accumulation FSDP has whole gradients", "[sharing]") {
    for (const char* kind : {"fsdp1", "fsdp2"}) {
        INFO(kind);
        const json once = budget(run, {{"sharding", kind}, {"gpus", 8}});
        const json twice = budget(run, {{"sharding", kind}, {"gpus", 8}, {"accumulation", 4}});
        CHECK(peak(twice) - peak(once) > 2 * (parameters - embedding) * 7 / 8);
        CHECK(after(twice, "step") == after(once, "step"));
    }
}

TEST_CASE("FSDP shares the packed weights of a 4-bit base, not their scales", "[sharing]") {
    const json alone = budget(run, {{"method", "qlora"}, {"gpus", 1}, {"kbit_preparation", false}});
    const json shared = budget(run, {{"method", "qlora"}, {"sharding", "fsdp1"}, {"kbit_preparation", false}});
    CHECK(bytes(shared, "optimizer", "quantization") == bytes(alone, "optimizer", "quantization"));
    CHECK(about(bytes(shared, "optimizer", "frozen") * 4, bytes(alone, "optimizer", "frozen"), 8 * rounding));
}
