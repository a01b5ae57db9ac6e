// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace memory_budget::budget::step {

/// What a size may depend on besides the model: the run's batch and length, and what is rounded from them.
/// A size is a number times a product of these, so that it can be worked out again for another batch or length.
enum class Atom : std::uint8_t {
    batch,
    length,
    length_less_one,
    length_plus_one,
    length_to_16,
    length_to_32,
    length_to_64,
    length_to_128,
    part_rows,         ///< rows of a part of a loss that goes by parts
    part_last,         ///< rows of its last part; or of the metrics' last slice
    expert_rows,       ///< rows that one expert sees, if all see equally many
    length_convolved,  ///< tokens that come out of a convolution padded on both sides
    count
};

inline constexpr int atom_count = static_cast<int>(Atom::count);

/// Exponents of the atoms, two bits each.
using Atoms = std::uint32_t;

constexpr Atoms power(Atom atom) {
    return Atoms{1} << (2 * static_cast<int>(atom));
}

/// One dimension: its value in this play, and the atoms in it. Both in one word, since dimensions are handed about
/// everywhere: a value is below 2^40.
class Dim {
  public:
    constexpr Dim() = default;
    constexpr Dim(std::int64_t value, Atoms of = 0)  // NOLINT: a number is a dimension
        : packed_(static_cast<std::uint64_t>(value) | static_cast<std::uint64_t>(of) << bits) {}

    constexpr std::int64_t n() const { return static_cast<std::int64_t>(packed_ & ((std::uint64_t{1} << bits) - 1)); }
    constexpr Atoms atoms() const { return static_cast<Atoms>(packed_ >> bits); }

  private:
    static constexpr int bits = 40;

    std::uint64_t packed_ = 1;
};
static_assert(2 * atom_count <= 24);

constexpr Dim operator*(Dim a, Dim b) {
    return Dim(a.n() * b.n(), a.atoms() + b.atoms());
}

/// How many elements a tensor has: the product of its dimensions, which may be larger than one.
struct Elements {
    std::int64_t n = 1;
    Atoms atoms = 0;
};

inline constexpr int max_rank = 6;

struct Shape {
    std::array<Dim, max_rank> dims;
    int rank = 0;

    Shape() = default;
    explicit Shape(Dim a);
    Shape(Dim a, Dim b);
    Shape(Dim a, Dim b, Dim c);
    Shape(Dim a, Dim b, Dim c, Dim d);
    Shape(Dim a, Dim b, Dim c, Dim d, Dim e);

    Dim& operator[](int i) { return dims[static_cast<std::size_t>(i < 0 ? i + rank : i)]; }
    const Dim& operator[](int i) const { return dims[static_cast<std::size_t>(i < 0 ? i + rank : i)]; }

    Elements elements() const;
    Dim leading() const;  ///< all but the last, as one

    /// The same with a dimension replaced.
    Shape with(int i, Dim dim) const;
    Shape with_last(Dim last) const { return with(rank - 1, last); }
    void insert(int at, Dim dim);
    void push(Dim dim) { insert(rank, dim); }
};

bool operator==(const Shape& a, const Shape& b);

using Strides = std::array<std::int64_t, max_rank>;

}  // namespace memory_budget::budget::step
