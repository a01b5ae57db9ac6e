// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace memory_budget::api {

/// One request to one response, both JSON text: a pure function. Bad input gives `ok: false` with every error that
/// was found, each with `code`, `path`, `message` and what is `allowed`; nothing is thrown.
std::string calculate(std::string_view request);

/// What can be asked: the parameter table, models, tiers, named recipes and the course's presets, as JSON text.
std::string catalog();

/// The version of the engine, such as `0.1.0`.
std::string version();

}  // namespace memory_budget::api
