// SPDX-License-Identifier: MIT
#include "core/api/json_writer.h"

#include <cstdio>
#include <cstdlib>

namespace memory_budget::api {

void JsonWriter::separate() {
    if (comma_) out_ += ',';
    comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    text(name);
    out_ += ':';
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    constexpr char digits[] = "0123456789abcdef";
    separate();
    out_ += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') out_ += '\\';
        if (c >= 0 && c < ' ') {
            out_ += "\\u00";
            out_ += digits[c >> 4];
            out_ += digits[c & 15];
        } else {
            out_ += c;
        }
    }
    out_ += '"';
    return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
    return raw(std::to_string(value));
}

JsonWriter& JsonWriter::number(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return integer(whole);
    // The fewest digits that read back as the same number; 17 always do.
    char text[32];
    for (int precision = 15; precision <= 17; ++precision) {
        std::snprintf(text, sizeof text, "%.*g", precision, value);
        if (std::strtod(text, nullptr) == value) break;
    }
    return raw(text);
}

JsonWriter& JsonWriter::boolean(bool value) {
    return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::null() {
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
}

JsonWriter& JsonWriter::texts(std::string_view name, std::span<const std::string_view> values) {
    key(name).array();
    for (const std::string_view value : values) text(value);
    return end_array();
}

std::string JsonWriter::take() {
    comma_ = false;
    return std::move(out_);
}

}  // namespace memory_budget::api
