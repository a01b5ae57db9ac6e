// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/api.h"

/// A request as JSON, its response as JSON.
inline nlohmann::json ask(const nlohmann::json& request) {
    return nlohmann::json::parse(memory_budget::api::calculate(request.dump()));
}

inline nlohmann::json ask_text(const std::string& request) {
    return nlohmann::json::parse(memory_budget::api::calculate(request));
}

/// The element of a list whose `key` is `value`; null where there is none.
inline nlohmann::json find(const nlohmann::json& list, const std::string& key, const std::string& value) {
    for (const auto& element : list)
        if (element.value(key, std::string()) == value) return element;
    return nullptr;
}
