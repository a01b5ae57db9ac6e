// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/budget/step/dims.h"

namespace memory_budget::budget::step {

enum class DType : std::uint8_t { f32, bf16, f16, i64, i32, i8, u8, boolean, f64 };

constexpr std::int64_t size_of(DType d) {
    constexpr std::int64_t sizes[] = {4, 2, 2, 8, 4, 1, 1, 1, 8};
    return sizes[static_cast<int>(d)];
}
std::string_view name_of(DType dtype);

/// The parts of a step, in order; each has a peak of its own.
enum class Phase : std::uint8_t { load, forward, metrics, backward, clip, optimizer, count };
inline constexpr int phase_count = static_cast<int>(Phase::count);

enum class Category : std::uint8_t {
    parameters,  ///< trainable
    frozen,      ///< parameters that are not trained, in whatever precision
    quantization,
    buffers,
    gradients,
    optimizer,
    activations,
    workspace,  ///< inside one kernel, or between GPUs
    host,       ///< in the host's memory: no bytes of the device
    count
};
inline constexpr int category_count = static_cast<int>(Category::count);

/// What made a tensor.
enum class Op : std::uint8_t {
#define MEMORY_BUDGET_OP(name) name,
#include "core/budget/step/ops.inc"
#undef MEMORY_BUDGET_OP
    count
};
std::string_view name_of(Op op);

/// A part of the step that is played once and stands for several equal ones: a turn of a loop, or a kind of block
/// (`block` and all that follow it).
enum class Section : std::uint8_t { none, chunk, rows, block };
inline constexpr std::size_t loop_count = static_cast<std::size_t>(Section::block);
constexpr bool is_block(Section s) {
    return s >= Section::block;
}
constexpr Section block_section(std::size_t kind) {
    return static_cast<Section>(loop_count + kind);
}

/// A stretch of the network's blocks of which one of each kind is played: which kind each of them is, in the order of
/// forward, and after how many blocks the order repeats.
struct Stretch {
    std::vector<std::uint8_t> order;
    std::size_t period = 1;
};

/// The numbers that atoms and repeated sections stand for, at one batch and length.
struct Values {
    std::array<std::int64_t, atom_count> atoms = {};
    std::array<std::int64_t, loop_count> extra = {};  ///< further turns of a loop

    std::int64_t product(Atoms powers) const;
};

/// Tensors that are alike: they differ in nothing that the ledger shows.
struct Kind {
    DType dtype;
    Op op;
    Phase made;
    Category category;
    Section times;  ///< counted once for each further turn of this loop
    Shape shape;
    std::uint32_t size;       ///< index of its size
    std::int64_t units;       ///< how many of that size; none on the host
    std::int64_t host_units;  ///< on the host
    std::int64_t bytes;       ///< rounded, in this play
};

/// A size that kinds share: `bytes` times atoms, rounded up to the allocator's 512.
/// A size that is a multiple of 512 whatever the atoms are is counted in units of 512 of its atoms.
struct Size {
    std::int64_t bytes;
    Atoms atoms;
    Section times;

    std::int64_t value(const Values& values) const;
};

/// What is alive at one moment.
struct Moment {
    std::vector<std::int64_t> sizes;   ///< units by size
    std::vector<std::int64_t> counts;  ///< tensors by kind
    Op op = Op::none;
    std::int64_t bytes = 0;  ///< in this play
};

/// Every change of a ledger, in order. Where one is kept, no moments are.
struct Log {
    struct Change {
        std::uint32_t kind;
        std::int64_t count;  ///< negative where tensors go
        Phase phase;
        bool moved;  ///< under another heading, or for turns that are not played: makes no moment of its own
    };
    std::vector<Change> changes;
};

/// All tensors of a step by kind, and the moments that can be a phase's peak for some batch and length:
/// of two moments of a phase, one that holds no more of any size than the other can never be the peak.
class Ledger {
  public:
    explicit Ledger(const Values& values, Log* log = nullptr);

    std::uint32_t intern(DType dtype, const Shape& shape, Op op, Category category);
    void take(std::uint32_t kind, std::int64_t count);
    void release(std::uint32_t kind, std::int64_t count);
    /// The same tensor under another heading: no memory moves.
    std::uint32_t recategorise(std::uint32_t kind, std::int64_t count, Category category);

    void enter(Phase phase);
    /// What is alive now may be the phase's peak, though nothing was made.
    void mark();
    Phase phase() const { return phase_; }

    Stretch stretch;
    /// From here on a section is played, or none. What a turn of a loop or a block gains counts for all equal ones.
    /// The moments within are on a straight line from the first copy's to the last one's, so that these two decide;
    /// where kinds of blocks take turns the same holds for each place in the period.
    void switch_to(Section next);
    /// Whether what happens now stands for more than itself.
    bool repeated() const { return section_ != Section::none || in_stretch_; }
    Section section() const { return section_; }
    /// What the copies of a section had gained is gone.
    void forget(Section section);
    std::int64_t bytes() const { return bytes_; }
    Moment now(Op op) const;

    const std::vector<Kind>& kinds() const { return kinds_; }
    const std::vector<Size>& sizes() const { return sizes_; }
    std::vector<Moment>& moments(Phase phase) { return moments_[static_cast<std::size_t>(phase)]; }

  private:
    std::uint32_t intern(Kind kind);
    std::uint32_t size_index(std::int64_t bytes, Atoms atoms, Section times);
    void change(std::uint32_t kind, std::int64_t count, bool moved = true);
    void note();
    void close_loop();
    void end_stretch();

    const Values& values_;
    Log* log_;
    std::size_t section_start_ = 0;  ///< in the log
    std::vector<Kind> kinds_;
    std::vector<Size> sizes_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::int64_t> counts_;
    std::vector<std::int64_t> totals_;
    std::array<std::vector<Moment>, static_cast<std::size_t>(Phase::count)> moments_;
    /// A kind of block in this pass over the stretch.
    struct Part {
        Moment entry, exit;
        std::vector<Moment> inside;
    };
    std::vector<Part> parts_;
    Moment entry_, stretch_entry_;
    std::vector<Moment> inside_;  ///< the open section's moments
    std::int64_t bytes_ = 0;
    bool in_stretch_ = false;
    Phase phase_ = Phase::load;
    Section section_ = Section::none;
    Op last_ = Op::none;
    bool rising_ = false;
};

}  // namespace memory_budget::budget::step
