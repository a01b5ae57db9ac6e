// SPDX-License-Identifier: MIT
// The boundary: text to text, no handles, no logic.
#include <emscripten/bind.h>

#include "core/api/api.h"

namespace {

std::string calculate(const std::string& request) {
    return memory_budget::api::calculate(request);
}

std::string read_config(const std::string& text) {
    return memory_budget::api::read_config(text);
}

}  // namespace

EMSCRIPTEN_BINDINGS(memory_budget) {
    emscripten::function("calculate", &calculate);
    emscripten::function("readConfig", &read_config);
    emscripten::function("catalog", &memory_budget::api::catalog);
    emscripten::function("version", &memory_budget::api::version);
}
