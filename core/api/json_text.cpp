// SPDX-License-Identifier: MIT
#include "core/api/json_text.h"

#include <string>

namespace memory_budget::api {
namespace {

/// The deepest nesting of brackets outside strings. A cheap pass over the text: building what is refused would
/// take a hundred times its memory.
int depth(std::string_view text) {
    int now = 0;
    int most = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++now > most) most = now;
        } else if (c == ']' || c == '}') {
            --now;
        }
    }
    return most;
}

/// Says where and why the text stops being JSON. Only run on text that did not parse.
class Diagnosis : public nlohmann::json_sax<Json> {
  public:
    Diagnosis(std::string_view text, recipe::Issues& issues) : text_(text), issues_(issues) {}

    bool null() override { return step(); }
    bool boolean(bool) override { return step(); }
    bool number_integer(number_integer_t) override { return step(); }
    bool number_unsigned(number_unsigned_t) override { return step(); }
    bool number_float(number_float_t, const string_t&) override { return step(); }
    bool string(string_t&) override { return step(); }
    bool binary(binary_t&) override { return step(); }
    bool start_object(std::size_t) override {
        path_.emplace_back();
        return true;
    }
    bool end_object() override { return pop(); }
    bool start_array(std::size_t) override {
        path_.emplace_back("[]");
        return true;
    }
    bool end_array() override { return pop(); }
    bool key(string_t& name) override {
        path_.back() = name;
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        constexpr int number_overflow = 406;
        if (error.id == number_overflow) {
            issues_.error("not-finite", where(), "the number " + token + " is beyond what a double holds");
        } else if (const char at = position > 0 && position <= text_.size() ? text_[position - 1] : ' ';
                   at == 'N' || at == 'I') {
            issues_.error("not-finite", where(),
                          "NaN and Infinity are no JSON (near byte " + std::to_string(position) + ")");
        } else {
            issues_.error("not-json", where(), "the text stops being JSON near byte " + std::to_string(position));
        }
        return false;
    }

  private:
    bool step() { return true; }
    bool pop() {
        path_.pop_back();
        return true;
    }
    std::string where() const {
        std::string path;
        for (const std::string& part : path_) {
            if (part == "[]" || part.empty()) continue;
            if (!path.empty()) path += '.';
            path += part;
        }
        return path;
    }

    std::string_view text_;
    recipe::Issues& issues_;
    std::vector<std::string> path_;
};

}  // namespace

std::optional<Json> parse(std::string_view text, recipe::Issues& issues) {
    if (text.size() > max_request_bytes) {
        issues.error("too-large", "", "the request is longer than 1 MiB", {true, 0, double{max_request_bytes}, {}, {}});
        return std::nullopt;
    }
    if (depth(text) > max_depth) {
        issues.error("too-deep", "", "objects and lists are nested too deeply", {true, 0, double{max_depth}, {}, {}});
        return std::nullopt;
    }
    // The library takes a zero byte for the end of the text.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        issues.error("not-json", "", "the text holds a zero byte at " + std::to_string(zero));
        return std::nullopt;
    }
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!json.is_discarded()) return json;
    Diagnosis diagnosis(text, issues);
    Json::sax_parse(text.begin(), text.end(), &diagnosis);
    return std::nullopt;
}

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace memory_budget::api
