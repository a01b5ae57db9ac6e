// SPDX-License-Identifier: MIT
#include "core/api/config_json.h"

#include <string>

#include "core/api/json_reader.h"

namespace memory_budget::api {
namespace {

using model::Config;

constexpr std::size_t max_depth = 64;

std::string at_line(std::string_view text, std::size_t position) {
    std::size_t line = 1;
    for (std::size_t i = 0; i < position && i < text.size(); ++i)
        if (text[i] == '\n') ++line;
    return " (line " + std::to_string(line) + ")";
}

void diagnose(std::string_view text, const ReadFailure& failure, model::Issues& errors) {
    using Why = ReadFailure::Why;
    const std::size_t at = failure.position > 0 ? failure.position - 1 : 0;
    const std::string where = at_line(text, at);
    const char stop = at < text.size() ? text[at] : ' ';
    if (failure.why == Why::too_deep)
        errors.push_back({"too-deep", "", "objects and lists are nested too deeply"});
    else if (stop == '/' || stop == '#' || (at > 0 && text[at - 1] == '/'))
        errors.push_back({"comments", "", "JSON has no comments" + where});
    else if (failure.why == Why::not_finite)
        errors.push_back({"not-finite", failure.path, "NaN, Infinity and numbers beyond a double are no JSON" + where});
    else if (failure.why == Why::zero_byte)
        errors.push_back({"not-json", "", "the text holds a zero byte" + where});
    else
        errors.push_back({"not-json", "", "the text stops being JSON" + where});
}

}  // namespace

std::optional<Config> parse_config(std::string_view text, model::Issues& errors) {
    if (text.size() > max_config_bytes) {
        errors.push_back({"too-large", "", "a configuration is no longer than 20 MB"});
        return std::nullopt;
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        errors.push_back({"empty", "", "the text is empty"});
        return std::nullopt;
    }
    if (text[first] == '<') {
        errors.push_back({"html-page", "", "this is a web page, not JSON"});
        return std::nullopt;
    }
    ReadFailure failure;
    std::optional<Config> config = read_json(text, max_depth, failure);
    if (!config) diagnose(text, failure, errors);
    return config;
}

}  // namespace memory_budget::api
