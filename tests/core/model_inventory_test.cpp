// SPDX-License-Identifier: MIT
#include "core/model/inventory.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget::model;
using nlohmann::json;

TEST_CASE("every published model is counted exactly", "[model]") {
    const json models = model_data("models.json");
    REQUIRE(models.size() == 124);
    for (const json& m : models) {
        INFO(m["id"] << ": " << m["source"]);
        const Read result = read(m["config"]);
        REQUIRE(result.errors.empty());
        const Inventory all = inventory(*result.architecture);
        CHECK(all.parameters(View::checkpoint) == m["exact_params"].get<std::int64_t>());
        CHECK(all.parameters(View::network) == m["class_params"].get<std::int64_t>());
        if (m.contains("active_params"))
            CHECK(all.active_parameters(View::checkpoint) == m["active_params"].get<std::int64_t>());
        CHECK(all.parameters(View::checkpoint, Part::mtp) == m.value("mtp_params", std::int64_t{0}));
    }
}

TEST_CASE("parameters of the classes of Transformers 5.16.1, whole and cut to a few blocks", "[model]") {
    for (const json& row : model_data("class_counts.json")) {
        json config = row.contains("config") ? row["config"] : hub_config(row["model"]);
        if (config.contains("text_config")) {
            json text = config["text_config"];
            if (config.contains("tie_word_embeddings")) text["tie_word_embeddings"] = config["tie_word_embeddings"];
            config = text;
        }
        if (row.contains("layers")) {
            json& layers = config[config.contains("n_layer") ? "n_layer" : "num_hidden_layers"];
            if (layers > row["layers"]) layers = row["layers"];
        }
        INFO(row);
        const Architecture a = architecture(config);
        const Inventory all = inventory(a);
        std::int64_t trained = all.parameters(View::network);
        std::int64_t total = trained;
        if (row.contains("rank")) {
            AdapterPlan plan;
            plan.rank = row["rank"];
            std::vector<std::string> names;
            if (row["targets"].is_array()) {
                plan.targets = TargetSet::names;
                names = row["targets"].get<std::vector<std::string>>();
                plan.names.assign(names.begin(), names.end());
            }
            trained = count_adapter(a, all, plan).parameters;
            total += trained;
        }
        CHECK(total == row["parameters"].get<std::int64_t>());
        CHECK(trained == row["trainable"].get<std::int64_t>());
    }
}

TEST_CASE("a tensor says its name, role and what becomes of it", "[model]") {
    const Architecture a = architecture(hub_config("Qwen/Qwen3-30B-A3B"));
    const Inventory all = inventory(a);
    const auto find = [&](std::string_view end) {
        for (const Tensor& t : all.tensors)
            if (std::string_view(t.name).ends_with(end)) return t;
        return Tensor{};
    };
    const Tensor q = find("self_attn.q_proj");
    CHECK(q.name == "model.layers.*.self_attn.q_proj");
    CHECK(q.leaf() == "q_proj");
    CHECK(q.role == Role::attention);
    CHECK(q.rows == 4096);
    CHECK(q.columns == 2048);
    CHECK(q.copies == 48);
    CHECK(q.quantised());
    CHECK(q.adaptable());

    const Tensor experts = find("mlp.experts.gate_up_proj");
    CHECK(experts.role == Role::expert);
    CHECK(experts.stack == 128);
    CHECK(experts.used == 8);
    CHECK(experts.rows == 2 * 768);
    CHECK_FALSE(experts.quantised());
    CHECK_FALSE(experts.adaptable());

    CHECK(find("lm_head").role == Role::head);
    CHECK_FALSE(find("lm_head").quantised());
    CHECK_FALSE(find("embed_tokens").quantised());
    CHECK(find("mlp.gate.weight").role == Role::router);

    const Tensor norm = find("input_layernorm");
    CHECK(norm.small_elements() == 2048 * 48);
    CHECK(q.small_elements() == 0);
}

TEST_CASE("biases are tensors of their own for an 8-bit optimizer", "[model]") {
    const Inventory all = inventory(architecture(hub_config("Qwen/Qwen2.5-0.5B")));
    for (const Tensor& t : all.tensors)
        if (t.leaf() == "q_proj") CHECK(t.small_elements() == 896 * 24);
}

TEST_CASE("classes that derive from the linear one stay as they are in a 4-bit load", "[model]") {
    CHECK(inventory(architecture(hub_config("tiiuae/falcon-7b"))).quantised_elements(View::network) == 0);
    CHECK(inventory(architecture(hub_config("openai-community/gpt2"))).quantised_elements(View::network) ==
          12 * 12 * 768 * 768);
}

TEST_CASE("equal blocks are listed once, and each layer points to its kind", "[model]") {
    const Architecture gemma = architecture(hub_config("google/gemma-3-1b-it"));
    REQUIRE(gemma.layers.size() == 26);
    REQUIRE(gemma.blocks.size() == 2);
    for (std::size_t l = 0; l < gemma.layers.size(); ++l) {
        const Attention& t = gemma.blocks[gemma.layers[l]].attention;
        CHECK(t.window == ((l + 1) % 6 == 0 ? 0 : 512));
        CHECK(t.rotary_table == ((l + 1) % 6 == 0 ? 0 : 1));
    }
    CHECK(architecture(hub_config("HuggingFaceTB/SmolLM3-3B")).blocks.size() == 2);
    CHECK(architecture(hub_config("deepseek-ai/DeepSeek-V3")).blocks.size() == 2);
    CHECK(architecture(hub_config("meta-llama/Llama-3.1-8B")).blocks.size() == 1);
}
