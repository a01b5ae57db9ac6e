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
    // Whole runs at once: a string grows slowly by single characters where code is built for its size.
    std::size_t written = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        const bool control = c >= 0 && c < ' ';
        if (!control && c != '"' && c != '\\') continue;
        out_.append(value, written, i - written);
        written = i + 1;
        if (control) {
            const char escaped[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
            out_.append(escaped, sizeof escaped);
        } else {
            const char escaped[] = {'\\', c};
            out_.append(escaped, sizeof escaped);
        }
    }
    out_.append(value, written);
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
