// SPDX-License-Identifier: MIT
#include "core/model/quantized.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget::model;

namespace {

QuantizedLoad load(const std::string& hub, Quantization q, std::int64_t kept = 2) {
    return quantized_load(inventory(architecture(hub_config(hub))), q, kept);
}

}  // namespace

TEST_CASE("one matrix in 4 bits", "[quantized]") {
    const QuantizedMatrix twice = quantized_matrix(Quantization::nf4_double, 1024, 1024);
    CHECK(twice.packed == 524'288);
    CHECK(twice.scales == 16'384);
    CHECK(twice.second == 64 * 4);
    CHECK(twice.constants == 64 + 1024 + 4);
    const QuantizedMatrix once = quantized_matrix(Quantization::nf4, 1024, 1024);
    CHECK(once.packed == 524'288);
    CHECK(once.scales == 4 * 16'384);
    CHECK(once.constants == 64);
    // Blocks and groups are rounded up.
    CHECK(quantized_matrix(Quantization::nf4_double, 1, 65).scales == 2);
    CHECK(quantized_matrix(Quantization::nf4_double, 1, 65).packed == 33);
    CHECK(quantized_matrix(Quantization::int8, 10, 100).total() == 1000 + 40);
    CHECK(quantized_matrix(Quantization::gptq, 256, 256).total() == 32'768 + 2 * 2 * 256 + 256 + 4 * 256);
    CHECK(quantized_matrix(Quantization::awq, 256, 256).total() == 32'768 + 2 * 2 * 256 + 256);
    CHECK(quantized_matrix(Quantization::mxfp4, 32, 64).total() == 32 * 32 + 32 * 2);
}

TEST_CASE("what a 4-bit load takes of Llama 3 8B", "[quantized]") {
    // huggingface/peft, QDoRA_finetuning.ipynb: elements in linear modules, packed, and what stays.
    const QuantizedLoad q = load("meta-llama/Meta-Llama-3-8B", Quantization::nf4_double);
    CHECK(q.quantized_elements == 6'979'321'856);
    CHECK(q.quantized.packed == 3'489'660'928);
    CHECK(q.kept_elements == 1'050'673'152 + 266'240);
    CHECK(q.kept_bytes == 2 * q.kept_elements);
}

TEST_CASE("what a 4-bit load takes of Gemma 4 12B, and k-bit preparation adds", "[quantized]") {
    const QuantizedLoad q = load("google/gemma-4-12B-it", Quantization::nf4_double);
    CHECK(q.quantized_elements == 10'899'947'520);
    CHECK(q.kept_elements == 1'007'402'752);
    // A published run on a card: 7,284.69 MiB allocated after the load.
    CHECK(static_cast<double>(q.total()) / (1 << 20) == Approx(7284.69).epsilon(0.001));
    const QuantizedLoad wide = load("google/gemma-4-12B-it", Quantization::nf4_double, 4);
    CHECK(wide.total() - q.total() == 2 * q.kept_elements);
}

TEST_CASE("fused experts stay at 16 bits under bitsandbytes", "[quantized]") {
    const QuantizedLoad q = load("Qwen/Qwen3-30B-A3B", Quantization::nf4_double);
    CHECK(q.quantized_elements == 905'969'664);
    CHECK(static_cast<double>(q.total()) == Approx(59.7e9).epsilon(0.001));
}

TEST_CASE("gpt-oss as it ships", "[quantized]") {
    const QuantizedLoad q = load("openai/gpt-oss-20b", Quantization::mxfp4);
    CHECK(q.quantized_elements == std::int64_t{24} * 32 * 3 * 2880 * 2880);
    CHECK(q.quantized.total() == q.quantized_elements / 32 * 17);
    CHECK(load("openai/gpt-oss-20b", Quantization::none).total() == 2 * 20'914'757'184);
}
