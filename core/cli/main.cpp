// SPDX-License-Identifier: MIT
// memory-budget: a JSON request on standard input, the response on standard output.
// Exit 0; 2 where a response holds errors or the command line is wrong.
#include <cstdio>
#include <string>

#include "core/api/api.h"

namespace {

constexpr const char* usage =
    "usage: memory-budget [--batch | --config | --catalog | --version | --help] < request.json\n"
    "  reads one JSON request and writes the response\n"
    "  --batch    one request a line, one response a line\n"
    "  --config   reads the text of a config.json and writes what was read from it\n"
    "  --catalog  writes the parameter table, models, tiers and presets\n"
    "exit status: 0, or 2 where a response holds errors\n";

void write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
}

/// Whether a response holds no errors.
bool fine(const std::string& response) {
    write(response);
    // Of the response only its own top-level key is spelled so: texts inside have their quotes escaped.
    return response.find("\"ok\":true") != std::string::npos;
}

bool answer(const std::string& request) {
    return fine(memory_budget::api::calculate(request));
}

/// One line without its end, or everything; false at the end of input.
bool read(std::string& text, bool line) {
    text.clear();
    int c = 0;
    bool any = false;
    while ((c = std::getchar()) != EOF) {
        any = true;
        if (line && c == '\n') break;
        text.push_back(static_cast<char>(c));
    }
    return any;
}

}  // namespace

int main(int count, char** arguments) {
    std::string text;
    if (count > 2) {
        std::fputs(usage, stderr);
        return 2;
    }
    if (count == 1) {
        read(text, false);
        return answer(text) ? 0 : 2;
    }
    const std::string option = arguments[1];
    if (option == "--config") {
        read(text, false);
        return fine(memory_budget::api::read_config(text)) ? 0 : 2;
    }
    if (option == "--catalog") {
        write(memory_budget::api::catalog());
        return 0;
    }
    if (option == "--version") {
        write(memory_budget::api::version());
        return 0;
    }
    if (option == "--help") {
        std::fputs(usage, stdout);
        return 0;
    }
    if (option != "--batch") {
        std::fputs(usage, stderr);
        return 2;
    }
    bool all = true;
    while (read(text, true))
        if (!answer(text)) all = false;
    return all ? 0 : 2;
}
