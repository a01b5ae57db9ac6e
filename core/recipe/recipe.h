// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/recipe/parameters.h"

namespace memory_budget::recipe {

/// A run: one value a row of the parameter table, and which of them the user gave.
/// Numbers, booleans and the index of a choice are all held as a double: every one is below 2^53.
class Recipe {
  public:
    Recipe();

    double number(Key key) const { return values_[index(key)]; }
    std::int64_t integer(Key key) const { return static_cast<std::int64_t>(number(key)); }
    bool flag(Key key) const { return number(key) > 0; }
    template <typename Enum>
    Enum choice(Key key) const {
        return static_cast<Enum>(static_cast<std::uint8_t>(number(key)));
    }
    /// Whether there is a value: false for an optional row that was not given.
    bool has(Key key) const { return values_[index(key)] == values_[index(key)]; }
    bool given(Key key) const { return given_[index(key)]; }

    void set(Key key, double value) {
        values_[index(key)] = value;
        given_[index(key)] = true;
    }

    /// A value that the user did not give.
    void assume(Key key, double value) { values_[index(key)] = value; }
    /// Back to the default, as if it had not been given.
    void clear(Key key);

    /// Whether all values are the same, given or not.
    bool operator==(const Recipe& other) const;
    /// Whether they differ in nothing but batch and length.
    bool same_but_size(const Recipe& other) const;

    /// Module names, where `targets` was given as a list.
    std::vector<std::string> target_names;

  private:
    static std::size_t index(Key key) { return static_cast<std::size_t>(key); }

    std::array<double, static_cast<std::size_t>(Key::count)> values_;
    std::array<bool, static_cast<std::size_t>(Key::count)> given_ = {};
};

/// A model by its sizes: what the course's arithmetic needs. 0 stands for "not known".
struct Shape {
    std::string id;  ///< catalog id, empty for a model given by hand
    std::string name;
    std::array<std::int64_t, static_cast<std::size_t>(ShapeKey::count)> sizes = {};
    bool experts = false;                 ///< a mixture of experts
    std::int64_t adapter_parameters = 0;  ///< of the recipe at hand, where the architecture gave an exact count

    std::int64_t operator[](ShapeKey key) const { return sizes[static_cast<std::size_t>(key)]; }
    std::int64_t& operator[](ShapeKey key) { return sizes[static_cast<std::size_t>(key)]; }
};

}  // namespace memory_budget::recipe
