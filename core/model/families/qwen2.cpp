// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

/// Layers from `max_window_layers` on slide, where the window is switched on.
void late_window(Reader& r, Architecture& a) {
    const bool on = r.flag_or(false, "use_sliding_window");
    const auto layers = static_cast<std::int64_t>(a.layers.size());
    split_by_window(
        r, a, on ? a.window : 0, [](std::int64_t layer, std::int64_t first) { return layer >= first; },
        r.size_or(layers, "max_window_layers"));
}

}  // namespace

/// Qwen 2 and 2.5: biases on q, k and v.
void qwen2(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 32;
    d.qkv_bias = true;
    d.window = 4096;
    general_decoder(r, a, d);
    late_window(r, a);
    a.steps_known = true;
}

/// Qwen 3: a norm on each head of q and k, head size given.
void qwen3(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 32;
    d.head_dim = 128;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.qk_norm = QkNorm::head;
    d.window = 4096;
    general_decoder(r, a, d);
    late_window(r, a);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
