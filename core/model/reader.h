// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/model/issue.h"

namespace memory_budget::model {

/// Reads one level of a configuration and notes everything that is wrong with it: a family goes through its keys
/// once, and all errors come out together. After an error a harmless value is given, so that reading goes on.
class Reader {
  public:
    Reader(const Config& config, std::string prefix, Issues& errors, Issues& warnings)
        : config_(config), prefix_(std::move(prefix)), errors_(errors), warnings_(warnings) {}

    /// A whole number of at least 1 that must be there. `other` is the key's older name.
    std::int64_t size(const char* key, const char* other = nullptr);
    /// A whole number of at least 0; `fallback` where the key is absent or null.
    std::int64_t size_or(std::int64_t fallback, const char* key, const char* other = nullptr);
    /// As `size_or`, but 0 is an error: a size that is there has to be at least 1.
    std::int64_t positive_or(std::int64_t fallback, const char* key, const char* other = nullptr);
    /// A number; `fallback` where absent or null.
    double number_or(double fallback, const char* key);
    /// A boolean; `fallback` where absent or null.
    bool flag_or(bool fallback, const char* key);
    /// A word; `fallback` where absent or null.
    std::string_view word_or(const char* fallback, const char* key);
    /// As `number_or` under `key` here, or within `rope_parameters`, where Transformers 5 moved it.
    double rope_number_or(double fallback, const char* key);

    bool has(const char* key) const { return config_.get(key) != nullptr; }
    /// Key and value heads: absent is the class's default (0: as many as heads), `null` is as many as heads.
    std::int64_t kv_heads(std::int64_t heads, std::int64_t class_default);
    /// The list under `key` for `layers` layers, or nullptr; a list that is too short is an error.
    const Config* layer_list(const char* key, std::int64_t layers);

    /// `layer_types` for `layers` layers, or nullptr; a word that is no kind of layer is an error.
    const Config* layer_types(std::int64_t layers);

    /// The object under `key` as a reader, or one of an empty object with an error.
    Reader nested(const char* key);

    /// No errors so far: sizes can be compared with one another.
    bool clean() const { return errors_.empty(); }

    const Config& config() const { return config_; }
    std::string path(const char* key) const;
    void error(const char* code, const char* key, const char* message);
    void warn(const char* code, const char* key, const char* message);

  private:
    std::int64_t whole(const Config& value, const char* key, std::int64_t least);
    const Config* first(const char* key, const char* other) const;

    const Config& config_;
    std::string prefix_;
    Issues& errors_;
    Issues& warnings_;
};

}  // namespace memory_budget::model
