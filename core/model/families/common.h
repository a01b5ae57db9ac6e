// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/model/architecture.h"
#include "core/model/reader.h"

namespace memory_budget::model::families {

/// In what a decoder of the Llama kind differs from another. A family fills it with its class's defaults and reads
/// the rest from the configuration.
struct Decoder {
    bool tied = false;          ///< default of `tie_word_embeddings`
    std::int64_t kv_heads = 0;  ///< default of `num_key_value_heads`; 0: as many as heads
    std::int64_t head_dim = 0;  ///< default of `head_dim`; 0: hidden / heads
    bool qkv_bias = false;
    bool output_bias = false;
    bool mlp_bias = false;
    bool joined_mlp = false;  ///< gate and up are one linear
    NormKind norm = NormKind::rms;
    BlockLayout layout = BlockLayout::pre_norm;
    QkNorm qk_norm = QkNorm::none;
    const char* activation_key = "hidden_act";
    const char* activation = "silu";
    RotaryKind rotary = RotaryKind::halves;
    double rotary_share = 1;  ///< default of `partial_rotary_factor`
    std::int64_t window = 0;  ///< default of `sliding_window`
    std::int64_t width = 0;   ///< of the MLP where it is not `intermediate_size`
};

/// Hidden and vocabulary sizes, context, embedding `embed_tokens`, blocks `model.layers`, final norm `norm` and head
/// `lm_head`.
void decoder_frame(Reader& r, Architecture& a, bool tied_default, Norm final_norm);

/// Separate q, k, v, o of `self_attn`, sizes from the usual keys.
Attention grouped_attention(Reader& r, const Architecture& a, const Decoder& d);

/// A gated MLP at `path` with the usual names.
Mlp gated_mlp(const char* path, std::int64_t hidden, std::int64_t width, Activation activation, bool bias = false);
/// Gate and up in one linear.
Mlp joined_mlp(const char* path, std::int64_t hidden, std::int64_t width, Activation activation);
/// Two linears.
Mlp plain_mlp(const char* path, const char* up, const char* down, std::int64_t hidden, std::int64_t width,
              Activation activation, bool bias);

/// Fused experts at `mlp.experts` with a router at `mlp.gate`.
Experts fused_experts(std::int64_t hidden, std::int64_t width, std::int64_t count, std::int64_t per_token);

/// One block of a decoder of the Llama kind, without experts.
Block decoder_block(Reader& r, const Architecture& a, const Decoder& d);

/// Names and sizes of the norms that the layout has.
void block_norms(Block& block, NormKind kind, std::int64_t hidden);

/// The model's rotary tables, from head size and shares, and the rotated size of a head in `block`.
void set_rotary(Architecture& a, Block& block, RotaryKind kind, std::int64_t size, int tables = 1);

/// Frame, one kind of block, rotary tables: the general decoder.
void general_decoder(Reader& r, Architecture& a, const Decoder& d);

Activation activation(Reader& r, const char* key, const char* fallback);

/// `num_hidden_layers`, within what can be listed.
std::int64_t layer_count(Reader& r, const char* other = nullptr);

/// All layers are of kind 0.
void all_layers_alike(Reader& r, Architecture& a, std::int64_t layers);

/// Whether a layer attends within the sliding window.
using IsSliding = bool (*)(std::int64_t layer, std::int64_t parameter);

/// Splits kind 0 in two, full and sliding, by the words of `layer_types`, else by `rule`: block 0 stays as it is,
/// block 1 has the window and, where the model has two rotary tables, the second of them.
void split_by_window(Reader& r, Architecture& a, std::int64_t window, IsSliding rule, std::int64_t parameter);

/// As every second, or every n-th layer full: `layer + 1` is no multiple of `period`.
bool sliding_but_every(std::int64_t layer, std::int64_t period);

/// Replaces the kinds by copies chosen for each layer: `kinds[layer]` indexes `a.blocks`, unused blocks go.
void drop_unused_blocks(Architecture& a);

/// `layers` blocks that predict further tokens, with the joining linear and norms around them (DeepSeek V3).
void prediction_layers(Architecture& a, const Block& block, std::int64_t layers);

/// `share` of `size` features, rounded down.
std::int64_t share_of(double share, std::int64_t size);

/// A tensor that the inventory alone lists.
Extra extra_vector(const char* name, Role role, Part part, std::int64_t size, std::int64_t copies = 1);
Extra extra_linear(const char* name, Role role, Part part, std::int64_t in, std::int64_t out, std::int64_t copies,
                   bool bias = false);

}  // namespace memory_budget::model::families
