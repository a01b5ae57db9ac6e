// SPDX-License-Identifier: MIT
#include "core/model/adapter.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget::model;
using nlohmann::json;

namespace {

const std::vector<std::string_view> seven = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                             "gate_proj", "up_proj", "down_proj"};

AdapterCount count(const std::string& hub, const AdapterPlan& plan) {
    const Architecture a = architecture(hub_config(hub));
    return count_adapter(a, inventory(a), plan);
}

AdapterPlan named(std::int64_t rank, const std::vector<std::string_view>& names) {
    AdapterPlan plan;
    plan.rank = rank;
    plan.targets = TargetSet::names;
    plan.names = names;
    return plan;
}

}  // namespace

TEST_CASE("published adapters are counted exactly", "[adapter]") {
    const json rows = model_data("adapters.json");
    REQUIRE(rows.size() >= 46);
    for (const json& row : rows) {
        INFO(row);
        const auto names = row["targets"].get<std::vector<std::string>>();
        AdapterPlan plan = named(row["rank"], {names.begin(), names.end()});
        // Some were made before layers that share keys lost their weights.
        plan.view = View::checkpoint;
        CHECK(count(row["model"], plan).parameters == row["trainable"].get<std::int64_t>());
    }
}

TEST_CASE("a mixture of experts under each library", "[adapter]") {
    const std::string qwen = "Qwen/Qwen3-30B-A3B";
    AdapterPlan plan = named(16, seven);

    AdapterCount fused = count(qwen, plan);
    CHECK(fused.parameters == 994'836'480);
    CHECK(fused.library == "peft-parameters");

    plan.experts = ExpertAdapters::left_out;
    CHECK(count(qwen, plan).parameters == 13'369'344);
    CHECK(count(qwen, plan).library == "peft-modules");

    plan.experts = ExpertAdapters::dense_equivalent;
    CHECK(count(qwen, plan).parameters == 32'243'712);
    CHECK(count(qwen, plan).library == "course");

    plan.experts = ExpertAdapters::separate;
    CHECK(count(qwen, plan).parameters == 843'841'536);
    CHECK(count(qwen, plan).library == "transformers-4");

    // All linear modules of PEFT 0.20 take the router's weight too.
    AdapterPlan all;
    CHECK(count(qwen, all).parameters - fused.parameters == 48 * 16 * (2048 + 128));
}

TEST_CASE("where PEFT knows no names of parts, experts get no adapter and a warning says so", "[adapter]") {
    for (const char* hub : {"Qwen/Qwen1.5-MoE-A2.7B", "openai/gpt-oss-20b"}) {
        INFO(hub);
        const AdapterCount c = count(hub, named(16, seven));
        CHECK(c.expert_parameters == 0);
        CHECK(codes(c.warnings).front() == "experts-not-found");
    }
    // Mixtral's parts are called otherwise: the usual names find its attention alone.
    CHECK(count("mistralai/Mixtral-8x7B-v0.1", named(16, seven)).parameters == 13'631'488);
    CHECK(count("mistralai/Mixtral-8x7B-v0.1", named(16, {"w1", "w2", "w3"})).expert_parameters > 300'000'000);
}

TEST_CASE("gate without up is refused where both are one parameter", "[adapter]") {
    const AdapterCount c = count("Qwen/Qwen3-30B-A3B", named(16, {"q_proj", "gate_proj"}));
    CHECK(codes(c.errors) == std::vector<std::string>{"fused-targets-apart"});
    CHECK(count("Qwen/Qwen3-30B-A3B", named(16, {"down_proj"})).errors.empty());
}

TEST_CASE("sets of targets", "[adapter]") {
    const std::string llama = "meta-llama/Llama-3.2-1B";
    const auto of = [&](TargetSet set) {
        AdapterPlan plan;
        plan.targets = set;
        return count(llama, plan).parameters;
    };
    CHECK(of(TargetSet::all_linear) == 11'272'192);
    CHECK(of(TargetSet::attention) == 3'407'872);
    CHECK(of(TargetSet::query_value) == 1'703'936);
    CHECK(of(TargetSet::mlp) == 7'864'320);
    AdapterPlan joined;
    joined.targets = TargetSet::query_value;
    CHECK(count("openai-community/gpt2", joined).modules == 12);
}

TEST_CASE("a magnitude vector has one number for each output feature", "[adapter]") {
    AdapterPlan plan = named(8, seven);
    plan.dora = true;
    // huggingface/peft, examples/dora_finetuning/QDoRA_finetuning.ipynb
    CHECK(count("meta-llama/Meta-Llama-3-8B", plan).parameters == 22'347'776);
}

TEST_CASE("adapters on embedding and head, and trained copies beside them", "[adapter]") {
    // huggingface/peft, peft_lora_clm_with_additional_tokens.ipynb: Mistral 7B with 27 tokens more
    json config = hub_config("mistralai/Mistral-7B-v0.1");
    config["vocab_size"] = 32027;
    const Architecture a = architecture(config);
    CHECK(count_adapter(a, inventory(a), named(64, {"embed_tokens", "lm_head", "q_proj", "v_proj"})).parameters ==
          31'886'720);

    AdapterPlan plan = named(16, {"q_proj"});
    const std::int64_t alone = count("Qwen/Qwen3-0.6B", plan).parameters;
    plan.train_head = plan.train_embedding = true;
    const AdapterCount both = count("Qwen/Qwen3-0.6B", plan);
    CHECK(both.beside_parameters == 2 * 151936 * 1024);
    CHECK(both.parameters == alone + both.beside_parameters);
}

TEST_CASE("names that find nothing", "[adapter]") {
    const AdapterCount some = count("openai-community/gpt2", named(16, {"c_attn", "q_proj"}));
    CHECK(codes(some.warnings) == std::vector<std::string>{"name-not-found"});
    CHECK(some.errors.empty());
    CHECK(codes(count("openai-community/gpt2", named(16, {"q_proj"})).errors) ==
          std::vector<std::string>{"no-module-found"});
}

TEST_CASE("Gemma 4 has no value projection where keys are values", "[adapter]") {
    // Counted in a published run: 184 modules, 10,665,984 parameters.
    const AdapterCount c = count("google/gemma-4-12B-it", named(8, {"q_proj", "k_proj", "v_proj", "o_proj"}));
    CHECK(c.modules == 184);
    CHECK(c.parameters == 10'665'984);
}
