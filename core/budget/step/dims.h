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
    last_chunk,  ///< rows of the chunked loss's last chunk
    last_rows,   ///< rows of the metrics' last slice
    fused_rows,  ///< rows of a chunk of the loss that is fused with the head
    fused_last,  ///< rows of its last chunk
    count
};

inline constexpr int atom_count = static_cast<int>(Atom::count);

/// Exponents of the atoms, two bits each.
using Atoms = std::uint32_t;

constexpr Atoms power(Atom atom) {
    return Atoms{1} << (2 * static_cast<int>(atom));
}

/// One dimension: its value in this play, and the atoms in it.
struct Dim {
    std::int64_t n = 1;
    Atoms atoms = 0;

    constexpr Dim() = default;
    constexpr Dim(std::int64_t value, Atoms of = 0) : n(value), atoms(of) {}  // NOLINT: a number is a dimension
};

constexpr Dim operator*(Dim a, Dim b) {
    return Dim(a.n * b.n, a.atoms + b.atoms);
}

inline constexpr int max_rank = 6;

struct Shape {
    std::array<Dim, max_rank> dims;
    int rank = 0;

    Shape() = default;
    template <typename... D>
    explicit Shape(Dim first, D... rest) : dims{first, Dim(rest)...}, rank(1 + static_cast<int>(sizeof...(rest))) {}

    Dim& operator[](int i) { return dims[static_cast<std::size_t>(i < 0 ? i + rank : i)]; }
    const Dim& operator[](int i) const { return dims[static_cast<std::size_t>(i < 0 ? i + rank : i)]; }

    Dim product(int from, int to) const {
        Dim p;
        for (int i = from; i < to; ++i) p = p * (*this)[i];
        return p;
    }
    Dim elements() const { return product(0, rank); }
    Dim leading() const { return product(0, rank - 1); }  ///< all but the last

    /// The same with the last dimension replaced.
    Shape with_last(Dim last) const { return with(rank - 1, last); }
    Shape with(int i, Dim dim) const {
        Shape s = *this;
        s[i] = dim;
        return s;
    }
    void insert(int at, Dim dim) {
        for (int i = rank; i > at; --i) dims[static_cast<std::size_t>(i)] = dims[static_cast<std::size_t>(i - 1)];
        dims[static_cast<std::size_t>(at)] = dim;
        ++rank;
    }
    void push(Dim dim) { insert(rank, dim); }
};

inline bool operator==(const Shape& a, const Shape& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i)
        if (a[i].n != b[i].n) return false;
    return true;
}

using Strides = std::array<std::int64_t, max_rank>;

}  // namespace memory_budget::budget::step
