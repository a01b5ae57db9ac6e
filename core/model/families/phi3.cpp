// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Phi 3 to 4: joined q, k, v and joined gate and up.
void phi3(Reader& r, Architecture& a) {
    Decoder d;
    d.joined_mlp = true;
    d.rotary = RotaryKind::partial_inside;
    general_decoder(r, a, d);
    Attention& t = a.blocks.front().attention;
    t.layout = QkvLayout::slices;
    t.qkv = {"qkv_proj", a.hidden, t.q.out + t.k.out + t.v.out};
    t.q = t.k = t.v = {};
    split_by_window(
        r, a, a.window, [](std::int64_t, std::int64_t) { return true; }, 0);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
