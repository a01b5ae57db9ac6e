// SPDX-License-Identifier: MIT
// Every figure that the course's two documents print, through the request and response that a page uses.
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

/// A value as the documents print it: as many decimals as the printed figure has.
std::string as_printed(double value, const std::string& printed) {
    const std::size_t dot = printed.find('.');
    const int decimals = dot == std::string::npos ? 0 : static_cast<int>(printed.size() - dot - 1);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

double gb(const json& bytes) {
    return bytes.get<double>() / 1e9;
}

double segment(const json& response, const std::string& id) {
    return gb(find(response["budget"]["segments"], "id", id)["bytes"]);
}

double row(const json& response, const std::string& id) {
    return gb(find(response["budget"]["rows"], "id", id)["bytes"]);
}

using Read = std::function<double(const json&)>;

/// Where each quantity of the documents stands in a response.
const std::map<std::string, Read> quantities = {
    {"weights, BF16", [](const json& r) { return r["bytes_per_parameter"]["weights"].get<double>(); }},
    {"gradients, BF16", [](const json& r) { return r["bytes_per_parameter"]["gradients"].get<double>(); }},
    {"Adam moments, FP32", [](const json& r) { return r["bytes_per_parameter"]["optimizer"].get<double>(); }},
    {"Adam moments, 8-bit",
     [](const json& r) { return find(r["bytes_per_parameter_table"], "id", "optimizer_8bit")["bytes"].get<double>(); }},
    {"master weights, FP32", [](const json& r) { return r["bytes_per_parameter"]["master"].get<double>(); }},
    {"full fine-tune, total", [](const json& r) { return r["bytes_per_parameter"]["total"].get<double>(); }},
    {"total", [](const json& r) { return r["bytes_per_parameter"]["total"].get<double>(); }},
    {"optimizer states and master copy",
     [](const json& r) { return r["bytes_per_parameter"]["states"].get<double>(); }},
    {"full fine-tune over inference at BF16",
     [](const json& r) { return r["ratios"]["full_over_bf16"].get<double>(); }},
    {"full fine-tune over inference at Q4_K_M",
     [](const json& r) { return r["ratios"]["full_over_q4_k_m"].get<double>(); }},
    {"4-bit base",
     [](const json& r) { return find(r["bytes_per_parameter_table"], "id", "base_4bit")["bytes"].get<double>(); }},
    {"weights", [](const json& r) { return segment(r, "weights"); }},
    {"inference weights, 16-bit", [](const json& r) { return row(r, "weights"); }},
    {"gradients", [](const json& r) { return segment(r, "gradients"); }},
    {"master and optimizer", [](const json& r) { return segment(r, "master_and_optimizer"); }},
    {"master", [](const json& r) { return row(r, "master"); }},
    {"optimizer", [](const json& r) { return row(r, "optimizer"); }},
    {"base", [](const json& r) { return segment(r, "base"); }},
    {"frozen base", [](const json& r) { return segment(r, "base"); }},
    {"frozen base, 4-bit without overhead", [](const json& r) { return segment(r, "base"); }},
    {"adapter", [](const json& r) { return segment(r, "adapter"); }},
    {"adapter weights, gradients, master and optimizer", [](const json& r) { return segment(r, "adapter"); }},
    {"activations and logits", [](const json& r) { return segment(r, "activations_and_logits"); }},
    {"BF16 logits", [](const json& r) { return row(r, "logits"); }},
    {"reserve", [](const json& r) { return segment(r, "reserve"); }},
    {"free", [](const json& r) { return gb(r["fit"]["free_bytes"]); }},
    {"over", [](const json& r) { return gb(r["fit"]["over_bytes"]); }},
    {"requested", [](const json& r) { return gb(r["fit"]["requested_bytes"]); }},
    {"machine", [](const json& r) { return gb(r["fit"]["machine_bytes"]); }},
    {"per GPU", [](const json& r) { return gb(r["budget"]["fixed_bytes"]); }},
    {"fixed part", [](const json& r) { return gb(r["budget"]["fixed_bytes"]); }},
    {"trainable parameters", [](const json& r) { return r["model"]["trainable_parameters"].get<double>() / 1e6; }},
    {"trainable share",
     [](const json& r) {
         return 100 * r["model"]["trainable_parameters"].get<double>() / r["model"]["parameters"].get<double>();
     }},
};

/// What the documents leave to their own context: an adapter's figures are of an adapter method.
json request_of(const json& figure) {
    json request = figure["inputs"];
    const std::string quantity = figure["quantity"];
    if (!request.contains("method")) {
        if (quantity.rfind("trainable", 0) == 0 || quantity.rfind("adapter", 0) == 0) request["method"] = "lora";
        if (quantity.rfind("frozen base, 4-bit", 0) == 0) request["method"] = "qlora";
    }
    return request;
}

std::string computed(const json& figure) {
    const json request = request_of(figure);
    const std::string quantity = figure["quantity"];
    const std::string printed = figure["printed"];
    if (quantity == "growth of the logits") {
        json first = request;
        json last = request;
        first["batch"] = request["batch"][0];
        last["batch"] = request["batch"][1];
        return as_printed(row(ask(last), "logits") / row(ask(first), "logits"), printed);
    }
    if (quantity == "removed by dropping the master copy") {
        const json with = ask(json::object());
        const json without = ask(request);
        return as_printed(
            with["bytes_per_parameter"]["total"].get<double>() - without["bytes_per_parameter"]["total"].get<double>(),
            printed);
    }
    const json response = ask(request);
    if (!response["ok"]) return response["errors"].dump();
    // A bar's total is the machine that it stands against.
    if (quantity == "total" && figure["unit"] == "GB") return as_printed(gb(response["fit"]["machine_bytes"]), printed);
    if (quantity == "smallest tier") return response["fit"]["tier"]["id"].get<std::string>() + " GB";
    const auto read = quantities.find(quantity);
    if (read == quantities.end()) return "no such quantity: " + quantity;
    return as_printed(read->second(response), printed);
}

}  // namespace

TEST_CASE("every figure of the course's documents comes out to the printed digit", "[figures]") {
    std::ifstream file(MEMORY_BUDGET_TEST_DATA "/figures.json");
    REQUIRE(file);
    const json figures = json::parse(file);
    REQUIRE(figures.size() == 81);
    for (const json& figure : figures) {
        const std::string id = figure["id"];
        std::string expected = figure["printed"];
        // The document prints 43.7; its own rule gives 43,646,976.
        if (id == "adapter.8b") expected = "43.6";
        INFO(id << ": " << figure["quantity"] << " for " << figure["inputs"]);
        CHECK(computed(figure) == expected);
    }
}

TEST_CASE("rank 16 on Qwen3-8B's seven projections is 43,646,976 parameters", "[figures]") {
    const json response = ask({{"model", "qwen3-8b"}, {"method", "lora"}, {"rank", 16}});
    CHECK(response["model"]["trainable_parameters"] == 43646976);
}
