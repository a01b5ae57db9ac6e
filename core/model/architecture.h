// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memory_budget::model {

/// What holds a weight. It decides whether adapters find it by name and whether a 4-bit load quantises it.
enum class Weight : std::uint8_t {
    linear,   ///< exactly PyTorch's linear class: found by adapters, quantised
    derived,  ///< a class derived from it (Falcon's): found by adapters, not quantised (the test is on the exact type)
    conv1d,   ///< GPT-2's transposed linear: found by adapters, quantised
    parameter,  ///< a bare parameter (fused experts, routers): neither
};

/// Where a tensor exists: most both in the class of Transformers 5.16.1 and in the published checkpoint; some in
/// the checkpoint alone (router biases that the class keeps as buffers, towers that the config does not describe).
enum class Presence : std::uint8_t { both, checkpoint };

/// A matrix from `in` to `out` features; absent where `out` is 0.
struct Linear {
    std::string_view name;  ///< last part of the module's name: `q_proj`
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool bias = false;
    Weight weight = Weight::linear;
    Presence presence = Presence::both;

    Linear() = default;
    Linear(const char* name, std::int64_t in, std::int64_t out, bool bias = false, Weight weight = Weight::linear);

    bool present() const { return out > 0; }
};

enum class NormKind : std::uint8_t {
    rms,        ///< cast back first, then times the weight (Llama)
    rms_gemma,  ///< times (1 + weight) in 32 bits, cast at the end
    rms_wide,   ///< times the weight in 32 bits, cast at the end (OLMo 2 and 3, gpt-oss, Gemma 3n)
    rms_power,  ///< the same, the root written as a power and the weight cast to 32 bits (Gemma 4)
    layer,      ///< mean and variance
};

/// A normalisation over `size` features; absent where `size` is 0.
struct Norm {
    std::string_view name;
    NormKind kind = NormKind::rms;
    std::int64_t size = 0;
    bool weight = true;
    bool bias = false;
    Presence presence = Presence::both;

    Norm() = default;
    /// Layer norms have a bias, others have none.
    Norm(const char* name, NormKind kind, std::int64_t size);

    bool present() const { return size > 0; }
    std::int64_t parameters() const { return (weight ? size : 0) + (bias ? size : 0); }
};

/// How the rotary embedding's code is written, since that decides which tensors it makes.
enum class RotaryKind : std::uint8_t {
    none,
    halves,           ///< second half negated and joined before the first (Llama)
    halves_wide,      ///< the same with 32-bit tables, results cast back (OLMo 2 and 3)
    partial_inside,   ///< only the first part of a head, cut and joined within the function (Phi-3, GLM-4.5)
    partial_outside,  ///< only the first part of a head, cut and joined by the caller (Phi, StableLM)
    partial_neox,     ///< as partial_inside, over slices of the joined product, joined one after the other (NeoX)
    interleaved,      ///< every second element, tables repeated anew in each block (GLM, GLM-4)
    split_products,   ///< two halves, four products, one join, tables of half the size (gpt-oss)
    complex,          ///< complex product (Llama 4, DeepSeek V2)
    latent,           ///< on the rotary part of a latent attention, neighbours taken apart (DeepSeek V3)
};

struct Rotary {
    RotaryKind kind = RotaryKind::none;
    std::int64_t size = 0;  ///< rotated features of a head
    int tables = 0;         ///< rotary tables of the model: Gemma 3 and OLMo 3 keep one per kind of block
};

enum class AttentionKind : std::uint8_t {
    none,
    grouped,      ///< multi-head, grouped or multi-query attention
    latent,       ///< DeepSeek's multi-head latent attention
    delta,        ///< gated delta network (Qwen3-Next, Qwen3.5)
    convolution,  ///< gated short convolution (LFM2)
};

/// How query, key and value come out of the products.
enum class QkvLayout : std::uint8_t {
    separate,            ///< three linears
    slices,              ///< one linear, three slices (Phi-3)
    split,               ///< one linear, split in three (GPT-2)
    per_head,            ///< one linear, per head query, key, value (NeoX, BLOOM)
    falcon_groups,       ///< one linear, per group queries, key, value (Falcon's newer decoder)
    falcon_multi_query,  ///< one linear, all queries, one key, one value
    falcon_multi_head,   ///< one linear, per head query, key, value
};

enum class QkNorm : std::uint8_t {
    none,
    head,         ///< over each head, before the heads are moved forward (Qwen 3)
    head_after,   ///< over each head, after the heads are moved forward (Gemma 3)
    whole,        ///< over all heads together, before they are taken apart (OLMo 2, OLMoE, MiniMax)
    head_placed,  ///< over each head, of the value too, and then the positions, before the heads move (Gemma 4)
    unweighted,   ///< over each head, no weight (Llama 4)
};

/// How the attention is written where no kernel is used.
enum class EagerKind : std::uint8_t { usual, gpt2, falcon, sinks };

/// Latent attention: low-rank query (absent: `Attention::q` is used) and joined low-rank key and value.
struct Latent {
    Linear q_a, q_b, kv_a, kv_b;
    Norm q_norm, kv_norm;
    std::int64_t nope_dim = 0;  ///< features of a head without positions
    std::int64_t rope_dim = 0;  ///< features of a head with positions
    std::int64_t kv_rank = 0;
};

/// Gated delta network. Either joined products (`qkvz`, `ba`: Qwen3-Next) or apart (`qkv`, `z`, `b`, `a`: Qwen3.5).
struct Delta {
    Linear qkvz, ba, qkv, z, b, a;
    Norm norm;  ///< over a value head
    std::int64_t key_heads = 0;
    std::int64_t value_heads = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    std::int64_t kernel = 0;  ///< width of the convolution over joined q, k, v
};

/// Gated short convolution: three streams in, one out, a depthwise kernel between.
struct Convolution {
    Linear in, out;
    std::int64_t kernel = 0;
    bool bias = false;
};

struct Attention {
    Attention();

    AttentionKind kind = AttentionKind::none;
    std::string_view path;  ///< module within the block: `self_attn`
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;   ///< of query and key
    std::int64_t value_dim = 0;  ///< of value
    QkvLayout layout = QkvLayout::separate;
    Linear q, k, v, qkv, o;  ///< `q, k, v` where separate, else `qkv`
    QkNorm qk_norm = QkNorm::none;
    Norm q_norm, k_norm;
    EagerKind eager = EagerKind::usual;
    std::int64_t window = 0;            ///< sliding window in tokens; 0: all tokens
    std::int64_t chunk = 0;             ///< chunked attention in tokens (Llama 4); 0: none
    bool rope = true;                   ///< false: this block has no positions (SmolLM 3, Llama 4)
    int rotary_table = 0;               ///< which of the model's rotary tables it reads
    std::int64_t rotary = 0;            ///< rotated features of a head in this block; 0: none
    bool sinks = false;                 ///< one learned score a head (gpt-oss)
    double softcap = 0;                 ///< of the scores; 0: none
    double dropout = 0;                 ///< of the scores
    double output_dropout = 0;          ///< of the output product
    bool output_gate = false;           ///< `q` gives a gate of the same width too (Qwen3-Next)
    bool key_is_value = false;          ///< value is the key product (Gemma 4's full attention)
    bool shared_kv = false;             ///< key and value of an earlier block (Gemma 3n and 4)
    bool alibi = false;                 ///< positions as a bias of the scores (BLOOM, some Falcon)
    std::int64_t position_buckets = 0;  ///< learned relative positions (T5), owned by this block; 0: none
    Latent latent;
    Delta delta;
    Convolution convolution;
};

enum class Activation : std::uint8_t {
    silu,
    gelu,          ///< one kernel, exact or tanh
    gelu_written,  ///< `gelu_new`: written out in five operations
    gelu_bloom,    ///< BLOOM's: written out within a Python function, which keeps its input alone
    relu,
    relu_squared,
};

enum class MlpKind : std::uint8_t {
    none,
    gated,         ///< `gate`, `up`, `down`
    gated_joined,  ///< `up` holds gate and up (2 x width), `down`
    plain,         ///< `up`, `down`
};

struct Mlp {
    Mlp();

    MlpKind kind = MlpKind::none;
    std::string_view path;  ///< module within the block: `mlp`
    std::int64_t width = 0;
    Activation activation = Activation::silu;
    Linear gate, up, down;
    double dropout = 0;
};

enum class RouterKind : std::uint8_t {
    softmax_top,  ///< softmax over all, then the largest (Mixtral, Qwen, OLMoE)
    top_softmax,  ///< the largest, then softmax over these (Granite, gpt-oss)
    sigmoid,      ///< sigmoid scores, a correction bias for the choice (DeepSeek V3, GLM-4.5, MiniMax)
};

struct Router {
    RouterKind kind = RouterKind::softmax_top;
    std::string_view path;         ///< module within the block: `mlp.gate`
    Linear weight;                 ///< hidden to experts; `bias` where it has one
    bool normalised = false;       ///< chosen weights are made to sum to one
    bool wide = false;             ///< chosen weights stay at 32 bits (Mixtral)
    bool wide_product = false;     ///< the product is in 32 bits, whatever the weights are (DeepSeek, GLM-4.5)
    bool scaled = false;           ///< chosen weights are multiplied by a number (DeepSeek, GLM-4.5)
    std::int64_t groups = 1;       ///< of experts, some of which are chosen first (DeepSeek)
    bool correction_bias = false;  ///< one number an expert, a buffer in the class, a tensor in the checkpoint
};

/// Routed experts, held as parameters of three dimensions in Transformers 5.
struct Experts {
    Experts();

    std::int64_t count = 0;  ///< 0: none
    std::int64_t per_token = 0;
    std::int64_t width = 0;
    std::string_view path;  ///< module within the block: `mlp.experts`
    Linear gate_up;         ///< one expert's joined gate and up: `in` hidden, `out` 2 x width
    Linear down;            ///< one expert's down
    Activation activation = Activation::silu;
    bool bias = false;         ///< a bias for each expert (gpt-oss)
    bool interleaved = false;  ///< gate and up take turns, both clamped (gpt-oss)
    bool transposed = false;   ///< stored as expert, in, out (gpt-oss, Llama 4)
    Router router;
    Mlp shared;                                ///< the part that all tokens pass
    Linear shared_gate;                        ///< a sigmoid gate on it (Qwen 2 MoE)
    bool adapted_by_name = false;              ///< PEFT 0.20 turns names of the parts into adapters on these parameters
    bool router_adapted = false;               ///< and, for all-linear, on the router's weight (named `gate`)
    std::string_view part_gate = "gate_proj";  ///< names of an expert's matrices where they are apart
    std::string_view part_up = "up_proj";
    std::string_view part_down = "down_proj";

    bool present() const { return count > 0; }
};

/// Where the norms of a block stand.
enum class BlockLayout : std::uint8_t {
    pre_norm,   ///< before attention and MLP
    sandwich,   ///< before and after both
    post_norm,  ///< after both, within the residual branch (OLMo 2)
    sum_norm,   ///< after the residual sum (BERT, OPT-350m)
    parallel,   ///< attention and MLP read the same input; one norm, or one for each
};

/// In which order a parallel block adds up, and how a sequential one does.
enum class ResidualSum : std::uint8_t {
    residual_first,   ///< residual + branch (Llama)
    branch_first,     ///< branch + residual (GPT-2's attention)
    mlp_attention,    ///< (mlp + attention) + residual (NeoX)
    attention_mlp,    ///< (attention + mlp) + residual (Phi)
    one_after_other,  ///< (residual + attention) + mlp (StableLM)
    branch_held,      ///< residual + branch, every step a variable of its own (BLOOM)
    in_place,         ///< mlp += attention, residual + mlp (Falcon)
};

enum class Role : std::uint8_t { embedding, attention, mlp, expert, router, norm, head, other };
enum class Part : std::uint8_t { text, vision, audio, mtp };

/// A tensor (or matrix with bias) that the inventory lists and the step of a text model does not run through:
/// towers, prediction layers, families with pieces of their own.
struct Extra {
    std::string_view name;  ///< path from the block or the model
    Role role = Role::other;
    Part part = Part::text;
    std::int64_t rows = 0;     ///< output features; or the length of a vector
    std::int64_t columns = 1;  ///< input features; 1 for a vector
    bool bias = false;         ///< `rows` more
    std::int64_t copies = 1;
    Weight weight = Weight::parameter;
    Presence presence = Presence::both;

    /// A matrix that no linear module holds, or (of one column) a vector.
    Extra(const char* name, Role role, Part part, std::int64_t rows, std::int64_t columns = 1, bool bias = false);
};

struct Block {
    Block();
    Block(const Block&);
    Block(Block&&) noexcept;
    Block& operator=(const Block&);
    Block& operator=(Block&&) noexcept;
    ~Block();

    BlockLayout layout = BlockLayout::pre_norm;
    ResidualSum sum = ResidualSum::residual_first;
    Norm before_attention, after_attention, before_mlp, after_mlp;
    Attention attention;
    Attention cross;  ///< of a decoder that reads an encoder (T5)
    Norm before_cross;
    Mlp mlp;                         ///< dense part; absent where experts alone are used
    Experts experts;                 ///< with `mlp` too in Gemma 4
    bool scalar = false;             ///< what comes out is multiplied, in place, by a buffer of one number (Gemma 4)
    double residual_multiplier = 0;  ///< 0: none (Granite)
    std::vector<Extra> extras;
};

/// How the model is put together around its blocks.
enum class Body : std::uint8_t { decoder, encoder, encoder_decoder };

/// A network, normalised: what the inventory of tensors and the dry run of a step are made from, without a look at
/// the configuration. Sizes are in elements.
struct Architecture {
    std::string family;  ///< the `model_type` that was read
    std::string name;    ///< of the model where known, else empty
    Body body = Body::decoder;
    bool steps_known = false;  ///< the dry run of a step has been checked against this family
    std::int64_t hidden = 0;
    std::int64_t vocabulary = 0;
    std::int64_t context = 0;  ///< `max_position_embeddings`; 0: not given

    // Embedding.
    std::string_view embedding_name;
    std::int64_t embedding_width = 0;  ///< differs from `hidden` where projections follow (OPT-350m)
    bool embedding_scale = false;      ///< times a buffer in the weights' type (Gemma)
    double embedding_multiplier = 0;   ///< times a number (Granite); 0: none
    std::string_view positions_name;
    std::int64_t positions = 0;      ///< rows of a learned position table; 0: none
    std::int64_t token_types = 0;    ///< rows of a token type table (BERT)
    Norm embedding_norm;             ///< BLOOM, BERT
    Linear project_in, project_out;  ///< OPT-350m
    double embedding_dropout = 0;    ///< GPT-2

    // Blocks: equal ones once, and which of them each layer is.
    std::string_view blocks_name;  ///< path of the list of blocks: `model.layers`
    std::vector<Block> blocks;
    std::vector<std::uint16_t> layers;
    Rotary rotary;
    bool shares_keys = false;    ///< the last block of each kind leaves its keys and values for others (Gemma 4)
    bool always_masked = false;  ///< a mask is made even for full rows (Falcon)
    std::int64_t window = 0;     ///< of the sliding blocks; 0: none

    // Head.
    Norm final_norm;
    std::string_view head_name;
    bool tied_head = false;
    bool head_bias = false;
    bool head = true;                         ///< false: a model without one (BERT's encoder)
    Presence head_presence = Presence::both;  ///< checkpoint: the class ties a head that the checkpoint keeps apart
    double final_softcap = 0;
    double logits_divisor = 0;  ///< Granite; 0: none

    std::int64_t dense_width = 0;  ///< `intermediate_size`: the width of a dense block, also where all have experts

    // Beside the text model's blocks.
    std::vector<Extra> extras;
    std::vector<Block> prediction_blocks;  ///< multi-token prediction; in no run unless asked for
    std::int64_t prediction_copies = 0;    ///< how many of each of them

    bool liger_norm_in_place = true;  ///< Liger's norm writes its gradient over the incoming one
};

}  // namespace memory_budget::model
