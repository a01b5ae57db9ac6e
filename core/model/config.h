// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memory_budget::model {

/// A `config.json` as a tree of values, without JSON: whoever reads the text (core/api, the catalog's compact
/// lines, a test) fills it, and the families read it.
class Config {
  public:
    enum class Kind : std::uint8_t { null, boolean, number, string, list, object };

    Config() = default;
    static Config boolean(bool value);
    static Config number(double value);
    static Config string(std::string_view value);
    static Config list();
    static Config object();

    Kind kind() const { return kind_; }
    bool is_null() const { return kind_ == Kind::null; }
    bool is_boolean() const { return kind_ == Kind::boolean; }
    bool is_number() const { return kind_ == Kind::number; }
    bool is_string() const { return kind_ == Kind::string; }
    bool is_list() const { return kind_ == Kind::list; }
    bool is_object() const { return kind_ == Kind::object; }

    /// True for `true` only.
    bool truth() const { return kind_ == Kind::boolean && number_ != 0; }
    /// The number, or 0 where the value is none.
    double number() const { return kind_ == Kind::number ? number_ : 0; }
    /// The text, or nothing where the value is none.
    std::string_view text() const { return text_; }

    /// Values of a list or of an object, in the order of the file.
    const std::vector<Config>& items() const { return items_; }
    /// Keys of an object, one for each item.
    const std::vector<std::string>& keys() const { return keys_; }

    /// The value under `key`, or nullptr where the key is absent (a `null` is a value). A repeated key counts by
    /// its last value, as in Python.
    const Config* find(std::string_view key) const;
    /// Whether `key` is there; unlike `find`, this is no reading of it.
    bool contains(std::string_view key) const;
    /// As `find`, and nullptr where the value is `null`, which Transformers' classes mostly read as absent.
    const Config* get(std::string_view key) const;

    /// Whether the value has been looked up by its key: what nobody reads does not matter.
    bool was_read() const { return read_; }

    /// Appends to a list.
    void push(Config value) { items_.push_back(std::move(value)); }
    /// Appends to an object without a look at what is there.
    void append(std::string key, Config value) {
        keys_.push_back(std::move(key));
        items_.push_back(std::move(value));
    }
    /// Puts `value` under `key` of an object, in place of what was there.
    void set(std::string_view key, Config value);

  private:
    std::size_t index(std::string_view key) const;

    Kind kind_ = Kind::null;
    mutable bool read_ = false;
    double number_ = 0;
    std::string text_;
    std::vector<Config> items_;
    std::vector<std::string> keys_;
};

/// A config from a compact line: `key=value` fields apart by one space; a value is a number, `true`, `false`,
/// `null`, a word, a list `[a,b,c]` with repeats `[5*sliding_attention,full_attention]x4`, or an object
/// `{key=value ...}`.
Config parse_compact(std::string_view line);

/// The compact line of the fields that have been read: after `read_architecture`, all that the architecture was made
/// from.
std::string to_compact(const Config& object);

}  // namespace memory_budget::model
