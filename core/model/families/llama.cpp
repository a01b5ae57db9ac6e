// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Llama 2 and 3, and whoever publishes under its name: Yi, TinyLlama, SmolLM 2, Code Llama.
void llama(Reader& r, Architecture& a) {
    Decoder d;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.mlp_bias = r.flag_or(false, "mlp_bias");
    general_decoder(r, a, d);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
