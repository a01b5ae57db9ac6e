// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/model/inventory.h"

namespace memory_budget::model {

enum class Quantization : std::uint8_t {
    none,
    nf4,         ///< bitsandbytes: 4 bits, a 32-bit scale for each 64
    nf4_double,  ///< the same with 8-bit scales, and a 32-bit one for each 256 of these
    int8,        ///< bitsandbytes LLM.int8: 8 bits, a 32-bit scale a row
    gptq,        ///< 4 bits in groups of 128 along the input: 16-bit scales, 4-bit zeros, a 32-bit group index
    awq,         ///< the same without the index
    mxfp4,       ///< as gpt-oss ships: experts alone, 4 bits, an 8-bit scale for each 32
};

/// What one matrix of `elements` takes, in bytes.
struct QuantizedMatrix {
    std::int64_t packed = 0;     ///< the weights
    std::int64_t scales = 0;     ///< one number a block or row
    std::int64_t second = 0;     ///< scales of scales, zeros, group index
    std::int64_t constants = 0;  ///< code books and an offset, of one size for all

    std::int64_t total() const { return packed + scales + second + constants; }
};

QuantizedMatrix quantized_matrix(Quantization q, std::int64_t rows, std::int64_t columns);

/// Whether a load of this kind replaces the tensor's weight.
bool replaces(Quantization q, const Tensor& t);

/// What a whole load takes, in bytes.
struct QuantizedLoad {
    std::int64_t quantized_elements = 0;
    std::int64_t kept_elements = 0;  ///< embeddings, head, norms, biases, and what the load does not know
    QuantizedMatrix quantized;       ///< sums over all matrices
    std::int64_t kept_bytes = 0;

    std::int64_t total() const { return quantized.total() + kept_bytes; }
};

/// The load of a network, towers included. `kept_width` is bytes an element of what stays: 2, or 4 after k-bit
/// preparation.
QuantizedLoad quantized_load(const Inventory& all, Quantization q, std::int64_t kept_width, View view = View::network);

}  // namespace memory_budget::model
