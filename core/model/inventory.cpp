// SPDX-License-Identifier: MIT
#include "core/model/inventory.h"

namespace memory_budget::model {
namespace {

/// Walks an architecture and notes its tensors.
class Lister {
  public:
    explicit Lister(const Architecture& a) : a_(a) {}

    Inventory list() {
        frame();
        std::vector<std::int64_t> times(a_.blocks.size(), 0);
        for (const std::uint16_t kind : a_.layers) ++times[kind];
        for (std::size_t i = 0; i < a_.blocks.size(); ++i) {
            prefix_ = a_.blocks_name;
            prefix_ += ".*.";
            copies_ = times[i];
            block(a_.blocks[i]);
        }
        part_ = Part::mtp;
        prefix_ = "mtp.layers.*.";
        copies_ = a_.prediction_copies;
        for (const Block& b : a_.prediction_blocks) block(b);
        prefix_.clear();
        copies_ = 1;
        part_ = Part::text;
        for (const Extra& e : a_.extras) extra(e);
        return std::move(all_);
    }

  private:
    Tensor& add(std::string_view path, std::string_view name, Role role, std::int64_t rows, std::int64_t columns = 1) {
        Tensor t;
        t.name = prefix_;
        t.name += path;
        if (!path.empty() && !name.empty()) t.name += '.';
        t.name += name;
        t.role = role;
        t.part = part_;
        t.rows = rows;
        t.columns = columns;
        t.copies = copies_;
        all_.tensors.push_back(std::move(t));
        return all_.tensors.back();
    }

    void linear(std::string_view path, const Linear& l, Role role) {
        if (!l.present()) return;
        Tensor& t = add(path, l.name, role, l.out, l.in);
        t.bias = l.bias;
        t.weight = l.weight;
        t.presence = l.presence;
    }

    void norm(std::string_view path, const Norm& n) {
        if (!n.present() || n.parameters() == 0) return;
        Tensor& t = add(path, n.name, Role::norm, n.size);
        t.bias = n.bias;
        t.presence = n.presence;
    }

    void extra(const Extra& e) {
        Tensor& t = add({}, e.name, e.role, e.rows, e.columns);
        if (e.part != Part::text) t.part = e.part;
        t.bias = e.bias;
        t.copies *= e.copies;
        t.weight = e.weight;
        t.presence = e.presence;
    }

    void frame() {
        add({}, a_.embedding_name, Role::embedding, a_.vocabulary, a_.embedding_width);
        if (a_.positions > 0) add({}, a_.positions_name, Role::embedding, a_.positions, a_.hidden);
        if (a_.token_types > 0) add({}, "embeddings.token_type_embeddings", Role::embedding, a_.token_types, a_.hidden);
        norm({}, a_.embedding_norm);
        linear({}, a_.project_in, Role::other);
        linear({}, a_.project_out, Role::other);
        norm({}, a_.final_norm);
        if (!a_.head) return;
        if (!a_.tied_head) {
            Tensor& t = add({}, a_.head_name, Role::head, a_.vocabulary, a_.embedding_width);
            t.bias = a_.head_bias;
            t.weight = Weight::linear;
            t.presence = a_.head_presence;
        } else if (a_.head_bias) {
            add(a_.head_name, "bias", Role::head, a_.vocabulary);
        }
    }

    void attention(const Attention& t) {
        if (t.kind == AttentionKind::none) return;
        const Latent& m = t.latent;
        const Delta& d = t.delta;
        for (const Linear* l : {&t.q, &t.k, &t.v, &t.qkv, &m.q_a, &m.q_b, &m.kv_a, &m.kv_b, &d.qkvz, &d.ba, &d.qkv,
                                &d.z, &d.b, &d.a, &t.convolution.in, &t.o, &t.convolution.out})
            linear(t.path, *l, Role::attention);
        for (const Norm* n : {&t.q_norm, &t.k_norm, &m.q_norm, &m.kv_norm, &d.norm}) norm(t.path, *n);
        if (t.sinks) add(t.path, "sinks", Role::attention, t.heads);
        if (t.position_buckets > 0)
            add(t.path, "relative_attention_bias", Role::embedding, t.position_buckets, t.heads);
        if (t.kind == AttentionKind::delta) {
            add(t.path, "conv1d", Role::attention, 2 * d.key_heads * d.key_dim + d.value_heads * d.value_dim, d.kernel);
            add(t.path, "dt_bias", Role::attention, d.value_heads);
            add(t.path, "A_log", Role::attention, d.value_heads);
        }
        if (t.kind == AttentionKind::convolution)
            add(t.path, "conv", Role::attention, a_.hidden, t.convolution.kernel).bias = t.convolution.bias;
    }

    void mlp(const Mlp& m) {
        for (const Linear* l : {&m.gate, &m.up, &m.down}) linear(m.path, *l, Role::mlp);
    }

    void experts(const Experts& e) {
        if (!e.present()) return;
        linear(e.router.path, e.router.weight, Role::router);
        if (e.router.correction_bias)
            add(e.router.path, "e_score_correction_bias", Role::router, e.count).presence = Presence::checkpoint;
        for (const Linear* l : {&e.gate_up, &e.down}) {
            Tensor& t = add(e.path, l->name, Role::expert, l->out, l->in);
            t.bias = e.bias;
            t.stack = e.count;
            t.used = e.per_token;
        }
        const std::size_t first = all_.tensors.size();
        mlp(e.shared);
        linear("mlp", e.shared_gate, Role::router);
        for (std::size_t i = first; i < all_.tensors.size(); ++i) all_.tensors[i].beside_experts = true;
    }

    void block(const Block& b) {
        norm({}, b.before_attention);
        attention(b.attention);
        norm({}, b.after_attention);
        norm({}, b.before_cross);
        attention(b.cross);
        norm({}, b.before_mlp);
        mlp(b.mlp);
        experts(b.experts);
        norm({}, b.after_mlp);
        for (const Extra& e : b.extras) extra(e);
    }

    const Architecture& a_;
    Inventory all_;
    std::string prefix_;
    Part part_ = Part::text;
    std::int64_t copies_ = 1;
};

bool seen(const Tensor& t, View view) {
    return view == View::checkpoint || t.presence == Presence::both;
}

}  // namespace

std::string_view Tensor::leaf() const {
    const std::string_view whole = name;
    const std::size_t dot = whole.rfind('.');
    return dot == std::string_view::npos ? whole : whole.substr(dot + 1);
}

std::int64_t Inventory::parameters(View view) const {
    return parameters(view, Part::text) + parameters(view, Part::vision) + parameters(view, Part::audio);
}

std::int64_t Inventory::parameters(View view, Part part) const {
    std::int64_t sum = 0;
    for (const Tensor& t : tensors)
        if (seen(t, view) && t.part == part) sum += t.parameters();
    return sum;
}

std::int64_t Inventory::active_parameters(View view) const {
    std::int64_t sum = 0;
    for (const Tensor& t : tensors)
        if (seen(t, view) && t.part == Part::text) sum += t.stack > 1 ? t.active_parameters() : t.parameters();
    return sum;
}

std::int64_t Inventory::parameters(View view, Role role) const {
    std::int64_t sum = 0;
    for (const Tensor& t : tensors)
        if (seen(t, view) && t.part == Part::text && t.role == role) sum += t.parameters();
    return sum;
}

std::int64_t Inventory::quantised_elements(View view) const {
    std::int64_t sum = 0;
    for (const Tensor& t : tensors)
        if (seen(t, view) && t.part != Part::mtp && t.quantised()) sum += t.weight_elements() * t.copies;
    return sum;
}

Inventory inventory(const Architecture& a) {
    return Lister(a).list();
}

double approximate_parameters(const Architecture& a) {
    double sum = 0;
    const Inventory all = inventory(a);
    for (const Tensor& t : all.tensors)
        sum += static_cast<double>(t.rows) * static_cast<double>(t.columns) * static_cast<double>(t.stack) *
               static_cast<double>(t.copies);
    return sum;
}

}  // namespace memory_budget::model
