// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/budget/step/activation_offload.h"
#include "core/budget/step/tensor.h"

namespace memory_budget::budget::step {

class Tape;
struct Frame;

/// How a node's gradients come from its results' gradients; `backward.cpp` has one case for each.
enum class Rule : std::uint8_t {
    accumulate,  // a leaf's gradient arrives
    pass,        // the same tensor to every input (sum, clone, expand, in-place sum)
    view,        // the input's shape
    transpose,   // a, b: the two dimensions
    permute,     // order: the dimensions
    slice,       // zeros of the input's shape
    split,       // a: dimension; sizes
    cat,         // a: dimension; sizes
    stack,       // views of the gradient
    cast,        // the input's type
    negate,
    subtract,
    multiply,
    scale,  // times a number
    power,
    mean,
    rsqrt,
    activation,  // keeps its input
    bloom_gelu,
    from_result,  // keeps its result: tanh, sigmoid, exp, softmax, log-softmax
    sum_last,
    sum_last_kept,
    sum_middle,
    sum_all,
    dropout,
    product,     // x (M,K) by w (N,K)
    product_kn,  // x (M,K) by w (K,N)
    batched,
    grouped,
    convolution,
    packed_product,  // 4-bit weight
    pick,            // zeros of the input's shape for top-k and maximum
    divide,
    masked_fill,
    clamp,
    index,
    index_add,
    embedding,
    layer_norm,
    negative_log_likelihood,
    loss_in_place,
    parted_loss,  // over parts of the rows; a: whether compiled
    flash,
    efficient,
    liger_norm,
    liger_gated,
    liger_rotary,
    liger_loss,
    hook,  // passes on, and tells somebody
    count
};

/// What an early-stopped recomputation has to fill: the place of one kept tensor of a checkpointed block.
struct Holder : Counted, Pooled<Holder> {
    Holder() : Counted(Type::holder) {}

    std::size_t index = 0;
    Ref<Frame> frame;
    Tensor value;
};

/// A part of the network that can be played again.
struct Replay {
    virtual Tensor play(const std::vector<Tensor>& inputs) = 0;

  protected:
    ~Replay() = default;
};

/// One checkpointed call: what it was called with, and the places to fill when it is played again.
struct Frame : Counted {
    Frame() : Counted(Type::frame) {}

    Replay* replay = nullptr;
    std::vector<Tensor> inputs;
    Tensor away;                   ///< the first of them, where it waits on the host
    std::vector<Holder*> holders;  ///< null where nobody waits any more
    std::size_t filled = 0;
    bool autocast = false;
    bool done = false;
};

/// A tensor kept for backward, or the promise of one.
struct Kept {
    Tensor tensor;
    Ref<Holder> holder;
    Tensor away;  ///< on the host
};

struct Edge {
    Ref<Node> node;
    std::uint8_t output = 0;
    DType dtype = DType::f32;
    Shape shape;
};

/// Somebody who wants to know that going backward has come to a place.
struct Hook {
    virtual void reached(std::size_t unit, bool end) = 0;
    /// The gradient of what went into a unit.
    virtual void passed(std::size_t, const Tensor&) {}

  protected:
    ~Hook() = default;
};

/// Somebody who takes a parameter's gradient over as soon as backward has it, whole or added to the one before.
struct Arrival {
    virtual void arrived(const Tensor& parameter) = 0;

  protected:
    ~Arrival() = default;
};

/// What a node's rule needs besides tensors.
struct Detail {
    Shape shape;  ///< the input's shape
    DType dtype = DType::f32;
    Op op = Op::none;
    std::int8_t a = 0, b = 0;
    std::array<Dim, 4> sizes;
    Hook* hook = nullptr;
};

struct Node : Counted, Pooled<Node> {
    Node() : Counted(Type::node) {}

    static constexpr int max_inputs = 4, max_results = 4, max_kept = 8;

    Rule rule = Rule::pass;
    Section section = Section::none;
    std::uint8_t inputs = 0;
    bool reached = false;
    int waiting = 0;  ///< contributions that have not come in
    std::uint64_t order = 0;
    Tensor variable;  ///< of `accumulate`: the leaf
    std::array<Edge, max_inputs> edges;
    std::array<Tensor, max_results> pending;
    std::array<Kept, max_kept> kept;
    Detail detail;

    bool wants(int input) const { return static_cast<bool>(edges[static_cast<std::size_t>(input)].node); }
};

/// The state of a play: grad mode, autocast and its cache, checkpoint frames, and the autograd engine.
/// The rules are PyTorch 2.13's (autograd/engine.cpp, input_buffer.cpp, variable saving, utils/checkpoint.py,
/// autocast_mode.cpp), as far as they decide what is alive.
class Tape {
  public:
    explicit Tape(const Values& at, Log* log = nullptr) : ledger(at, log), values(at) {}
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    Ledger ledger;
    const Values& values;
    bool grad = true;
    bool autocast = false;
    DType half_type = DType::bf16;  ///< the 16 bits that autocast and a 4-bit product compute in
    Arrival* on_gradient = nullptr;
    ActivationOffload offload{*this};
    std::int32_t copies = 1;  ///< how many of what is made now there are, while a repeated block is loaded

    Tensor make(DType dtype, const Shape& shape, Op op, Category category = Category::activations);
    Tensor make(DType dtype, const Shape& shape, Op op, const Strides& strides);
    /// Another tensor on the same storage.
    static Tensor on(const Tensor& t, const Shape& shape, const Strides& strides);
    static Tensor on(const Tensor& t, const Shape& shape) { return on(t, shape, contiguous_strides(shape)); }
    static Tensor alias(const Tensor& t) { return on(t, t->shape, t->strides); }

    /// A node for an operation on these inputs; null where none needs a gradient.
    Ref<Node> node(Rule rule, std::initializer_list<const Tensor*> inputs);
    void keep(const Ref<Node>& node, int slot, const Tensor& t);
    Tensor kept(Node& node, int slot);
    static Tensor attach(Tensor out, const Ref<Node>& node, int output = 0);

    /// The cast that autocast makes of an argument; 32-bit leaves that are trained are cast once while it lasts.
    Tensor cast16(const Tensor& t);
    void begin_autocast(bool on);
    void end_autocast();

    Tensor checkpoint(Replay& replay, std::vector<Tensor> inputs);
    void backward(Tensor& root);
    /// Whether a checkpointed call is being played again.
    bool recomputing() const { return frame_ != nullptr && filling_; }

  protected:
    ~Tape() = default;
    virtual void derive(Node& node, std::array<Tensor, Node::max_results>& in,
                        std::array<Tensor, Node::max_inputs>& out) = 0;
    virtual Tensor cast(const Tensor& t, DType dtype) = 0;
    virtual Tensor sum_pair(const Tensor& a, const Tensor& b) = 0;

  private:
    void replay(Frame& frame);
    void clear_cache();
    void accumulate(Node& leaf);
    void take_over(TensorData& parameter, const Tensor& gradient);
    void reduce(Node& node, std::array<Tensor, Node::max_inputs>& out);

    std::uint64_t order_ = 0;
    Frame* frame_ = nullptr;  ///< innermost checkpointed call
    bool filling_ = false;    ///< whether it is being played again
    bool stopped_ = false;    ///< the recomputation has all that it needs: what follows makes nothing
    int nesting_ = 0;
    std::vector<Tensor> cached_;
};

}  // namespace memory_budget::budget::step
