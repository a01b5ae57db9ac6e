// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// StarCoder and SantaCoder: GPT-2 with linear modules and one key and value for all heads.
void gpt_bigcode(Reader& r, Architecture& a) {
    gpt2(r, a);
    Block& b = a.blocks.front();
    Attention& t = b.attention;
    if (r.flag_or(true, "multi_query")) t.kv_heads = 1;
    t.qkv = {"c_attn", a.hidden, (t.heads + 2 * t.kv_heads) * t.head_dim, true};
    t.o = {"c_proj", a.hidden, a.hidden, true};
    t.eager = EagerKind::usual;
    b.mlp.up.weight = b.mlp.down.weight = Weight::linear;
    b.mlp.activation = activation(r, "activation_function", "gelu_pytorch_tanh");
    a.steps_known = false;
}

}  // namespace memory_budget::model::families
