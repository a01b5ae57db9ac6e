// SPDX-License-Identifier: MIT
#include <core/api/api.h>

#include <cstdio>

int main() {
    const std::string response =
        memory_budget::api::calculate(R"({"model":"qwen3-8b","method":"lora","machine_gb":24})");
    std::puts(response.c_str());
    return 0;
}
