// SPDX-License-Identifier: MIT
#include "core/budget/step/dims.h"

namespace memory_budget::budget::step {

Shape::Shape(Dim a) : dims{a}, rank(1) {}
Shape::Shape(Dim a, Dim b) : dims{a, b}, rank(2) {}
Shape::Shape(Dim a, Dim b, Dim c) : dims{a, b, c}, rank(3) {}
Shape::Shape(Dim a, Dim b, Dim c, Dim d) : dims{a, b, c, d}, rank(4) {}
Shape::Shape(Dim a, Dim b, Dim c, Dim d, Dim e) : dims{a, b, c, d, e}, rank(5) {}

Elements Shape::elements() const {
    Elements e;
    for (int i = 0; i < rank; ++i) {
        e.n *= (*this)[i].n();
        e.atoms += (*this)[i].atoms();
    }
    return e;
}

Dim Shape::leading() const {
    Dim p;
    for (int i = 0; i + 1 < rank; ++i) p = p * (*this)[i];
    return p;
}

Shape Shape::with(int i, Dim dim) const {
    Shape s = *this;
    s[i] = dim;
    return s;
}

void Shape::insert(int at, Dim dim) {
    for (int i = rank; i > at; --i) (*this)[i] = (*this)[i - 1];
    (*this)[at] = dim;
    ++rank;
}

bool operator==(const Shape& a, const Shape& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i)
        if (a[i].n() != b[i].n()) return false;
    return true;
}

}  // namespace memory_budget::budget::step
