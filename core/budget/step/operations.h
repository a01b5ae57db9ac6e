// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "core/budget/step/settings.h"
#include "core/budget/step/tape.h"

namespace memory_budget::budget::step {

/// A weight in 4 bits: what its product makes for backward depends on its sizes and its format alone.
struct PackedWeight {
    Dim rows, columns, blocks;
    Quantization format = Quantization::nf4_double;
    bool keeps_input = false;  ///< bitsandbytes up to 0.43.1 held on to it, and always dequantised the matrix
};

/// The operations that models are written in: what each allocates, keeps for backward and makes going backward.
/// What is kept of the inputs is kept before the result is made, what is kept of the result after, as PyTorch's
/// generated code does (tools/autograd/derivatives.yaml 2.13). Types under autocast are CUDA's.
/// An argument lives as long as its caller's variable does: callers write one operation a statement, and give a
/// variable up where Python's would be.
class Operations final : public Tape {
  public:
    using Tape::Tape;

    // Shapes: nothing is allocated unless a copy is unavoidable.
    Tensor view(const Tensor& t, const Shape& shape);
    Tensor reshape(const Tensor& t, const Shape& shape);
    Tensor transpose(const Tensor& t, int a, int b);
    Tensor permute(const Tensor& t, std::initializer_list<int> order);
    Tensor unsqueeze(const Tensor& t, int at);
    Tensor expand(const Tensor& t, const Shape& shape);
    Tensor slice(const Tensor& t, int dim, Dim length);  ///< the whole dimension makes no node
    Tensor every_second(const Tensor& t);                ///< of the last dimension
    void split(const Tensor& t, int dim, std::initializer_list<Dim> sizes, Tensor* parts);
    Tensor contiguous(const Tensor& t);
    Tensor clone(const Tensor& t, bool keep_layout = false);
    Tensor cat(std::initializer_list<const Tensor*> parts, int dim);
    Tensor stack_last(const Tensor& a, const Tensor& b);
    Tensor cast(const Tensor& t, DType dtype) override;

    /// The same tensor, by a node that tells `hook` when its gradient is there.
    Tensor watched(const Tensor& t, Hook& hook, std::size_t unit, bool end);

    // Element by element.
    Tensor add(const Tensor& a, const Tensor& b, Op op = Op::add);
    Tensor add_in_place(const Tensor& a, const Tensor& b);
    Tensor sub(const Tensor& a, const Tensor& b);
    Tensor mul(const Tensor& a, const Tensor& b);
    Tensor mul_in_place(const Tensor& a, const Tensor& b);  ///< by a buffer
    Tensor neg(const Tensor& t);
    Tensor scale(const Tensor& t, Op op = Op::mul);  ///< by a number
    Tensor scale_in_place(const Tensor& t);
    Tensor shift(const Tensor& t);  ///< plus a number
    Tensor pow(const Tensor& t);
    Tensor rsqrt(const Tensor& t);
    Tensor activation(const Tensor& t, Op op);  ///< keeps its input
    Tensor bloom_gelu(const Tensor& t);         ///< a Python function: keeps its input
    Tensor saturating(const Tensor& t, Op op);  ///< tanh, sigmoid, exp: keeps its result
    Tensor clamp(const Tensor& t, bool both_sides);
    Tensor dropout(const Tensor& t, bool on);
    Tensor divide_in_place(const Tensor& a, const Tensor& b);
    Tensor masked_fill(const Tensor& t, const Tensor& mask);
    Tensor masked_fill_in_place(const Tensor& t, const Tensor& mask);
    /// A tensor over these operands' broadcast shape that is on no tape.
    Tensor elementwise(Op op, std::initializer_list<const Tensor*> operands);

    // Over a dimension.
    Tensor mean_last(const Tensor& t);
    Tensor mean_all(const Tensor& t);
    Tensor sum_last(const Tensor& t);
    Tensor sum_last_kept(const Tensor& t);
    Tensor sum_middle(const Tensor& t);
    Tensor sum_all(const Tensor& t);
    Tensor softmax(const Tensor& t);
    Tensor log_softmax(const Tensor& t);
    Tensor top(const Tensor& t, Dim k, Tensor& indices, Op op = Op::topk);  ///< the values; the indices are kept
    Tensor gather(const Tensor& t, const Tensor& columns);                  ///< along the last dimension
    Tensor index(const Tensor& t, const Tensor& rows);                      ///< along the first dimension
    Tensor index_add_in_place(const Tensor& t, const Tensor& rows, const Tensor& added);
    Tensor index_copy(const Tensor& t, const Tensor& at,
                      const Tensor& copied);      ///< into the last dimension of a new one
    Tensor index_kept(const Tensor& t, int dim);  ///< one entry of a dimension
    Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias);
    Tensor nll(const Tensor& log_probabilities, const Tensor& target);
    Tensor parted_loss(const Tensor& x, const Tensor& weight, Dim rows, Modules modules, bool compiled, Tensor& logits);
    Tensor loss_in_place(const Tensor& logits, const Tensor& target);
    Tensor embedding(const Tensor& ids, const Tensor& weight);

    // Products.
    Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);
    Tensor linear_kn(const Tensor& x, const Tensor& weight, const Tensor& bias);  ///< GPT-2's: weight (in, out)
    Tensor linear_by_transpose(const Tensor& x, const Tensor& weight, const Tensor& bias);  ///< `x @ w.T`: never cached
    Tensor packed_linear(const Tensor& x, const PackedWeight& weight, const Tensor& bias);
    Tensor mm_kn(const Tensor& x, const Tensor& w, const Tensor& bias);
    Tensor bmm(const Tensor& x, const Tensor& y);
    Tensor baddbmm(const Tensor& bias, const Tensor& x, const Tensor& y);  ///< a number times the product, plus a bias
    Tensor matmul(const Tensor& a, const Tensor& b);                       ///< four dimensions
    /// Along the tokens of (batch, channels, tokens), each channel by itself, padded by the kernel less one on both
    /// sides: the result is longer.
    Tensor convolution(const Tensor& x, const Tensor& weight, const Tensor& bias);
    Tensor grouped_mm(const Tensor& x, const Tensor& w, const Tensor& offsets);

    // Attention kernels.
    Tensor flash(const Tensor& q, const Tensor& k, const Tensor& v);
    Tensor efficient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask);

    // Liger 0.8.5 (ops/*.py): Python functions around kernels.
    Tensor liger_norm(const Tensor& x, const Tensor& weight, bool in_place);
    Tensor liger_gated(const Tensor& a, const Tensor& b);
    void liger_rotary(Tensor& q, Tensor& k, const Tensor& cos, const Tensor& sin);
    /// `chunks`: the rows of those that can be the largest; of equal ones the first two.
    Tensor liger_loss(const Tensor& x, const Tensor& weight, std::initializer_list<Dim> chunks);

  protected:
    void derive(Node& node, std::array<Tensor, Node::max_results>& in,
                std::array<Tensor, Node::max_inputs>& out) override;
    Tensor sum_pair(const Tensor& a, const Tensor& b) override { return elementwise(Op::add, {&a, &b}); }

  private:
    Tensor like(const TensorData& t, DType dtype, Op op);  ///< same shape and, where it is dense, layout
    Tensor raw_reshape(const Tensor& t, const Shape& shape);
    static Tensor raw_transpose(const Tensor& t, int a, int b);
    static Tensor raw_slice(const Tensor& t, int dim, Dim length);
    Tensor mm(const Tensor& x, const Tensor& w, const Tensor& bias);
    Tensor unary(const Tensor& t, Rule rule, Op op);
    Tensor reduced(const Tensor& t, Rule rule, Op op, const Shape& to);
};

}  // namespace memory_budget::budget::step
