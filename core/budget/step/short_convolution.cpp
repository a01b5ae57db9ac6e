// SPDX-License-Identifier: MIT
#include "core/budget/step/attention.h"

namespace memory_budget::budget::step {

// Transformers 5.16.1, Lfm2ShortConv.slow_forward: three streams on one product, a depthwise kernel along the tokens.
// Every step is a variable of its own.
Tensor Attention::short_convolution(Operations& o, const Tensor& hidden) const {
    const Dim width(shape_.convolution.out.in), length = hidden->shape[1];
    const Tensor product = qkv_(o, hidden);
    const Tensor turned = o.transpose(product, 1, 2);
    Tensor part[3];
    o.split(turned, 1, {width, width, width}, part);
    const Tensor in = o.mul(part[0], part[2]);
    const Tensor longer = o.convolution(in, kernel_, kernel_bias_);
    const Tensor seen = o.slice(longer, 2, length);
    Tensor out = o.mul(part[1], seen);
    out = o.transpose(out, 1, 2);
    out = o.contiguous(out);
    return o_(o, out);
}

}  // namespace memory_budget::budget::step
