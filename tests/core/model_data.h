// SPDX-License-Identifier: MIT
// Configurations and published counts that the model tests share.
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/api/config_json.h"
#include "core/model/adapter.h"
#include "core/model/inventory.h"
#include "core/model/read.h"

/// One file of tests/core/data.
inline nlohmann::json model_data(const std::string& file) {
    std::ifstream in(std::string(MEMORY_BUDGET_TEST_DATA) + "/" + file);
    return nlohmann::json::parse(in);
}

/// Configuration of a model of models.json by its hub name.
inline const nlohmann::json& hub_config(const std::string& hub) {
    static const std::map<std::string, nlohmann::json> all = [] {
        std::map<std::string, nlohmann::json> by_name;
        for (const auto& m : model_data("models.json")) by_name[m["id"]] = m["config"];
        return by_name;
    }();
    return all.at(hub);
}

/// The same tree as the engine reads from the text of a file.
inline memory_budget::model::Config to_config(const nlohmann::json& json) {
    memory_budget::model::Issues errors;
    return memory_budget::api::parse_config(json.dump(), errors).value_or(memory_budget::model::Config{});
}

inline memory_budget::model::Read read(const nlohmann::json& config) {
    return memory_budget::model::read_architecture(to_config(config));
}

/// The architecture of a configuration that has no errors.
inline memory_budget::model::Architecture architecture(const nlohmann::json& config) {
    const auto result = read(config);
    return result.architecture.value_or(memory_budget::model::Architecture{});
}

/// A small Llama, to be changed by a test.
inline nlohmann::json small_llama() {
    return {{"model_type", "llama"},    {"hidden_size", 64},       {"num_hidden_layers", 2},  {"vocab_size", 100},
            {"num_attention_heads", 4}, {"intermediate_size", 96}, {"num_key_value_heads", 2}};
}

/// Codes of issues, in their order.
inline std::vector<std::string> codes(const memory_budget::model::Issues& issues) {
    std::vector<std::string> all;
    for (const auto& issue : issues) all.emplace_back(issue.code);
    return all;
}
