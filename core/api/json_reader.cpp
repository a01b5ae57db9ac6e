// SPDX-License-Identifier: MIT
#include "core/api/json_reader.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace memory_budget::api {
namespace {

using Json = nlohmann::json;
using model::Config;

/// Values beyond this many are read and not kept, but for those of the outermost object: whole vocabularies come in
/// tokenizers' files, and no configuration is as long.
constexpr std::size_t max_values = 100'000;
/// Longer strings are templates for chats, which nobody reads here; the compact line of a long model is shorter.
constexpr std::size_t max_text = 32'768;

/// Builds the tree while the text is read, and remembers where reading stopped.
class Builder : public nlohmann::json_sax<Json> {
  public:
    explicit Builder(std::size_t max_depth) : max_depth_(max_depth) {}

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
    /// Keys down to the value that was being read.
    std::string path() const {
        std::string path;
        for (const Open& each : open_) {
            if (each.key.empty()) continue;
            if (!path.empty()) path += '.';
            path += each.key;
        }
        return path;
    }

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
        too_deep_ = open_.size() >= max_depth_;
        if (!too_deep_) open_.push_back({std::move(value), {}});
        return !too_deep_;
    }

    bool close() {
        Config value = std::move(open_.back().value);
        open_.pop_back();
        return put(std::move(value));
    }

    std::size_t max_depth_;
    Config root_;
    std::vector<Open> open_;
    std::size_t values_ = 0;
    std::size_t position_ = 0;
    bool overflow_ = false;
    bool too_deep_ = false;
};

/// Whether one of the words that JavaScript and Python write for what is no number begins or ends here.
bool at_non_number(std::string_view text, std::size_t position) {
    const std::size_t from = position > 9 ? position - 9 : 0;
    const std::string_view around = text.substr(from, position - from + 9);
    return around.find("NaN") != std::string_view::npos || around.find("Infinity") != std::string_view::npos;
}

}  // namespace

std::optional<Config> read_json(std::string_view text, std::size_t max_depth, ReadFailure& failure) {
    // The library takes a zero byte for the end of the text.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        failure = {ReadFailure::Why::zero_byte, "", zero + 1};
        return std::nullopt;
    }
    Builder builder(max_depth);
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
    failure.position = builder.position() < text.size() ? builder.position() : text.size();
    failure.path = builder.path();
    if (builder.too_deep())
        failure.why = ReadFailure::Why::too_deep;
    else if (builder.overflow() || at_non_number(text, failure.position > 0 ? failure.position - 1 : 0))
        failure.why = ReadFailure::Why::not_finite;
    else
        failure.why = ReadFailure::Why::no_json;
    return std::nullopt;
}

}  // namespace memory_budget::api
