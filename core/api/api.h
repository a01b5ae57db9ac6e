// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace memory_budget::api {

/// One request to one response, both JSON text: a pure function. Bad input gives `ok: false` with every error that
/// was found, each with `code`, `path`, `message` and what is `allowed`; nothing is thrown.
std::string calculate(std::string_view request);

/// The raw text of a `config.json` to what was read from it, as JSON text: `model` (its sizes and counts), `inventory`
/// (tensors, parameters and bytes by part and role, what only the checkpoint holds left out), `adapters` (of a mixture
/// of experts: each way to adapt it at the default rank) and `compact` (the line that a request takes in its place).
/// Errors are those of `parse_config` and `model::read_architecture`, with paths within the file.
std::string read_config(std::string_view text);

/// What can be asked: the parameter table, models, tiers, named recipes and the course's presets, as JSON text.
std::string catalog();

/// The version of the engine, such as `0.1.0`.
std::string version();

}  // namespace memory_budget::api
