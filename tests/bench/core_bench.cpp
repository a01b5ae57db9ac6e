// SPDX-License-Identifier: MIT
// The core's functions over the texts of a folder, text to text: core_bench FOLDER. Each file is one job: its name
// says which function it is for (calculate-NAME, config-NAME), its lines are the texts that take turns.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/api.h"

namespace {

using Function = std::string (*)(std::string_view);

void run(benchmark::State& state, Function function, const std::vector<std::string>& texts) {
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(function(texts[next]));
        next = (next + 1) % texts.size();
    }
}

}  // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    if (count != 2) return 2;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        std::vector<std::string> texts;
        std::ifstream stream(file);
        for (std::string line; std::getline(stream, line);) texts.push_back(line);
        const std::string name = file.stem().string();
        const Function function =
            name.rfind("config-", 0) == 0 ? memory_budget::api::read_config : memory_budget::api::calculate;
        benchmark::RegisterBenchmark(name.c_str(), run, function, texts);
    }
    benchmark::RunSpecifiedBenchmarks();
}
