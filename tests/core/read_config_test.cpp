// SPDX-License-Identifier: MIT
#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

json read(const std::string& text) {
    return json::parse(memory_budget::api::read_config(text));
}

/// Qwen3-30B-A3B.
const json mixture = {{"model_type", "qwen3_moe"}, {"vocab_size", 151936},     {"hidden_size", 2048},
                      {"intermediate_size", 6144}, {"num_hidden_layers", 48},  {"num_attention_heads", 32},
                      {"num_key_value_heads", 4},  {"head_dim", 128},          {"moe_intermediate_size", 768},
                      {"num_experts", 128},        {"num_experts_per_tok", 8}, {"tie_word_embeddings", false}};

}  // namespace

TEST_CASE("a mixture's file gives sizes, inventory and adapters", "[read-config]") {
    const json response = read(mixture.dump());
    REQUIRE(response["ok"] == true);
    const json& model = response["model"];
    CHECK(model["family"] == "qwen3_moe");
    CHECK(model["num_hidden_layers"] == 48);
    CHECK(model["num_key_value_heads"] == 4);
    CHECK(model["num_experts"] == 128);
    CHECK(model["moe_intermediate_size"] == 768);
    CHECK(model["tied_head"] == false);
    CHECK(model["parameters"] == 30532122624);
    CHECK(model["checkpoint_parameters"] == 30532122624);

    std::int64_t sum = 0;
    for (const json& row : response["inventory"]) sum += row["parameters"].get<std::int64_t>();
    CHECK(sum == 30532122624);
    // Fused experts are no linear modules: a 4-bit load leaves them at 16 bits.
    const json experts = find(response["inventory"], "role", "expert");
    CHECK(experts["quantised_parameters"] == 0);
    CHECK(experts["bytes"] == experts["parameters"].get<std::int64_t>() * 2);
    const json attention = find(response["inventory"], "role", "attention");
    CHECK(attention["tensors"] == 192);
    CHECK(attention["quantised_parameters"] == attention["parameters"]);
    CHECK(attention["bytes"].get<double>() / attention["parameters"].get<double>() == Approx(0.516).epsilon(0.01));

    CHECK(response["adapters"].size() == 4);
    // As PEFT counts all-linear (tests/core/data/class_counts.json): the seven names and the routers.
    CHECK(find(response["adapters"], "choice", "fused")["parameters"] == 996507648);
    CHECK(find(response["adapters"], "choice", "dense-equivalent")["library"] == "course");
}

TEST_CASE("the inventory of a run follows its recipe", "[read-config]") {
    json request = {{"model", {{"config", mixture}}}, {"views", {"inventory"}}};
    const auto bytes = [](const json& response, const char* role) {
        return find(response["inventory"]["roles"], "role", role)["bytes"].get<std::int64_t>();
    };
    const json full = ask(request);
    request["method"] = "qlora";
    const json qlora = ask(request);
    request["weights_dtype"] = "fp32";
    const json wide = ask(request);
    CHECK(bytes(full, "attention") == 905969664 * 2);
    // Half a byte, 8-bit scales of 64 and 32-bit ones of 256 of these, and each of 192 matrices' constants.
    CHECK(bytes(qlora, "attention") == 467571456);
    CHECK(bytes(wide, "attention") == bytes(qlora, "attention"));
    CHECK(bytes(qlora, "expert") == bytes(full, "expert"));
    CHECK(bytes(wide, "expert") == 2 * bytes(full, "expert"));
    CHECK_FALSE(ask({{"model", {{"parameters", 1000000}}}, {"views", {"inventory"}}}).contains("inventory"));
}

TEST_CASE("choices of adapters change what is trained, and a dry run says what it does not play", "[read-config]") {
    json request = {{"model", "qwen3-30b-a3b"}, {"method", "lora"}};
    const auto trained = [&request] { return ask(request)["model"]["trainable_parameters"].get<std::int64_t>(); };
    request["expert_adapters"] = "dense-equivalent";
    CHECK(trained() == 32243712);
    request["expert_adapters"] = "left-out";
    const std::int64_t attention = trained();
    CHECK(attention == 13369344);
    request["train_head"] = true;
    CHECK(trained() == attention + 151936 * 2048);
    request["train_head"] = false;
    request["targets"] = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
    request["expert_adapters"] = "fused";
    // PEFT 0.20 on Transformers 5.16.1, the seven names at rank 16.
    CHECK(trained() == 994836480);
    request["model"] = {{"config", mixture}};
    request["targets"] = {"lm_head"};
    CHECK(trained() == 16 * (151936 + 2048));

    request = {{"model", "qwen3-8b"}, {"method", "lora"}, {"dora", true}};
    const std::int64_t dora = trained();
    request["dora"] = false;
    CHECK(dora > trained());
    request["dora"] = true;
    request["basis"] = "detailed";
    CHECK(find(ask(request)["warnings"], "path", "dora")["code"] == "adapter-not-played");
    request["model"] = "qwen3-30b-a3b";
    request["expert_adapters"] = "separate";
    CHECK(find(ask(request)["warnings"], "path", "expert_adapters")["code"] == "experts-as-stack");
    request["expert_adapters"] = "fused";
    request["dora"] = false;
    CHECK(ask(request)["warnings"].empty());
}

TEST_CASE("the compact line of a file gives the same model in a request", "[read-config]") {
    const json response = read(mixture.dump());
    const json asked = ask({{"model", {{"config", response["compact"]}}}});
    REQUIRE(asked["ok"] == true);
    CHECK(asked["model"]["parameters"] == response["model"]["parameters"]);
}

TEST_CASE("a dense model's file has no choice of experts", "[read-config]") {
    json dense = mixture;
    dense["model_type"] = "qwen3";
    const json response = read(dense.dump());
    REQUIRE(response["ok"] == true);
    CHECK(response["adapters"].empty());
    CHECK_FALSE(response["model"].contains("num_experts"));
}

TEST_CASE("a bad file has errors with paths within it, and nothing else", "[read-config]") {
    CHECK(read("")["errors"][0]["code"] == "empty");
    CHECK(read("<html></html>")["errors"][0]["code"] == "html-page");
    CHECK(read("{\"hidden_size\": NaN}")["errors"][0]["code"] == "not-finite");
    CHECK(read(R"({"peft_type": "LORA", "r": 16})")["errors"][0]["code"] == "adapter-config");
    json missing = mixture;
    missing.erase("hidden_size");
    const json response = read(missing.dump());
    CHECK(response["ok"] == false);
    CHECK(response["errors"][0]["path"] == "hidden_size");
    CHECK_FALSE(response.contains("model"));
}
