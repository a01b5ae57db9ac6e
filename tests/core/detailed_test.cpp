// SPDX-License-Identifier: MIT
#include "core/budget/detailed.h"

#include "core/catalog/course.h"
#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

const json seven = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};

json detailed(const std::string& model, const std::string& method, json more = json::object()) {
    json request = {{"basis", "detailed"}, {"model", model}, {"method", method}};
    request.update(more);
    return ask(request);
}

}  // namespace

TEST_CASE("the lesson's cases come out as they were traced", "[detailed]") {
    // Traced peaks: core/catalog/course.cpp. Two small tensors of the trace are counted apart: 512 bytes.
    for (const auto& model : memory_budget::catalog::course_models()) {
        const std::string id(model.id);
        INFO(id);
        const auto close = [](const json& response, std::int64_t traced) {
            CHECK(response["budget"]["exact"] == true);
            const auto peak = response["budget"]["total_bytes"].get<std::int64_t>();
            CHECK(std::abs(peak - traced) <= 1024);
        };
        close(detailed(id, "full"), model.traced.full);
        close(detailed(id, "full", {{"stack", "transformers-bf16"}}), model.traced.full_bf16);
        close(detailed(id, "lora", {{"targets", seven}}), model.traced.lora);
        close(detailed(id, "lora", {{"targets", seven}, {"stack", "trl-nll"}}), model.traced.lora_nll);
        close(detailed(id, "qlora", {{"targets", seven}}), model.traced.qlora);
        close(detailed(id, "qlora", {{"targets", seven}, {"stack", "trl-nll"}}), model.traced.qlora_nll);
    }
}

TEST_CASE("the rows of a dry run add up to its peak, its segments to what the machine is asked for", "[detailed]") {
    const json response = detailed("qwen3-8b", "qlora", {{"batch", 3}, {"sequence", 700}});
    std::int64_t rows = 0;
    for (const json& row : response["budget"]["rows"]) rows += row["bytes"].get<std::int64_t>();
    CHECK(rows == response["budget"]["total_bytes"]);
    std::int64_t segments = 0;
    for (const json& segment : response["budget"]["segments"]) segments += segment["bytes"].get<std::int64_t>();
    CHECK(segments == response["fit"]["requested_bytes"]);
    std::int64_t highest = 0;
    for (const json& phase : response["budget"]["phases"]) {
        std::int64_t sum = 0;
        for (const json& bytes : phase["by_category"]) sum += bytes.get<std::int64_t>();
        CHECK(sum == phase["peak_bytes"]);
        highest = std::max(highest, phase["peak_bytes"].get<std::int64_t>());
    }
    CHECK(highest == response["budget"]["total_bytes"]);
}

TEST_CASE("each level holds the one before it", "[detailed]") {
    const json response = detailed("qwen3-1.7b", "lora");
    const json& levels = response["budget"]["levels"];
    REQUIRE(levels.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(levels[i]["low_bytes"] <= levels[i]["bytes"]);
        CHECK(levels[i]["bytes"] <= levels[i]["high_bytes"]);
        if (i > 0) CHECK(levels[i]["bytes"] >= levels[i - 1]["bytes"]);
    }
}

TEST_CASE("contradictory choices are named, not refused", "[detailed]") {
    const auto warned = [](const json& more, const std::string& code) {
        const json response = detailed("qwen3-0.6b", "lora", more);
        INFO(code);
        CHECK(response["ok"] == true);
        CHECK_FALSE(find(response["warnings"], "code", code).is_null());
    };
    warned({{"sharding", "fsdp2"}}, "sharding-one-gpu");
    warned({{"gpus", 4}}, "gpus-not-shared");
    warned({{"sharding", "fsdp2"}, {"gpus", 2}, {"offload", "optimizer"}}, "offload-all-of-fsdp");
    warned({{"sharding", "fsdp2"}, {"offload", "parameters"}}, "offload-needs-sharding");
    warned({{"sharding", "zero-2"}, {"gpus", 2}, {"offload", "parameters"}}, "offload-parameters-needs-stage-3");
    warned({{"offload", "parameters"}}, "offload-parameters-needs-stage-3");
    warned({{"quantization", "nf4-double"}}, "quantization-needs-qlora");
    warned({{"gradients_dtype", "bf16"}, {"adapter_dtype", "fp32"}}, "gradients-follow-weights");
    warned({{"checkpoint_every", 3}}, "checkpoint-every-unused");
    warned({{"reduce_bucket", 1000}}, "bucket-without-zero");
    warned({{"sharding", "fsdp2"}, {"gpus", 2}, {"optimizer", "muon"}}, "muon-needs-matrices");
    warned({{"sharding", "zero-2"}, {"offload", "optimizer"}, {"optimizer", "lion"}}, "offload-needs-cpu-adam");
    const json paged = {{"optimizer", "paged-adamw-8bit"}, {"machine", "apple-silicon-64gb"}};
    warned(paged, "paged-needs-cuda");
    json nvidia = paged;
    nvidia["machine"] = "rtx-5090";
    CHECK(find(detailed("qwen3-0.6b", "lora", nvidia)["warnings"], "code", "paged-needs-cuda").is_null());
    warned({{"sharding", "zero-1"}, {"autocast", "bf16"}}, "autocast-under-zero");
    warned({{"sharding", "fsdp1"}, {"gpus", 2}, {"accumulation", 2}}, "accumulation-unsharded");
    warned({{"master", "fp32"}}, "master-of-32-bit");
    warned({{"step_in_backward", true}, {"accumulation", 4}}, "step-in-backward-accumulation");
    warned({{"step_in_backward", true}, {"sharding", "fsdp2"}, {"gpus", 2}}, "step-in-backward-sharded");
    warned({{"liger", true}}, "chunked-with-liger");
    warned({{"loss", "fused"}}, "fused-without-liger");
    warned({{"metrics", true}}, "metrics-without-logits");
}

TEST_CASE("a model of which only sizes are known has no dry run", "[detailed]") {
    const json response = ask({{"basis", "detailed"}, {"model", {{"parameters", 7000000000}}}});
    CHECK(response["ok"] == false);
    CHECK(find(response["errors"], "path", "model")["code"] == "architecture-needed");
}

TEST_CASE("what the software does beside the lesson is noted where it applies, and only there", "[detailed]") {
    const auto codes = [](const json& response) {
        std::vector<std::string> list;
        for (const json& note : response["notes"]) list.push_back(note["code"]);
        return list;
    };
    using Codes = std::vector<std::string>;
    CHECK(codes(detailed("qwen3-1.7b", "full")) == Codes{"loads-at-32-bit"});
    CHECK(codes(detailed("qwen3-1.7b", "full", {{"weights_dtype", "bf16"}})).empty());
    CHECK(codes(detailed("qwen3-8b", "lora")) == Codes{"chunked-under-adapter", "adapter-at-32-bit"});
    CHECK(codes(detailed("qwen3-8b", "lora", {{"stack", "trl-nll"}})) ==
          Codes{"adapter-at-32-bit", "logits-in-backward"});
    CHECK(codes(detailed("qwen3-8b", "full", {{"stack", "transformers-bf16"}})) ==
          Codes{"logits-in-backward", "multi-tensor-temporary"});
    const json experts = detailed("qwen3-30b-a3b", "qlora");
    CHECK(codes(experts) ==
          Codes{"experts-counted-wide", "adapters-on-experts", "chunked-under-adapter", "adapter-at-16-bit"});
    CHECK(experts["notes"][0]["values"]["base_bytes"].get<std::int64_t>() > 59'000'000'000);
    const json base = detailed("qwen3-8b", "qlora")["notes"][0];
    CHECK(base["code"] == "base-partly-4-bit");
    // 6.1 GB with embeddings, head and norms: traced.
    CHECK(std::abs(base["values"]["base_bytes"].get<double>() / 1e9 - 6.1) < 0.05);
}

TEST_CASE("every mixture of experts under QLoRA carries the caution, not the course's alone", "[detailed]") {
    // Traced: 59.7 GB in all; of Mixtral 90.7 GB stay at 16 bits, beside its quantized attention.
    for (const auto& [model, frozen] : {std::pair("qwen3-30b-a3b", 59.7), std::pair("mixtral-8x7b", 91.2)}) {
        INFO(model);
        const json note = find(ask({{"model", model}, {"method", "qlora"}})["notes"], "code", "experts-not-quantized");
        CHECK(note["caution"] == true);
        CHECK(std::abs(note["values"]["frozen_bytes"].get<double>() / 1e9 - frozen) < 1);
        CHECK(find(ask({{"model", model}, {"method", "lora"}})["notes"], "code", "experts-not-quantized").is_null());
    }
}
