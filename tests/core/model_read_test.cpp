// SPDX-License-Identifier: MIT
#include "core/model/read.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget::model;
using nlohmann::json;

namespace {

std::vector<std::string> error_codes(const json& config) {
    return codes(read(config).errors);
}
std::int64_t parameters(const json& config) {
    return inventory(architecture(config)).parameters(View::network);
}

}  // namespace

TEST_CASE("missing sizes are named, all at once", "[read]") {
    const Read result = read({{"model_type", "llama"}, {"hidden_size", 64}, {"vocab_size", 100}});
    CHECK_FALSE(result.architecture);
    std::vector<std::string> paths;
    for (const Issue& e : result.errors) {
        CHECK(e.code == "missing-key");
        paths.push_back(e.path);
    }
    CHECK(paths == std::vector<std::string>{"num_attention_heads", "intermediate_size", "num_hidden_layers"});
}

TEST_CASE("a path leads into the text configuration", "[read]") {
    json config = hub_config("google/gemma-3-4b-it");
    config["text_config"].erase("hidden_size");
    config["text_config"]["num_hidden_layers"] = "34";
    const Read result = read(config);
    REQUIRE(result.errors.size() == 2);
    CHECK(result.errors[0].path == "text_config.hidden_size");
    CHECK(result.errors[1].path == "text_config.num_hidden_layers");
    CHECK(result.errors[1].code == "wrong-type");
}

TEST_CASE("bad sizes", "[read]") {
    const auto with = [](const char* key, const json& value) {
        json config = small_llama();
        config[key] = value;
        return config;
    };
    CHECK(error_codes(with("hidden_size", 0)) == std::vector<std::string>{"out-of-range"});
    CHECK(error_codes(with("hidden_size", -64)) == std::vector<std::string>{"out-of-range"});
    CHECK(error_codes(with("hidden_size", 64.5)) == std::vector<std::string>{"not-integer"});
    CHECK(error_codes(with("hidden_size", 1e300)) == std::vector<std::string>{"out-of-range"});
    CHECK(error_codes(with("hidden_size", "64")) == std::vector<std::string>{"wrong-type"});
    CHECK(error_codes(with("hidden_size", json::array())) == std::vector<std::string>{"wrong-type"});
    CHECK(error_codes(with("num_key_value_heads", 3)) == std::vector<std::string>{"heads-do-not-divide"});
    CHECK(error_codes(with("num_attention_heads", 128)).front() == "heads-do-not-divide");
    CHECK(error_codes(with("num_hidden_layers", 1'000'000)) == std::vector<std::string>{"out-of-range"});
    CHECK(error_codes(with("vocab_size", 1 << 30)).empty());
    json huge = with("vocab_size", 1 << 30);
    huge["hidden_size"] = 1 << 30;
    CHECK(error_codes(huge) == std::vector<std::string>{"too-many-parameters"});
    json types = small_llama();
    types["model_type"] = "qwen2";
    types["layer_types"] = {"full_attention"};
    CHECK(error_codes(types) == std::vector<std::string>{"list-too-short"});
    types["layer_types"] = {"full_attention", "fu ll_attention"};
    CHECK(error_codes(types) == std::vector<std::string>{"not-a-choice"});
}

TEST_CASE("an absent key has the class's default, null is as Transformers reads it", "[read]") {
    json config = small_llama();
    const std::int64_t untied = parameters(config);
    config["tie_word_embeddings"] = true;
    CHECK(parameters(config) == untied - 100 * 64);

    // Llama: as many key and value heads as heads, where the key is absent or null.
    config = small_llama();
    config.erase("num_key_value_heads");
    CHECK(architecture(config).blocks[0].attention.kv_heads == 4);
    config["num_key_value_heads"] = nullptr;
    CHECK(architecture(config).blocks[0].attention.kv_heads == 4);

    // Gemma ties and has heads of 256 unless told otherwise.
    json gemma = small_llama();
    gemma["model_type"] = "gemma";
    const Architecture a = architecture(gemma);
    CHECK(a.tied_head);
    CHECK(a.blocks[0].attention.head_dim == 256);

    // Mistral has a window by default, and none where the key is null.
    json mistral = small_llama();
    mistral["model_type"] = "mistral";
    CHECK(architecture(mistral).window == 4096);
    mistral["sliding_window"] = nullptr;
    CHECK(architecture(mistral).window == 0);
}

TEST_CASE("an unknown family with the usual keys is a general decoder, and a warning says so", "[read]") {
    json config = small_llama();
    const std::int64_t llama = parameters(config);
    config["model_type"] = "something-new";
    const Read result = read(config);
    REQUIRE(result.architecture);
    CHECK(codes(result.warnings) == std::vector<std::string>{"general-decoder"});
    CHECK(inventory(*result.architecture).parameters(View::network) == llama);
    CHECK_FALSE(result.architecture->steps_known);

    config["num_experts"] = 8;
    config["moe_intermediate_size"] = 32;
    CHECK(parameters(config) == llama + 2 * (8 * 64 + 8 * 3 * 64 * 32 - 3 * 64 * 96));

    config = small_llama();
    config.erase("model_type");
    CHECK(codes(read(config).warnings) == std::vector<std::string>{"general-decoder"});
}

TEST_CASE("an unknown family without them names the missing keys", "[read]") {
    const Read result = read({{"model_type", "something-new"}, {"hidden_size", 64}});
    CHECK_FALSE(result.architecture);
    CHECK(result.errors.back().code == "unknown-model-type");
    std::vector<std::string> missing;
    for (const Issue& e : result.errors)
        if (e.code == "missing-key") missing.push_back(e.path);
    CHECK(missing ==
          std::vector<std::string>{"vocab_size", "num_attention_heads", "intermediate_size", "num_hidden_layers"});
}

TEST_CASE("an unknown whole with a known text model counts the text model", "[read]") {
    json text = small_llama();
    const Read result = read({{"model_type", "new-vision"}, {"text_config", text}});
    REQUIRE(result.architecture);
    CHECK(codes(result.warnings) == std::vector<std::string>{"towers-left-out"});
    CHECK(inventory(*result.architecture).parameters(View::network) == parameters(text));
}

TEST_CASE("other files are told apart", "[read]") {
    const auto first = [](const json& config) { return error_codes(config); };
    using Codes = std::vector<std::string>;
    CHECK(first(json::array()) == Codes{"not-an-object"});
    CHECK(first(3) == Codes{"not-an-object"});
    CHECK(first({{"peft_type", "LORA"}, {"r", 16}, {"base_model_name_or_path", "x"}}) == Codes{"adapter-config"});
    CHECK(first({{"tokenizer_class", "LlamaTokenizer"}, {"model_max_length", 4096}}) == Codes{"tokenizer-config"});
    CHECK(first({{"version", "1.0"}, {"added_tokens", json::array()}, {"model", json::object()}}) ==
          Codes{"tokenizer-config"});
    CHECK(first({{"model_type", "vit"}, {"hidden_size", 768}, {"image_size", 224}, {"patch_size", 16}}) ==
          Codes{"image-config"});
    CHECK(first({{"_class_name", "UNet2DConditionModel"}, {"block_out_channels", {1, 2}}}) == Codes{"image-config"});
    CHECK(first({{"image_processor_type", "X"}, {"image_mean", {0.5}}}) == Codes{"image-config"});
    CHECK(first({{"do_sample", true}, {"temperature", 0.6}, {"eos_token_id", 2}}) == Codes{"generation-config"});
    CHECK(first(json::object()).back() == "unknown-model-type");
}

TEST_CASE("what the configuration leaves out of a checkpoint is said", "[read]") {
    CHECK(codes(read(hub_config("google/gemma-3n-E4B-it")).warnings) ==
          std::vector<std::string>{"towers-not-described"});
    CHECK(codes(read(hub_config("mistralai/Mistral-Small-3.2-24B-Instruct-2506")).warnings) ==
          std::vector<std::string>{"head-kept-apart"});
    CHECK(read(hub_config("google/gemma-4-26B-A4B")).warnings.empty());
}

TEST_CASE("older names of families and keys", "[read]") {
    CHECK(parameters({{"model_type", "RefinedWebModel"},
                      {"hidden_size", 4544},
                      {"n_layer", 32},
                      {"n_head", 71},
                      {"multi_query", true},
                      {"parallel_attn", true},
                      {"vocab_size", 65024}}) == 6'921'720'704);
}
