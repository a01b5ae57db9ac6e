// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

using Tower = void (*)(Reader& vision, Reader& whole, Architecture& a);

void linear(Architecture& a, const char* name, std::int64_t in, std::int64_t out, std::int64_t copies = 1,
            bool bias = false) {
    a.extras.push_back(extra_linear(name, Role::other, Part::vision, in, out, copies, bias));
}

void vector(Architecture& a, const char* name, std::int64_t size, std::int64_t copies = 1) {
    a.extras.push_back(extra_vector(name, Role::norm, Part::vision, size, copies));
}

/// A weight that no linear module holds: a convolution, a table.
void table(Architecture& a, const char* name, std::int64_t rows, std::int64_t columns, bool bias = false) {
    a.extras.push_back({name, Role::other, Part::vision, rows, columns, bias});
}

std::int64_t patches(Reader& v, std::int64_t patch) {
    const std::int64_t side = v.size("image_size") / patch;
    return side < (1 << 15) ? side * side : 0;
}

/// SigLIP, as in Gemma 3.
void siglip(Reader& v, Reader&, Architecture& a) {
    const std::int64_t h = v.size("hidden_size");
    const std::int64_t layers = v.size("num_hidden_layers");
    const std::int64_t width = v.size("intermediate_size");
    const std::int64_t patch = v.size("patch_size");
    table(a, "vision_tower.embeddings.patch_embedding", h, 3 * patch * patch, true);
    table(a, "vision_tower.embeddings.position_embedding", patches(v, patch), h);
    for (const char* name : {"vision_tower.layers.*.self_attn.q_proj", "vision_tower.layers.*.self_attn.k_proj",
                             "vision_tower.layers.*.self_attn.v_proj", "vision_tower.layers.*.self_attn.out_proj"})
        linear(a, name, h, h, layers, true);
    linear(a, "vision_tower.layers.*.mlp.fc1", h, width, layers, true);
    linear(a, "vision_tower.layers.*.mlp.fc2", width, h, layers, true);
    vector(a, "vision_tower.layers.*.layer_norm", h, 4 * layers);
    vector(a, "vision_tower.post_layernorm", h, 2);
    table(a, "multi_modal_projector.mm_input_projection_weight", h, a.hidden);
    vector(a, "multi_modal_projector.mm_soft_emb_norm", h);
}

/// The tower of Qwen 3 VL and 3.5, with a merger at the end and some on the way.
void qwen_vision(Reader& v, Reader&, Architecture& a) {
    const std::int64_t h = v.size("hidden_size");
    const std::int64_t layers = v.size("depth");
    const std::int64_t width = v.size("intermediate_size");
    const std::int64_t patch = v.size("patch_size");
    const std::int64_t merge = v.positive_or(2, "spatial_merge_size");
    const std::int64_t out = v.size("out_hidden_size");
    table(a, "visual.patch_embed.proj", h,
          v.positive_or(3, "in_channels") * v.positive_or(2, "temporal_patch_size") * patch * patch, true);
    table(a, "visual.pos_embed", v.positive_or(2304, "num_position_embeddings"), h);
    linear(a, "visual.blocks.*.attn.qkv", h, 3 * h, layers, true);
    linear(a, "visual.blocks.*.attn.proj", h, h, layers, true);
    linear(a, "visual.blocks.*.mlp.linear_fc1", h, width, layers, true);
    linear(a, "visual.blocks.*.mlp.linear_fc2", width, h, layers, true);
    vector(a, "visual.blocks.*.norm", h, 4 * layers);
    const std::int64_t merged = h * merge * merge;
    std::int64_t deep = 0;
    if (const Config* indexes = v.config().get("deepstack_visual_indexes"))
        deep = static_cast<std::int64_t>(indexes->items().size());
    vector(a, "visual.merger.norm", h, 2);
    if (deep > 0) vector(a, "visual.deepstack_merger_list.*.norm", merged, 2 * deep);
    linear(a, "visual.merger.linear_fc1", merged, merged, 1 + deep, true);
    linear(a, "visual.merger.linear_fc2", merged, out, 1 + deep, true);
}

void llama4_vision(Reader& v, Reader&, Architecture& a) {
    const std::int64_t h = v.size("hidden_size");
    const std::int64_t layers = v.size("num_hidden_layers");
    const std::int64_t width = v.size("intermediate_size");
    const std::int64_t patch = v.size("patch_size");
    linear(a, "vision_model.patch_embedding.linear", 3 * patch * patch, h);
    vector(a, "vision_model.class_embedding", h);
    table(a, "vision_model.positional_embedding_vlm", patches(v, patch) + 1, h);
    for (const char* name : {"vision_model.layers.*.self_attn.q_proj", "vision_model.layers.*.self_attn.k_proj",
                             "vision_model.layers.*.self_attn.v_proj", "vision_model.layers.*.self_attn.o_proj"})
        linear(a, name, h, h, layers, true);
    linear(a, "vision_model.layers.*.mlp.fc1", h, width, layers, true);
    linear(a, "vision_model.layers.*.mlp.fc2", width, h, layers, true);
    vector(a, "vision_model.layers.*.layernorm", h, 4 * layers);
    vector(a, "vision_model.layernorm", h, 4);
    const std::int64_t in = v.size("projector_input_dim");
    linear(a, "vision_model.vision_adapter.mlp.fc1", width, in);
    linear(a, "vision_model.vision_adapter.mlp.fc2", in, v.size("projector_output_dim"));
    linear(a, "multi_modal_projector.linear_1", v.size("vision_output_dim"), a.hidden);
}

/// A tower of gated blocks with norms without bias: Pixtral, and Gemma 4's with norms on both sides.
void gated_tower(Architecture& a, Reader& v, std::int64_t h, std::int64_t attention, std::int64_t keys,
                 std::int64_t norms) {
    const std::int64_t layers = v.size("num_hidden_layers");
    const std::int64_t width = v.size("intermediate_size");
    linear(a, "vision_tower.layers.*.attention.q_proj", h, attention, layers);
    linear(a, "vision_tower.layers.*.attention.k_proj", h, keys, layers);
    linear(a, "vision_tower.layers.*.attention.v_proj", h, keys, layers);
    linear(a, "vision_tower.layers.*.attention.o_proj", attention, h, layers);
    linear(a, "vision_tower.layers.*.feed_forward.gate_proj", h, width, layers);
    linear(a, "vision_tower.layers.*.feed_forward.up_proj", h, width, layers);
    linear(a, "vision_tower.layers.*.feed_forward.down_proj", width, h, layers);
    vector(a, "vision_tower.layers.*.norm", h, norms * layers);
}

void pixtral(Reader& v, Reader& whole, Architecture& a) {
    const std::int64_t h = v.size("hidden_size");
    const std::int64_t patch = v.size("patch_size");
    const std::int64_t merge = whole.positive_or(2, "spatial_merge_size");
    const bool bias = whole.flag_or(false, "multimodal_projector_bias");
    table(a, "vision_tower.patch_conv", h, 3 * patch * patch);
    vector(a, "vision_tower.ln_pre", h);
    gated_tower(a, v, h, h, h, 2);
    vector(a, "multi_modal_projector.norm", h);
    linear(a, "multi_modal_projector.patch_merger.merging_layer", h * merge * merge, h);
    linear(a, "multi_modal_projector.linear_1", h, a.hidden, 1, bias);
    linear(a, "multi_modal_projector.linear_2", a.hidden, a.hidden, 1, bias);
}

void gemma4_vision(Reader& v, Reader&, Architecture& a) {
    const std::int64_t h = v.size("hidden_size");
    const std::int64_t head = v.size("head_dim");
    const std::int64_t patch = v.size("patch_size");
    const std::int64_t heads = v.size("num_attention_heads");
    linear(a, "vision_tower.patch_embedder.input_proj", 3 * patch * patch, h);
    table(a, "vision_tower.patch_embedder.position_embedding_table", 2 * v.size("position_embedding_size"), h);
    gated_tower(a, v, h, heads * head, v.positive_or(heads, "num_key_value_heads") * head, 4);
    vector(a, "vision_tower.layers.*.attention.qk_norm", head, 2 * v.size("num_hidden_layers"));
    linear(a, "embed_vision.embedding_projection", h, a.hidden);
}

/// Reads `text_config` by `text` and, where there is a `vision_config`, the tower.
void composite(Reader& r, Architecture& a, Family text, Tower tower) {
    Reader inner = r.nested("text_config");
    text(inner, a);
    a.steps_known = false;
    if (r.has("tie_word_embeddings")) a.tied_head = r.flag_or(false, "tie_word_embeddings");
    if (!r.has("vision_config")) return;
    Reader vision = r.nested("vision_config");
    tower(vision, r, a);
}

}  // namespace

void gemma3(Reader& r, Architecture& a) {
    composite(r, a, gemma3_text, siglip);
}
void llama4(Reader& r, Architecture& a) {
    composite(r, a, llama4_text, llama4_vision);
}
void qwen3_vl(Reader& r, Architecture& a) {
    composite(r, a, qwen3, qwen_vision);
}
void qwen3_vl_moe(Reader& r, Architecture& a) {
    composite(r, a, qwen3_vl_moe_text, qwen_vision);
}
void qwen3_5(Reader& r, Architecture& a) {
    composite(r, a, qwen3_5_text, qwen_vision);
}
void qwen3_5_moe(Reader& r, Architecture& a) {
    composite(r, a, qwen3_5_moe_text, qwen_vision);
}

/// Gemma 4. The audio tower is of one size in all published models; where a configuration with per-layer inputs does
/// not mention it, the checkpoint has it all the same.
void gemma4(Reader& r, Architecture& a) {
    composite(r, a, gemma4_text, gemma4_vision);
    const bool described = r.has("audio_config");
    bool per_layer = false;
    for (const Extra& e : a.extras) per_layer = per_layer || e.name == "model.embed_tokens_per_layer";
    if (!described && (r.config().find("audio_config") || !per_layer)) return;
    constexpr std::int64_t tower = 304'824'608;
    constexpr std::int64_t width = 1536;
    Extra audio{"audio_tower", Role::other, Part::audio, tower};
    Extra projection = extra_linear("embed_audio.embedding_projection", Role::other, Part::audio, width, a.hidden, 1);
    audio.presence = projection.presence = described ? Presence::both : Presence::checkpoint;
    a.extras.push_back(audio);
    a.extras.push_back(projection);
    if (!described) r.warn("towers-not-described", "audio_config", "the checkpoint holds an audio tower too");
}

void gemma3n_towers(Reader& r, Architecture& a, Presence presence) {
    // Exact count of the published models less their text part; the same for both sizes.
    Extra towers{"vision_tower, audio_tower", Role::other, Part::vision, 983'281'504};
    towers.presence = presence;
    a.extras.push_back(towers);
    if (presence == Presence::checkpoint)
        r.warn("towers-not-described", "", "the checkpoint holds vision and audio towers too");
}

void gemma3n(Reader& r, Architecture& a) {
    Reader inner = r.nested("text_config");
    gemma3n_text(inner, a);
    gemma3n_towers(r, a, r.has("vision_config") ? Presence::both : Presence::checkpoint);
}

/// Mistral Small 3 and Ministral 3. The whole's class ties the head unless told otherwise; checkpoints whose text part
/// says that it is apart keep it.
void mistral3(Reader& r, Architecture& a) {
    const Config* text = r.config().get("text_config");
    const Config* type = text ? text->get("model_type") : nullptr;
    composite(r, a, type && type->text() == "ministral3" ? ministral3 : mistral, pixtral);
    if (r.has("tie_word_embeddings") || a.tied_head) return;
    a.head_presence = Presence::checkpoint;
    r.warn("head-kept-apart", "tie_word_embeddings", "the class ties the head that the checkpoint keeps apart");
}

/// Qwen 2 and 2.5 VL: the text part alone.
void qwen2_vl(Reader& r, Architecture& a) {
    r.warn("towers-left-out", "vision_config", "the vision tower is not counted");
    if (!r.has("text_config")) return qwen2(r, a);
    composite(r, a, qwen2, [](Reader&, Reader&, Architecture&) {});
}

}  // namespace memory_budget::model::families
