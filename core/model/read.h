// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "core/model/architecture.h"
#include "core/model/config.h"
#include "core/model/issue.h"

namespace memory_budget::model {

/// What came out of a configuration: an architecture exactly where there are no errors. Warnings say what was
/// assumed or left out.
struct Read {
    std::optional<Architecture> architecture;
    Issues errors;
    Issues warnings;
};

/// The architecture of a Hugging Face `config.json`, by its `model_type`. Keys that are absent have the defaults of
/// the class in Transformers 5.16.1; sizes (layers, widths, heads, vocabulary) have none and must be there.
/// Error codes: `not-an-object`, `adapter-config`, `tokenizer-config`, `image-config`, `generation-config`,
/// `unknown-model-type`, `missing-key`, `wrong-type`, `out-of-range`, `not-integer`, `not-a-choice`,
/// `heads-do-not-divide`, `list-too-short`, `too-many-parameters`. Warning codes: `general-decoder`,
/// `towers-not-described`, `towers-left-out`, `head-kept-apart`, `key-not-understood`.
Read read_architecture(const Config& config);

}  // namespace memory_budget::model
