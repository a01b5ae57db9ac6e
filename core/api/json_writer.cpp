// SPDX-License-Identifier: MIT
#include "core/api/json_writer.h"

#include "core/api/json_text.h"

namespace memory_budget::api {
namespace {

bool plain(std::string_view text) {
    for (const char c : text)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') return false;
    return true;
}

}  // namespace

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
    if (!plain(value)) return raw(dump(Json(std::string(value))));
    separate();
    out_ += '"';
    out_ += value;
    out_ += '"';
    return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
    return raw(std::to_string(value));
}

JsonWriter& JsonWriter::number(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? integer(whole) : raw(dump(Json(value)));
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
