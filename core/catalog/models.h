// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/model/config.h"

namespace memory_budget::catalog {

/// A published model: its configuration as a compact line, with the fields that differ from its class's defaults.
/// Source: the `config.json` of the repository `hub` on the Hugging Face hub.
struct Model {
    std::string_view name;
    std::string_view hub;
    std::string_view config;
};

std::span<const Model> models();

/// The model's key: its name in lower case.
std::string id_of(const Model& model);

/// The model of this key, or nullptr.
const Model* find_model(std::string_view id);

/// Its configuration, for `model::read_architecture`.
model::Config config_of(const Model& model);

}  // namespace memory_budget::catalog
