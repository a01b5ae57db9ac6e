// SPDX-License-Identifier: MIT
// Any text as a request: the response is JSON, the same when asked again, without a negative or a broken number, and
// has either a budget or an error. Run by libFuzzer; the corpus is made from the golden cases.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/api/api.h"

namespace {

using nlohmann::json;

void hold(bool condition) {
    if (!condition) __builtin_trap();
}

// Free bytes, differences and the like may be below nothing; sizes may not.
bool is_size(const std::string& key) {
    return key == "bytes" || key == "total_bytes" || key == "peak_bytes" || key == "end_bytes" ||
           key == "requested_bytes" || key == "fixed_bytes" || key == "parameters" || key == "trainable_parameters";
}

void check_numbers(const json& value) {
    if (value.is_number_float()) hold(std::isfinite(value.get<double>()));
    if (value.is_array())
        for (const json& one : value) check_numbers(one);
    if (!value.is_object()) return;
    for (const auto& [key, one] : value.items()) {
        if (one.is_number() && is_size(key)) hold(one.get<double>() >= 0);
        check_numbers(one);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string answer = memory_budget::api::calculate(text);
    hold(answer == memory_budget::api::calculate(text));
    const json response = json::parse(answer, nullptr, false);
    hold(response.is_object());
    hold(response.at("ok").get<bool>() == response.at("errors").empty());
    hold(response.at("ok").get<bool>() == response.contains("budget"));
    if (response.contains("budget")) {
        // What the request was is given back as it came: only what was made of it is checked.
        check_numbers(response["budget"]);
        check_numbers(response["model"]);
        check_numbers(response["fit"]);
    }
    return 0;
}
