// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/api/evaluate.h"

namespace memory_budget::api {

/// A model of the catalog: the course's five with the counts that the lesson prints, all others as they count out.
/// Empty (no id) where there is none of that name.
Model find_model(std::string_view id);

/// The sizes of an architecture as the course's arithmetic needs them.
recipe::Shape shape_of(const model::Architecture& architecture);

}  // namespace memory_budget::api
