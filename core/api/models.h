// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/api/evaluate.h"
#include "core/model/config.h"
#include "core/recipe/issue.h"

namespace memory_budget::api {

/// A model of the catalog: the course's five with the counts that the lesson prints, all others as they count out.
/// Empty (no id) where there is none of that name.
Model find_model(std::string_view id);

/// The model of a `config.json`; errors and warnings of its reading stand under `path`.
Model read_model(const model::Config& config, const std::string& path, recipe::Issues& issues);

}  // namespace memory_budget::api
