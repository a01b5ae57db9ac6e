// SPDX-License-Identifier: MIT
#include "core/api/request_text.h"

#include <string>

#include "core/api/json_reader.h"

namespace memory_budget::api {

std::optional<model::Config> parse_request(std::string_view text, recipe::Issues& issues) {
    if (text.size() > max_request_bytes) {
        issues.error("too-large", "", "the request is longer than 1 MiB", {true, 0, double{max_request_bytes}, {}, {}});
        return std::nullopt;
    }
    ReadFailure failure;
    std::optional<model::Config> tree = read_json(text, max_request_depth, failure);
    if (tree) return tree;
    const std::string near = " (near byte " + std::to_string(failure.position) + ")";
    switch (failure.why) {
        case ReadFailure::Why::too_deep:
            issues.error("too-deep", failure.path, "objects and lists are nested too deeply",
                         {true, 0, double{max_request_depth}, {}, {}});
            break;
        case ReadFailure::Why::not_finite:
            issues.error("not-finite", failure.path, "NaN, Infinity and numbers beyond a double are no JSON" + near);
            break;
        case ReadFailure::Why::zero_byte:
        case ReadFailure::Why::no_json:
        case ReadFailure::Why::none:
            issues.error("not-json", failure.path, "the text stops being JSON" + near);
            break;
    }
    return std::nullopt;
}

}  // namespace memory_budget::api
