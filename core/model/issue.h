// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memory_budget::model {

/// What is wrong with (or assumed about) a configuration: `code` is stable, `path` the key in the configuration
/// (`text_config.hidden_size`; empty for the whole), `message` English for developers.
struct Issue {
    std::string_view code;
    std::string path;
    std::string message;
};

using Issues = std::vector<Issue>;

}  // namespace memory_budget::model
