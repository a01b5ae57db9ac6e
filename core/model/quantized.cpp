// SPDX-License-Identifier: MIT
#include "core/model/quantized.h"

namespace memory_budget::model {
namespace {

constexpr std::int64_t block = 64;          // bitsandbytes' 4-bit block
constexpr std::int64_t second_block = 256;  // scales that share one of the second level
constexpr std::int64_t group = 128;         // GPTQ's and AWQ's usual group
constexpr std::int64_t micro_block = 32;    // MXFP4's

std::int64_t pieces(std::int64_t n, std::int64_t size) {
    return (n + size - 1) / size;
}

}  // namespace

QuantizedMatrix quantized_matrix(Quantization q, std::int64_t rows, std::int64_t columns) {
    const std::int64_t n = rows * columns;
    const std::int64_t blocks = pieces(n, block);
    const std::int64_t groups = pieces(columns, group);
    switch (q) {
        case Quantization::none:
            return {2 * n, 0, 0, 0};
        case Quantization::nf4:
            return {pieces(n, 2), 4 * blocks, 0, std::int64_t{16} * 4};
        case Quantization::nf4_double:
            return {pieces(n, 2), blocks, 4 * pieces(blocks, second_block),
                    std::int64_t{16} * 4 + std::int64_t{256} * 4 + 4};
        case Quantization::int8:
            return {n, 4 * rows, 0, 0};
        case Quantization::gptq:
            return {pieces(n, 2), 2 * groups * rows, pieces(groups * rows, 2) + 4 * columns, 0};
        case Quantization::awq:
            return {pieces(n, 2), 2 * groups * rows, pieces(groups * rows, 2), 0};
        case Quantization::mxfp4:
            return {pieces(n, 2), rows * pieces(columns, micro_block), 0, 0};
    }
    return {};
}

bool replaces(Quantization q, const Tensor& t) {
    switch (q) {
        case Quantization::none:
            return false;
        case Quantization::mxfp4:
            return t.role == Role::expert;
        case Quantization::gptq:
        case Quantization::awq:
            // These ship as files made with experts apart; towers and routers stay.
            return t.part == Part::text && (t.role == Role::expert || (t.quantised() && t.role != Role::router));
        default:
            return t.quantised();
    }
}

QuantizedLoad quantized_load(const Inventory& all, Quantization q, std::int64_t kept_width, View view) {
    QuantizedLoad load;
    for (const Tensor& t : all.tensors) {
        if (t.part == Part::mtp || (view == View::network && t.presence != Presence::both)) continue;
        const std::int64_t weights = t.weight_elements() * t.copies;
        if (!replaces(q, t)) {
            load.kept_elements += t.parameters();
            continue;
        }
        load.quantized_elements += weights;
        load.kept_elements += t.parameters() - weights;
        const QuantizedMatrix one = quantized_matrix(q, t.rows, t.columns);
        const std::int64_t times = t.stack * t.copies;
        load.quantized.packed += one.packed * times;
        load.quantized.scales += one.scales * times;
        load.quantized.second += one.second * times;
        load.quantized.constants += one.constants * times;
    }
    load.kept_bytes = load.kept_elements * kept_width;
    return load;
}

}  // namespace memory_budget::model
