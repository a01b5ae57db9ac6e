// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "core/budget/step/ledger.h"

namespace memory_budget::budget::step {

/// What a play is made of: objects that go with their last owner. A play is one thread's work, so that the count is a
/// plain integer.
struct Counted {
    enum class Type : std::uint8_t { storage, tensor, node, holder, frame };

    explicit Counted(Type t) : type(t) {}

    int refs = 0;
    Type type;
};

/// The part of an owning pointer that is the same for all; out of line, since it is used everywhere.
class Owner {
  public:
    explicit operator bool() const { return p_ != nullptr; }

  protected:
    Owner() = default;
    explicit Owner(Counted* p) : p_(p) {
        if (p != nullptr) ++p->refs;
    }
    Owner(Owner&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
    ~Owner();
    void take(const Owner& o);
    void take(Owner&& o);

    Counted* p_ = nullptr;
};

/// An owning pointer to a counted object.
template <typename T>
class Ref : public Owner {
  public:
    Ref() = default;
    Ref(std::nullptr_t) {}  // NOLINT: the empty reference
    explicit Ref(T* p) : Owner(p) {}
    Ref(const Ref& o) : Owner(o.p_) {}
    Ref(Ref&& o) noexcept = default;
    Ref& operator=(const Ref& o) {
        take(o);
        return *this;
    }
    Ref& operator=(Ref&& o) noexcept {
        take(std::move(o));
        return *this;
    }
    ~Ref() = default;

    T* get() const { return static_cast<T*>(p_); }
    T* operator->() const { return get(); }
    T& operator*() const { return *get(); }
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

struct Storage : Counted, Pooled<Storage> {
    Storage() : Counted(Type::storage) {}

    static constexpr std::uint32_t uncounted = ~0u;

    std::uint32_t kind = uncounted;
    std::int32_t copies = 1;  ///< a parameter of a repeated block stands for one in each
    Ledger* ledger = nullptr;
    bool sent = false;  ///< a copy of it waits on the host for backward
    bool away = false;  ///< its memory has been given back, though tensors still refer to it

    void put_away();
    void bring_back();
};

struct Node;
struct TensorData;
using Tensor = Ref<TensorData>;

/// A tensor has a type, a shape, strides and a storage, but no data.
struct TensorData : Counted, Pooled<TensorData> {
    TensorData() : Counted(Type::tensor) {}

    DType dtype = DType::f32;
    bool needs_grad = false;
    bool leaf = true;
    bool view = false;
    std::uint8_t output = 0;  ///< which result of its node it is
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
};

Strides contiguous_strides(const Shape& shape);

/// The strides that a view of another shape would have; false where only a copy can have it (ATen TensorUtils).
bool view_strides(const TensorData& t, const Shape& to, Strides& out);

/// The layout of an element-wise result over these operands (ATen TensorIterator).
Strides result_strides(const Shape& shape, const TensorData* const* operands, int count);

}  // namespace memory_budget::budget::step
