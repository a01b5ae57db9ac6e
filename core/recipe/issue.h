// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memory_budget::recipe {

/// What would have been accepted in place of a bad value. At most one part is filled.
struct Allowed {
    bool has_range = false;
    double min = 0;
    double max = 0;
    std::vector<std::string_view> choices;
    std::string_view type;
};

/// An error or a warning: a value, never thrown. `code` is stable and documented, `path` is the key that it is
/// about (`batch`, `model.hidden_size`; empty for the request as a whole), `message` is English for developers.
struct Issue {
    std::string_view code;
    std::string path;
    std::string message;
    Allowed allowed = {};
};

/// All that is wrong with a request, found in one pass.
struct Issues {
    std::vector<Issue> errors;
    std::vector<Issue> warnings;

    void error(std::string_view code, std::string path, std::string message, Allowed allowed = {}) {
        errors.push_back({code, std::move(path), std::move(message), std::move(allowed)});
    }
    void warn(std::string_view code, std::string path, std::string message, Allowed allowed = {}) {
        warnings.push_back({code, std::move(path), std::move(message), std::move(allowed)});
    }
};

}  // namespace memory_budget::recipe
