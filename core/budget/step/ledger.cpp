// SPDX-License-Identifier: MIT
#include "core/budget/step/ledger.h"

#include <algorithm>
#include <utility>

namespace memory_budget::budget::step {

namespace {

constexpr std::int64_t granule = 512;  // the caching allocator's rounding, PyTorch c10/cuda/CUDACachingAllocator
constexpr std::uint32_t first_slots = 1024;

constexpr std::int64_t rounded(std::int64_t bytes) {
    return (bytes + granule - 1) / granule * granule;
}

bool alike(const Kind& a, const Kind& b) {
    if (a.dtype != b.dtype || a.op != b.op || a.made != b.made || a.category != b.category || a.times != b.times ||
        a.shape.rank != b.shape.rank)
        return false;
    for (int i = 0; i < a.shape.rank; ++i)
        if (a.shape[i].n() != b.shape[i].n() || a.shape[i].atoms() != b.shape[i].atoms()) return false;
    return true;
}

std::uint32_t hash(const Kind& k) {
    std::uint64_t h = static_cast<std::uint64_t>(k.dtype) | static_cast<std::uint64_t>(k.op) << 8 |
                      static_cast<std::uint64_t>(k.made) << 16 | static_cast<std::uint64_t>(k.category) << 20 |
                      static_cast<std::uint64_t>(k.times) << 24;
    for (int i = 0; i < k.shape.rank; ++i)
        h = (h ^ static_cast<std::uint64_t>(k.shape[i].n()) ^ static_cast<std::uint64_t>(k.shape[i].atoms()) << 40) *
            0x9E3779B97F4A7C15ull;
    return static_cast<std::uint32_t>(h >> 32);
}

}  // namespace

std::string_view name_of(DType dtype) {
    constexpr std::string_view names[] = {"float32", "bfloat16", "float16", "int64",  "int32",
                                          "int8",    "uint8",    "bool",    "float64"};
    return names[static_cast<int>(dtype)];
}

std::string_view name_of(Op op) {
    constexpr std::string_view names[] = {
#define MEMORY_BUDGET_OP(name) #name,
#include "core/budget/step/ops.inc"
#undef MEMORY_BUDGET_OP
    };
    return names[static_cast<int>(op)];
}

std::int64_t Values::product(Atoms powers) const {
    std::int64_t p = 1;
    for (std::size_t i = 0; powers != 0; ++i, powers >>= 2)
        for (Atoms e = powers & 3; e != 0; --e) p *= atoms[i];
    return p;
}

std::int64_t Size::value(const Values& values) const {
    std::int64_t v = rounded(bytes * values.product(atoms));
    return times == Section::none ? v : v * values.extra[static_cast<std::size_t>(times)];
}

Ledger::Ledger(const Values& values, Log* log) : values_(values), log_(log), slots_(first_slots, 0) {
    size_index(granule, 0, Section::none);
}

std::uint32_t Ledger::size_index(std::int64_t bytes, Atoms atoms, Section times) {
    for (std::uint32_t i = 0; i < sizes_.size(); ++i)
        if (sizes_[i].bytes == bytes && sizes_[i].atoms == atoms && sizes_[i].times == times) return i;
    sizes_.push_back({bytes, atoms, times});
    totals_.push_back(0);
    return static_cast<std::uint32_t>(sizes_.size() - 1);
}

std::uint32_t Ledger::intern(Kind kind) {
    if (kinds_.size() * 2 > slots_.size()) {
        slots_.assign(slots_.size() * 2, 0);
        for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
            std::uint32_t at = hash(kinds_[i]) & static_cast<std::uint32_t>(slots_.size() - 1);
            while (slots_[at] != 0) at = (at + 1) & static_cast<std::uint32_t>(slots_.size() - 1);
            slots_[at] = i + 1;
        }
    }
    const std::uint32_t mask = static_cast<std::uint32_t>(slots_.size() - 1);
    std::uint32_t at = hash(kind) & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask)
        if (alike(kinds_[slots_[at] - 1], kind)) return slots_[at] - 1;

    const Elements elements = kind.shape.elements();
    const std::int64_t total = elements.n * size_of(kind.dtype);
    const std::int64_t of_atoms = values_.product(elements.atoms);
    const std::int64_t bytes = of_atoms == 0 ? 0 : total / of_atoms;
    if (elements.atoms == 0) {
        kind.units = rounded(bytes) / granule;
        kind.size = size_index(granule, 0, kind.times);
    } else if (bytes % granule == 0) {
        kind.units = bytes / granule;
        kind.size = size_index(granule, elements.atoms, kind.times);
    } else {
        kind.units = 1;
        kind.size = size_index(bytes, elements.atoms, kind.times);
    }
    kind.bytes = rounded(total);
    if (kind.category == Category::host) {
        kind.host_units = std::exchange(kind.units, 0);
        kind.bytes = 0;
    }
    if (kind.times != Section::none) kind.bytes *= values_.extra[static_cast<std::size_t>(kind.times)];
    kinds_.push_back(kind);
    counts_.push_back(0);
    slots_[at] = static_cast<std::uint32_t>(kinds_.size());
    return slots_[at] - 1;
}

std::uint32_t Ledger::intern(DType dtype, const Shape& shape, Op op, Category category) {
    return intern(Kind{dtype, op, phase_, category, Section::none, shape, 0, 0, 0, 0});
}

void Ledger::change(std::uint32_t kind, std::int64_t count, bool moved) {
    const Kind& k = kinds_[kind];
    if (log_ != nullptr && kinds_[kind].category != Category::host)
        log_->changes.push_back({kind, count, phase_, moved});
    counts_[kind] += count;
    totals_[k.size] += k.units * count;
    bytes_ += k.bytes * count;
}

void Ledger::take(std::uint32_t kind, std::int64_t count) {
    change(kind, count, false);
    last_ = kinds_[kind].op;
    rising_ = true;
}

void Ledger::release(std::uint32_t kind, std::int64_t count) {
    if (rising_) note();
    change(kind, -count, false);
}

std::uint32_t Ledger::recategorise(std::uint32_t kind, std::int64_t count, Category category) {
    Kind moved = kinds_[kind];
    moved.category = category;
    const std::uint32_t to = intern(moved);
    change(kind, -count);
    change(to, count);
    return to;
}

void Ledger::enter(Phase phase) {
    if (rising_) note();
    phase_ = phase;
}

void Ledger::mark() {
    last_ = Op::none;
    note();
}

Moment Ledger::now(Op op) const {
    return {totals_, counts_, op, bytes_};
}

namespace {

bool holds_no_more(const std::vector<std::int64_t>& sizes, std::int64_t bytes, const Moment& b) {
    if (bytes > b.bytes) return false;
    const std::size_t both = std::min(sizes.size(), b.sizes.size());
    for (std::size_t i = 0; i < both; ++i)
        if (sizes[i] > b.sizes[i]) return false;
    for (std::size_t i = both; i < sizes.size(); ++i)
        if (sizes[i] > 0) return false;
    return true;
}

bool holds_no_more(const Moment& a, const Moment& b) {
    return holds_no_more(a.sizes, a.bytes, b);
}

/// Whether one of them holds so much that a moment with these sizes is never the highest.
bool covered(const std::vector<Moment>& all, const std::vector<std::int64_t>& sizes, std::int64_t bytes) {
    return std::any_of(all.begin(), all.end(), [&](const Moment& m) { return holds_no_more(sizes, bytes, m); });
}

/// Takes a moment among those that may be the highest, and those out that it shows not to be.
void consider(std::vector<Moment>& all, Moment&& moment) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (holds_no_more(moment, all[i])) return;
        if (holds_no_more(all[i], moment)) continue;
        if (kept != i) std::swap(all[kept], all[i]);
        ++kept;
    }
    all.resize(kept);
    all.push_back(std::move(moment));
}

void add(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from, std::int64_t sign) {
    if (to.size() < from.size()) to.resize(from.size(), 0);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += sign * from[i];
}

void add(Moment& to, const Moment& from, std::int64_t sign) {
    add(to.sizes, from.sizes, sign);
    add(to.counts, from.counts, sign);
    to.bytes += sign * from.bytes;
}

}  // namespace

void Ledger::note() {
    rising_ = false;
    if (log_ != nullptr) return;
    std::vector<Moment>& all = section_ == Section::none ? moments(phase_) : inside_;
    if (covered(all, totals_, bytes_)) return;
    consider(all, now(last_));
}

void Ledger::switch_to(Section next) {
    if (next == section_) return;
    if (rising_) note();
    if (is_block(section_)) {
        const std::size_t kind = static_cast<std::size_t>(section_) - loop_count;
        if (parts_.size() <= kind) parts_.resize(kind + 1);
        parts_[kind] = {std::move(entry_), now(Op::none), std::move(inside_)};
        inside_.clear();
    } else if (section_ != Section::none) {
        close_loop();
    }
    section_ = Section::none;
    if (!is_block(next) && in_stretch_) end_stretch();
    if (next == Section::none) return;
    entry_ = now(Op::none);
    if (log_ != nullptr) section_start_ = log_->changes.size();
    if (is_block(next) && !in_stretch_) {
        stretch_entry_ = entry_;
        in_stretch_ = true;
    }
    section_ = next;
}

void Ledger::close_loop() {
    // What the further turns gain, by kind: the same once more for each of them.
    std::vector<std::pair<std::uint32_t, std::int64_t>> gained;
    entry_.counts.resize(counts_.size(), 0);
    for (std::uint32_t k = 0; k < entry_.counts.size(); ++k) {
        const std::int64_t gain = counts_[k] - entry_.counts[k];
        if (gain == 0) continue;
        Kind further = kinds_[k];
        further.times = section_;
        gained.push_back({intern(further), gain});
    }
    const std::int64_t before = bytes_;
    for (const auto& [kind, count] : gained) change(kind, count);
    // The turn that was played stands in the log for the highest of all: the last where turns gain.
    if (log_ != nullptr && bytes_ > before) {
        const auto from = log_->changes.begin() + static_cast<std::ptrdiff_t>(section_start_);
        std::rotate(from, log_->changes.end() - static_cast<std::ptrdiff_t>(gained.size()), log_->changes.end());
    }
    std::vector<Moment>& all = moments(phase_);
    for (Moment& first : inside_) {
        Moment last = first;
        last.counts.resize(counts_.size(), 0);
        last.sizes.resize(totals_.size(), 0);
        for (const auto& [kind, count] : gained) {
            const Kind& k = kinds_[kind];
            last.counts[kind] += count;
            last.sizes[k.size] += k.units * count;
            last.bytes += k.bytes * count;
        }
        consider(all, std::move(first));
        consider(all, std::move(last));
    }
    inside_.clear();
}

void Ledger::end_stretch() {
    in_stretch_ = false;
    std::vector<Moment>& all = moments(phase_);
    Moment at = std::move(stretch_entry_);
    std::vector<std::int64_t> sizes;
    const std::size_t blocks = stretch.order.size();
    for (std::size_t i = 0; i < blocks; ++i) {
        const Part& part = parts_[stretch.order[phase_ == Phase::backward ? blocks - 1 - i : i]];
        // What this copy found beyond what the played one did; then what both gain.
        add(at, part.entry, -1);
        if (i < stretch.period || i + stretch.period >= blocks) {
            for (const Moment& inner : part.inside) {
                // Most are no higher than one of another block: their tensors need not be counted.
                sizes = at.sizes;
                add(sizes, inner.sizes, 1);
                if (covered(all, sizes, at.bytes + inner.bytes)) continue;
                Moment m = at;
                add(m, inner, 1);
                m.op = inner.op;
                consider(all, std::move(m));
            }
        }
        add(at, part.exit, 1);
    }
    for (std::uint32_t k = 0; k < at.counts.size(); ++k)
        if (at.counts[k] != counts_[k]) change(k, at.counts[k] - counts_[k]);
}

void Ledger::forget(Section section) {
    if (rising_) note();
    for (std::uint32_t k = 0; k < counts_.size(); ++k)
        if (kinds_[k].times == section) change(k, -counts_[k]);
}

}  // namespace memory_budget::budget::step
