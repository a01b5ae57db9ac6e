// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Mistral: no biases; all blocks slide where the configuration has a window.
void mistral(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    d.window = 4096;
    general_decoder(r, a, d);
    split_by_window(
        r, a, a.window, [](std::int64_t, std::int64_t) { return true; }, 0);
    a.steps_known = true;
}

/// Ministral 3: the same shape, with full attention unless its layers say otherwise.
void ministral3(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    general_decoder(r, a, d);
    split_by_window(r, a, a.window, nullptr, 0);
}

}  // namespace memory_budget::model::families
