// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memory_budget::api {

/// Writes JSON straight to text. A response is some hundred values and is made at every stroke of a key: building a
/// tree of nlohmann's first takes five times as long, and its writer is a tenth of the engine. Texts are UTF-8: they
/// come from the reader, which takes nothing else, and from tables.
class JsonWriter {
  public:
    JsonWriter& object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }

    JsonWriter& key(std::string_view name);
    JsonWriter& text(std::string_view value);
    JsonWriter& integer(std::int64_t value);
    /// Whole numbers are written as integers, so that no reader sees 16.0.
    JsonWriter& number(double value);
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    /// JSON that was written elsewhere.
    JsonWriter& raw(std::string_view json);

    JsonWriter& text(std::string_view name, std::string_view value) { return key(name).text(value); }
    JsonWriter& integer(std::string_view name, std::int64_t value) { return key(name).integer(value); }
    JsonWriter& number(std::string_view name, double value) { return key(name).number(value); }
    JsonWriter& boolean(std::string_view name, bool value) { return key(name).boolean(value); }
    JsonWriter& null(std::string_view name) { return key(name).null(); }
    JsonWriter& texts(std::string_view name, std::span<const std::string_view> values);

    /// The text so far; the writer is empty afterwards.
    std::string take();

  private:
    void separate();
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);

    std::string out_;
    bool comma_ = false;  // whether the next value stands behind another
};

}  // namespace memory_budget::api
