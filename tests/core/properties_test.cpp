// SPDX-License-Identifier: MIT
// What must hold for every run, over generated requests; the seed is printed on failure.
#include <cmath>
#include <random>

#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

class Generator {
  public:
    explicit Generator(unsigned seed) : random_(seed) {}

    json request() {
        json request = {{"batch", log(1, 64)},
                        {"sequence", log(16, 65536)},
                        {"rank", log(1, 256)},
                        {"gpus", log(1, 64)},
                        {"machine_gb", log(8, 256)},
                        {"reserve_gb", log(0, 16)},
                        {"method", choice({"full", "lora", "qlora"})},
                        {"sharding", choice({"none", "zero-1", "zero-2", "zero-3", "fsdp2"})},
                        {"optimizer", choice({"adamw-fused", "adamw-8bit", "sgd", "lion", "adafactor"})},
                        {"master", choice({"none", "fp32"})},
                        {"targets", choice({"all-linear", "attention", "qv", "mlp"})}};
        if (log(1, 4) > 1)
            request["model"] = choice({"qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b", "qwen3-30b-a3b"});
        else
            request["model"] = {{"parameters", log(1000000, 100000000000)},
                                {"hidden_size", 64 * log(1, 128)},
                                {"num_hidden_layers", log(1, 128)},
                                {"vocab_size", log(1000, 300000)},
                                {"num_attention_heads", 8},
                                {"intermediate_size", log(64, 50000)}};
        return request;
    }

    std::int64_t log(std::int64_t low, std::int64_t high) {
        std::uniform_real_distribution<double> span(std::log(static_cast<double>(low) + 1),
                                                    std::log(static_cast<double>(high) + 1));
        return static_cast<std::int64_t>(std::exp(span(random_)) - 1);
    }

  private:
    std::string choice(std::vector<std::string> list) {
        return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random_)];
    }

    std::mt19937 random_;
};

std::int64_t total(const json& response) {
    return response["budget"]["total_bytes"];
}

}  // namespace

TEST_CASE("rows add up to the total, segments to what is requested", "[properties]") {
    const unsigned seed = std::random_device{}();
    Generator generator(seed);
    for (int i = 0; i < 2000; ++i) {
        const json request = generator.request();
        const json response = ask(request);
        INFO("seed " << seed << ", " << request);
        if (!response["ok"]) {  // a generated 0 is below its range
            CHECK(response["errors"].size() > 0);
            CHECK_FALSE(response.contains("budget"));
            continue;
        }
        std::int64_t rows = 0;
        for (const json& row : response["budget"]["rows"]) {
            CHECK(row["bytes"].is_number_integer());
            CHECK(row["bytes"] >= 0);
            rows += row["bytes"].get<std::int64_t>();
        }
        CHECK(rows == total(response));
        std::int64_t segments = 0;
        for (const json& segment : response["budget"]["segments"]) segments += segment["bytes"].get<std::int64_t>();
        const json& fit = response["fit"];
        CHECK(segments == fit["requested_bytes"]);
        CHECK(fit["machine_bytes"].get<std::int64_t>() + fit["over_bytes"].get<std::int64_t>() ==
              fit["requested_bytes"].get<std::int64_t>() + fit["free_bytes"].get<std::int64_t>());
        CHECK(fit["fits"] == (fit["over_bytes"] == 0));
    }
}

TEST_CASE("more batch, length, rank or parameters never needs less; more GPUs never more", "[properties]") {
    const unsigned seed = std::random_device{}();
    Generator generator(seed);
    for (int i = 0; i < 2000; ++i) {
        const json request = generator.request();
        const json response = ask(request);
        if (!response["ok"]) continue;
        INFO("seed " << seed << ", " << request);
        for (const char* key : {"batch", "sequence", "rank"}) {
            json more = request;
            more[key] = request[key].get<std::int64_t>() + generator.log(1, 32);
            CHECK(total(ask(more)) >= total(response));
        }
        if (request["model"].is_object()) {
            json more = request;
            more["model"]["parameters"] = request["model"]["parameters"].get<std::int64_t>() * 2;
            CHECK(total(ask(more)) >= total(response));
        }
        json fewer = request;
        fewer["gpus"] = (request["gpus"].get<std::int64_t>() + 1) / 2;
        CHECK(total(ask(fewer)) >= total(response));
    }
}

TEST_CASE("calculate is a pure function", "[properties]") {
    Generator generator(7);
    for (int i = 0; i < 200; ++i) {
        const std::string request = generator.request().dump();
        const std::string first = memory_budget::api::calculate(request);
        memory_budget::api::calculate("{\"model\":\"qwen3-4b\",\"method\":\"qlora\"}");
        CHECK(memory_budget::api::calculate(request) == first);
    }
}
