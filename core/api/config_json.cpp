// SPDX-License-Identifier: MIT
#include "core/api/config_json.h"

#include <string>
#include <utility>
#include <vector>

namespace memory_budget::api {
namespace {

using Json = nlohmann::json;
using model::Config;

constexpr std::size_t max_depth = 64;
/// Values beyond this many are read and not kept, but for those of the outermost object: whole vocabularies come in
/// tokenizers' files, and no configuration is as long.
constexpr std::size_t max_values = 100'000;
/// Longer strings are templates for chats, which nobody reads here.
constexpr std::size_t max_text = 256;

/// Builds the tree while the text is read, and remembers where reading stopped.
class Builder : public nlohmann::json_sax<Json> {
  public:
    bool null() override { return put({}); }
    bool boolean(bool value) override { return put(Config::boolean(value)); }
    bool number_integer(number_integer_t value) override { return put(Config::number(static_cast<double>(value))); }
    bool number_unsigned(number_unsigned_t value) override { return put(Config::number(static_cast<double>(value))); }
    bool number_float(number_float_t value, const string_t&) override { return put(Config::number(value)); }
    bool string(string_t& value) override { return put(Config::string(std::string_view(value).substr(0, max_text))); }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return open(Config::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Config::list()); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        open_.back().key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        constexpr int number_overflow = 406;
        position_ = position;
        overflow_ = error.id == number_overflow;
        return false;
    }

    Config take() { return std::move(root_); }
    std::size_t position() const { return position_; }
    bool overflow() const { return overflow_; }
    bool too_deep() const { return too_deep_; }

  private:
    struct Open {
        Config value;
        std::string key;
    };

    bool put(Config value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.size() == 1 || values_ < max_values) {
            ++values_;
            Open& parent = open_.back();
            if (parent.value.is_list())
                parent.value.push(std::move(value));
            else
                parent.value.append(std::move(parent.key), std::move(value));
        }
        return true;
    }

    bool open(Config value) {
        too_deep_ = open_.size() >= max_depth;
        if (!too_deep_) open_.push_back({std::move(value), {}});
        return !too_deep_;
    }

    bool close() {
        Config value = std::move(open_.back().value);
        open_.pop_back();
        return put(std::move(value));
    }

    Config root_;
    std::vector<Open> open_;
    std::size_t values_ = 0;
    std::size_t position_ = 0;
    bool overflow_ = false;
    bool too_deep_ = false;
};

std::string at_line(std::string_view text, std::size_t position) {
    std::size_t line = 1;
    for (std::size_t i = 0; i < position && i < text.size(); ++i)
        if (text[i] == '\n') ++line;
    return " (line " + std::to_string(line) + ")";
}

/// Whether one of the words that JavaScript and Python write for what is no number ends here or begins here.
bool at_non_number(std::string_view text, std::size_t position) {
    const std::size_t from = position > 9 ? position - 9 : 0;
    const std::string_view around = text.substr(from, position - from + 9);
    return around.find("NaN") != std::string_view::npos || around.find("Infinity") != std::string_view::npos;
}

void diagnose(std::string_view text, const Builder& builder, model::Issues& errors) {
    const std::size_t after = builder.position() < text.size() ? builder.position() : text.size();
    const std::size_t at = after > 0 ? after - 1 : 0;
    const std::string where = at_line(text, at);
    const char stop = at < text.size() ? text[at] : ' ';
    if (builder.too_deep())
        errors.push_back({"too-deep", "", "objects and lists are nested too deeply"});
    else if (builder.overflow())
        errors.push_back({"not-finite", "", "a number is beyond what a double holds" + where});
    else if (stop == '/' || stop == '#' || (at > 0 && text[at - 1] == '/'))
        errors.push_back({"comments", "", "JSON has no comments" + where});
    else if (at_non_number(text, at))
        errors.push_back({"not-finite", "", "NaN and Infinity are no JSON" + where});
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
    Builder builder;
    // The library takes a zero byte for the end of the text.
    const std::size_t zero = text.find('\0');
    if (zero == std::string_view::npos && Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
    if (zero != std::string_view::npos)
        errors.push_back({"not-json", "", "the text holds a zero byte" + at_line(text, zero)});
    else
        diagnose(text, builder, errors);
    return std::nullopt;
}

Config to_config(const Json& json) {
    if (json.is_boolean()) return Config::boolean(json.get<bool>());
    if (json.is_number()) return Config::number(json.get<double>());
    if (json.is_string()) return Config::string(json.get_ref<const std::string&>());
    if (json.is_array()) {
        Config list = Config::list();
        for (const Json& item : json) list.push(to_config(item));
        return list;
    }
    if (!json.is_object()) return {};
    Config object = Config::object();
    for (const auto& [key, value] : json.items()) object.append(key, to_config(value));
    return object;
}

}  // namespace memory_budget::api
