// SPDX-License-Identifier: MIT
// The boundary: text to text, no handles, no logic.
#include <emscripten/bind.h>

#include "core/api/api.h"

namespace {

std::string calculate(const std::string& request) {
    return memory_budget::api::calculate(request);
}

}  // namespace

EMSCRIPTEN_BINDINGS(memory_budget) {
    emscripten::function("calculate", &calculate);
    emscripten::function("catalog", &memory_budget::api::catalog);
    emscripten::function("version", &memory_budget::api::version);
}
