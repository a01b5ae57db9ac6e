// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/norm.h"
#include "core/budget/step/projection.h"
#include "core/budget/step/rotary.h"

namespace memory_budget::budget::step {

/// BLOOM's bias of the scores by position, made once a forward.
Tensor alibi(Operations& o, Dim heads, Dim batch, Dim length, DType hidden);

/// Multi-head attention with grouped keys and values: products, norms, positions, kernel, output product.
class Attention {
  public:
    Attention(Build& build, const model::Attention& attention, const model::Architecture& architecture);

    /// What the caller's code holds on to until its end goes to `held`.
    Tensor operator()(Operations& o, const Tensor& hidden, const RotaryTables& tables, const Tensor& mask,
                      Tensor& held) const;
    /// The cache for generation lets go of this block's keys and values.
    /// From now on its keys and values stay after it, those of the last time it was played.
    void leave_keys() { left_keys_ = true; }
    void drop_cache() { cache_[0] = cache_[1] = nullptr; }

  private:
    struct Heads {
        Tensor q, k, v;
        Tensor joined;   ///< the joined product, where the caller's code holds on to it
        Tensor rest[4];  ///< likewise the parts of rotated heads
    };

    void separate(Operations& o, const Tensor& hidden, Heads& h) const;
    void joined(Operations& o, const Tensor& hidden, Heads& h) const;
    void falcon(Operations& o, const Tensor& hidden, Heads& h) const;
    Tensor bloom(Operations& o, const Tensor& hidden, const Tensor& bias, const Tensor& mask, Tensor& held) const;
    Tensor short_convolution(Operations& o, const Tensor& hidden) const;
    void normed_heads(Operations& o, const Tensor& hidden, const RotaryTables& tables, Heads& h) const;
    void latent(Operations& o, const Tensor& hidden, const RotaryTables& tables, Heads& h) const;
    Tensor attend(Operations& o, const Heads& h, const Tensor& mask) const;
    Tensor fused(Operations& o, const Heads& h, const Tensor& mask) const;
    Tensor kernel(Operations& o, const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) const;
    Tensor eager(Operations& o, const Heads& h, const Tensor& mask) const;
    Tensor eager_gpt2(Operations& o, const Heads& h, const Tensor& mask) const;
    Tensor eager_falcon(Operations& o, const Heads& h, const Tensor& mask) const;
    Tensor eager_sinks(Operations& o, const Heads& h, const Tensor& mask) const;

    model::Attention shape_;
    model::RotaryKind rotary_;
    bool eager_, fused_rotary_, repeated_kv_, kept_cache_, left_keys_ = false;
    mutable Tensor cache_[2];
    Projection q_, k_, v_, qkv_, o_;
    Projection q_down_, q_up_, kv_down_, kv_up_;  ///< of latent attention
    Norm q_norm_, k_norm_, v_norm_;
    Tensor sinks_, kernel_, kernel_bias_;
};

}  // namespace memory_budget::budget::step
