// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "core/model/config.h"
#include "core/model/issue.h"

namespace memory_budget::api {

/// A file longer than this is refused before it is read.
inline constexpr std::size_t max_config_bytes = 20'000'000;

/// The text of a `config.json` as a tree of values. A byte-order mark is skipped. On failure the one error has a code
/// of its own for each way in which such files go wrong, and the line in its message: `too-large`, `empty`,
/// `html-page`, `not-finite` (bare NaN or Infinity, a number beyond a double), `comments`, `too-deep`, `not-json`.
std::optional<model::Config> parse_config(std::string_view text, model::Issues& errors);

}  // namespace memory_budget::api
