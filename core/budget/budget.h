// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace memory_budget::budget {

/// Bytes and counts are exact up to here: the largest integer that a JSON number carries without loss.
inline constexpr double max_exact = 9007199254740992.0;

/// A symbol of a row's formula with the value that went in.
struct Input {
    std::string_view symbol;
    double value;
};

/// One part of a budget. `formula` is written in the symbols of `inputs`; `source` is the id of where it is from.
struct Row {
    std::string_view id;
    std::int64_t bytes;
    std::string_view formula;
    std::vector<Input> inputs;
    std::string_view source;
};

/// A sum of rows as the lesson's bar shows it: one segment, one or more rows.
struct Segment {
    std::string_view id;
    std::int64_t bytes;
    std::vector<std::string_view> rows;
};

struct Budget {
    std::vector<Row> rows;
    std::int64_t fixed_bytes = 0;  ///< all that depends on parameters alone
    std::int64_t total_bytes = 0;
    std::int64_t bytes_per_token = 0;  ///< in the course basis: what each token of a batch adds
    bool complete = true;              ///< false where a part could not be counted for want of a size
    bool overflow = false;             ///< a product beyond 2^53: no figure is given
    std::int64_t trainable_parameters = 0;
};

}  // namespace memory_budget::budget
