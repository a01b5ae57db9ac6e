// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "core/budget/step/ledger.h"

namespace memory_budget::budget::step {

/// An owning pointer to a counted object: `T` has `refs` and `static void destroy(T*)`.
/// A play is one thread's work, so that the count is a plain integer.
template <typename T>
class Ref {
  public:
    Ref() = default;
    Ref(std::nullptr_t) {}  // NOLINT: the empty reference
    explicit Ref(T* p) : p_(p) {
        if (p_ != nullptr) ++p_->refs;
    }
    Ref(const Ref& o) : Ref(o.p_) {}
    Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    Ref& operator=(const Ref& o) {
        Ref copy(o);
        std::swap(p_, copy.p_);
        return *this;
    }
    Ref& operator=(Ref&& o) noexcept {
        Ref taken(std::move(o));
        std::swap(p_, taken.p_);
        return *this;
    }
    ~Ref() {
        if (p_ != nullptr && --p_->refs == 0) T::destroy(p_);
    }

    T* get() const { return p_; }
    T* operator->() const { return p_; }
    T& operator*() const { return *p_; }
    explicit operator bool() const { return p_ != nullptr; }

  private:
    T* p_ = nullptr;
};

/// Memory for the many small objects of a play: what one gives back the next one takes. It is never given back to the
/// system, and no more than the largest play needs.
template <typename T>
struct Pooled {
    static void* operator new(std::size_t size) {
        if (spare == nullptr) return ::operator new(size);
        void* p = spare;
        spare = *static_cast<void**>(p);
        return p;
    }
    static void operator delete(void* p) {
        *static_cast<void**>(p) = spare;
        spare = p;
    }

  private:
    static inline thread_local void* spare = nullptr;
};

struct Storage : Pooled<Storage> {
    static constexpr std::uint32_t uncounted = ~0u;

    int refs = 0;
    std::uint32_t kind = uncounted;
    std::int32_t copies = 1;  ///< a parameter of a repeated block stands for one in each
    Ledger* ledger = nullptr;

    static void destroy(Storage* s);
};

struct Node;
struct TensorData;
using Tensor = Ref<TensorData>;

/// A tensor has a type, a shape, strides and a storage, but no data.
struct TensorData : Pooled<TensorData> {
    int refs = 0;
    DType dtype = DType::f32;
    bool needs_grad = false;
    bool leaf = true;
    bool view = false;
    std::int8_t output = 0;  ///< which result of its node it is
    Shape shape;
    Strides strides = {};
    Ref<Storage> storage;
    Ref<Node> node;              ///< what made it, if that is on the tape
    Node* accumulate = nullptr;  ///< of a leaf: where its gradient arrives, while anything refers to that
    Tensor grad;
    Tensor cached;  ///< its 16-bit copy while autocast's cache holds one

    int rank() const { return shape.rank; }
    std::int64_t elements() const { return shape.elements().n; }
    bool contiguous() const;
    /// Whether its elements fill its storage without gaps or overlaps, in any order.
    bool dense() const;

    static void destroy(TensorData* t);
};

Strides contiguous_strides(const Shape& shape);

/// The strides that a view of another shape would have; false where only a copy can have it (ATen TensorUtils).
bool view_strides(const TensorData& t, const Shape& to, Strides& out);

/// The layout of an element-wise result over these operands (ATen TensorIterator).
Strides result_strides(const Shape& shape, const TensorData* const* operands, int count);

}  // namespace memory_budget::budget::step
