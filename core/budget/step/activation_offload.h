// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "core/budget/step/tensor.h"

namespace memory_budget::budget::step {

class Tape;

/// Kept tensors wait on the host from forward to backward (TRL, models/activation_offloading.py, with its defaults:
/// pinned memory and a stream of its own; torchtune's is where it comes from).
class ActivationOffload {
  public:
    explicit ActivationOffload(Tape& tape) : tape_(tape) {}

    static constexpr std::int64_t on_the_way = 5;  ///< tensors that may be

    bool on = false;

    /// The copy on the host; null where `t` stays: parameters, what is small, and what another keeper has sent already.
    Tensor send(const Tensor& t);
    Tensor bring_back(const Tensor& away);
    /// A node of backward is done: what the one before it brought back goes.
    void node_done();
    void end();

  private:
    Tape& tape_;
    std::int64_t sent_ = 0;
    std::vector<std::pair<std::int64_t, Tensor>> leaving_;  ///< the last few live until they have arrived
    std::vector<Tensor> before_, now_;
};

}  // namespace memory_budget::budget::step
