// SPDX-License-Identifier: MIT
// Any text as a config.json: it is refused with an error, or counted without an overflow, and its compact line counts
// the same. Run by libFuzzer; the corpus is made from tests/core/data.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/api/config_json.h"
#include "core/model/adapter.h"
#include "core/model/inventory.h"
#include "core/model/quantized.h"
#include "core/model/read.h"

namespace {

using namespace memory_budget;

void hold(bool condition) {
    if (!condition) __builtin_trap();
}

void count(const model::Config& config) {
    const model::Read read = model::read_architecture(config);
    hold(read.architecture.has_value() == read.errors.empty());
    if (!read.architecture) return;
    const model::Inventory all = model::inventory(*read.architecture);
    for (const model::Tensor& tensor : all.tensors)
        hold(tensor.rows > 0 && tensor.columns > 0 && tensor.copies >= 0 && tensor.parameters() >= 0);
    for (int choice = 0; choice <= static_cast<int>(model::ExpertAdapters::fused); ++choice) {
        model::AdapterPlan plan;
        plan.experts = static_cast<model::ExpertAdapters>(choice);
        hold(model::count_adapter(*read.architecture, all, plan).parameters >= 0);
    }
    for (int load = 0; load <= static_cast<int>(model::Quantization::mxfp4); ++load)
        hold(model::quantized_load(all, static_cast<model::Quantization>(load), 2).total() >= 0);

    const model::Read again = model::read_architecture(model::parse_compact(model::to_compact(config)));
    if (again.architecture)
        hold(model::inventory(*again.architecture).parameters(model::View::checkpoint) ==
             all.parameters(model::View::checkpoint));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    model::Issues errors;
    const auto config = api::parse_config(text, errors);
    hold(config.has_value() ? errors.empty() : errors.size() == 1);
    if (config) count(*config);
    count(model::parse_compact(text));
    return 0;
}
