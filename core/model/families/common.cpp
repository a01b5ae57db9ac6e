// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"

#include <utility>

namespace memory_budget::model::families {
namespace {

constexpr std::int64_t most_layers = 10'000;

}  // namespace

void decoder_frame(Reader& r, Architecture& a, bool tied_default, Norm final_norm) {
    a.hidden = r.size("hidden_size", "n_embd");
    a.vocabulary = r.size("vocab_size");
    a.context = r.size_or(0, "max_position_embeddings", "n_positions");
    a.embedding_name = "model.embed_tokens";
    a.embedding_width = a.hidden;
    a.blocks_name = "model.layers";
    a.final_norm = final_norm;
    a.final_norm.size = a.hidden;
    a.head_name = "lm_head";
    a.tied_head = r.flag_or(tied_default, "tie_word_embeddings");
    if (const Config* w = r.config().get("intermediate_size"); w && w->number() >= 1 && w->number() < 1 << 30)
        a.dense_width = static_cast<std::int64_t>(w->number());
}

Activation activation(Reader& r, const char* key, const char* fallback) {
    const std::string_view word = r.word_or(fallback, key);
    if (word == "gelu_new" || word == "gelu_fast" || word == "gelu_python" || word == "quick_gelu")
        return Activation::gelu_written;
    if (word.starts_with("gelu")) return Activation::gelu;
    if (word == "relu") return Activation::relu;
    if (word == "relu2") return Activation::relu_squared;
    if (word != "silu" && word != "swish") r.warn("key-not-understood", key, "unknown activation, taken for silu");
    return Activation::silu;
}

std::int64_t layer_count(Reader& r, const char* other) {
    const std::int64_t layers = r.size("num_hidden_layers", other);
    if (layers <= most_layers) return layers;
    r.error("out-of-range", "num_hidden_layers", "more layers than any network has");
    return 1;
}

void all_layers_alike(Reader&, Architecture& a, std::int64_t layers) {
    a.layers.assign(static_cast<std::size_t>(layers), 0);
}

Attention grouped_attention(Reader& r, const Architecture& a, const Decoder& d) {
    Attention t;
    t.kind = AttentionKind::grouped;
    t.path = "self_attn";
    t.heads = r.size("num_attention_heads", "n_head");
    t.kv_heads = r.kv_heads(t.heads, d.kv_heads);
    t.head_dim =
        r.size_or(d.head_dim > 0 && !r.config().find("head_dim") ? d.head_dim : a.hidden / t.heads, "head_dim");
    if (t.head_dim < 1) {
        if (r.clean()) r.error("heads-do-not-divide", "num_attention_heads", "more heads than hidden features");
        t.head_dim = 1;
    }
    t.value_dim = t.head_dim;
    const std::int64_t query = t.heads * t.head_dim;
    const std::int64_t key = t.kv_heads * t.head_dim;
    t.q = {"q_proj", a.hidden, query, d.qkv_bias};
    t.k = {"k_proj", a.hidden, key, d.qkv_bias};
    t.v = {"v_proj", a.hidden, key, d.qkv_bias};
    t.o = {"o_proj", query, a.hidden, d.output_bias};
    t.qk_norm = d.qk_norm;
    if (d.qk_norm != QkNorm::none && d.qk_norm != QkNorm::unweighted) {
        const bool whole = d.qk_norm == QkNorm::whole;
        t.q_norm = Norm("q_norm", d.norm, whole ? query : t.head_dim);
        t.k_norm = Norm("k_norm", d.norm, whole ? key : t.head_dim);
    }
    return t;
}

Mlp gated_mlp(const char* path, std::int64_t hidden, std::int64_t width, Activation activation, bool bias) {
    Mlp m;
    m.kind = MlpKind::gated;
    m.path = path;
    m.width = width;
    m.activation = activation;
    m.gate = {"gate_proj", hidden, width, bias};
    m.up = {"up_proj", hidden, width, bias};
    m.down = {"down_proj", width, hidden, bias};
    return m;
}

Mlp joined_mlp(const char* path, std::int64_t hidden, std::int64_t width, Activation activation) {
    Mlp m = gated_mlp(path, hidden, width, activation);
    m.kind = MlpKind::gated_joined;
    m.gate = {};
    m.up = {"gate_up_proj", hidden, 2 * width};
    return m;
}

Mlp plain_mlp(const char* path, const char* up, const char* down, std::int64_t hidden, std::int64_t width,
              Activation activation, bool bias) {
    Mlp m;
    m.kind = MlpKind::plain;
    m.path = path;
    m.width = width;
    m.activation = activation;
    m.up = {up, hidden, width, bias};
    m.down = {down, width, hidden, bias};
    return m;
}

Experts fused_experts(std::int64_t hidden, std::int64_t width, std::int64_t count, std::int64_t per_token) {
    Experts e;
    e.count = count;
    e.per_token = per_token < count ? per_token : count;
    e.width = width;
    e.path = "mlp.experts";
    e.gate_up = {"gate_up_proj", hidden, 2 * width, false, Weight::parameter};
    e.down = {"down_proj", width, hidden, false, Weight::parameter};
    e.router.path = "mlp.gate";
    e.router.weight = {"weight", hidden, count, false, Weight::parameter};
    return e;
}

void block_norms(Block& block, NormKind kind, std::int64_t hidden) {
    const bool sandwich = block.layout == BlockLayout::sandwich;
    if (block.layout != BlockLayout::post_norm) block.before_attention = Norm("input_layernorm", kind, hidden);
    if (sandwich) {
        block.after_attention = Norm("post_attention_layernorm", kind, hidden);
        block.before_mlp = Norm("pre_feedforward_layernorm", kind, hidden);
        block.after_mlp = Norm("post_feedforward_layernorm", kind, hidden);
    } else if (block.layout == BlockLayout::post_norm) {
        block.after_attention = Norm("post_attention_layernorm", kind, hidden);
        block.after_mlp = Norm("post_feedforward_layernorm", kind, hidden);
    } else {
        block.before_mlp = Norm("post_attention_layernorm", kind, hidden);
    }
}

Block decoder_block(Reader& r, const Architecture& a, const Decoder& d) {
    Block b;
    b.layout = d.layout;
    b.attention = grouped_attention(r, a, d);
    const Activation act = activation(r, d.activation_key, d.activation);
    const std::int64_t width = d.width > 0 ? d.width : r.size("intermediate_size");
    b.mlp = d.joined_mlp ? joined_mlp("mlp", a.hidden, width, act) : gated_mlp("mlp", a.hidden, width, act, d.mlp_bias);
    block_norms(b, d.norm, a.hidden);
    return b;
}

void set_rotary(Architecture& a, Block& block, RotaryKind kind, std::int64_t size, int tables) {
    a.rotary = {kind, size, tables};
    block.attention.rotary = size;
}

void general_decoder(Reader& r, Architecture& a, const Decoder& d) {
    decoder_frame(r, a, d.tied, Norm("model.norm", d.norm, 0));
    Block block = decoder_block(r, a, d);
    const double share = r.rope_number_or(d.rotary_share, "partial_rotary_factor");
    set_rotary(a, block, d.rotary, share_of(share, block.attention.head_dim));
    a.blocks.push_back(std::move(block));
    all_layers_alike(r, a, layer_count(r));
    a.window = r.config().find("sliding_window") ? r.size_or(0, "sliding_window") : d.window;
}

void drop_unused_blocks(Architecture& a) {
    std::vector<std::uint16_t> index(a.blocks.size(), 0xffff);
    std::vector<Block> used;
    for (std::uint16_t& layer : a.layers) {
        std::uint16_t& to = index[layer];
        if (to == 0xffff) {
            to = static_cast<std::uint16_t>(used.size());
            used.push_back(a.blocks[layer]);
        }
        layer = to;
    }
    a.blocks = std::move(used);
}

void split_by_window(Reader& r, Architecture& a, std::int64_t window, IsSliding rule, std::int64_t parameter) {
    const auto layers = static_cast<std::int64_t>(a.layers.size());
    const Config* types = r.layer_types(layers);
    a.window = window;
    Block sliding = a.blocks.front();
    sliding.attention.window = window;
    if (a.rotary.tables > 1) sliding.attention.rotary_table = 1;
    a.blocks.push_back(std::move(sliding));
    for (std::int64_t l = 0; l < layers; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const bool slides = types ? types->items()[i].text() == "sliding_attention" : rule && rule(l, parameter);
        if (slides && window > 0) a.layers[i] = 1;
    }
    drop_unused_blocks(a);
}

bool sliding_but_every(std::int64_t layer, std::int64_t period) {
    return (layer + 1) % period != 0;
}

std::int64_t share_of(double share, std::int64_t size) {
    return share > 0 && share < 1 ? static_cast<std::int64_t>(static_cast<double>(size) * share) : size;
}

void prediction_layers(Architecture& a, const Block& block, std::int64_t layers) {
    if (layers <= 0) return;
    a.prediction_blocks.assign(1, block);
    a.prediction_copies = layers;
    a.extras.push_back(extra_linear("eh_proj", Role::other, Part::mtp, 2 * a.hidden, a.hidden, layers));
    for (const char* name : {"enorm", "hnorm", "shared_head.norm"})
        a.extras.push_back(extra_vector(name, Role::norm, Part::mtp, a.hidden, layers));
}

Extra extra_vector(const char* name, Role role, Part part, std::int64_t size, std::int64_t copies) {
    Extra e(name, role, part, size);
    e.copies = copies;
    return e;
}

Extra extra_linear(const char* name, Role role, Part part, std::int64_t in, std::int64_t out, std::int64_t copies,
                   bool bias) {
    Extra e(name, role, part, out, in, bias);
    e.copies = copies;
    e.weight = Weight::linear;
    return e;
}

}  // namespace memory_budget::model::families
