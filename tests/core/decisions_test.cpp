// SPDX-License-Identifier: MIT
// What takes many runs to answer, held against single runs.
#include <random>

#include "tests/core/catch.h"
#include "tests/core/response.h"

using nlohmann::json;

namespace {

json with(json request, const json& more) {
    for (const auto& [key, value] : more.items()) {
        if (value.is_null())
            request.erase(key);
        else
            request[key] = value;
    }
    return request;
}

bool fits(const json& request) {
    return ask(request)["fit"]["fits"].get<bool>();
}

std::int64_t requested(const json& request) {
    return ask(request)["fit"]["requested_bytes"];
}

/// Recipes of all kinds, each on a machine that is a little too small, or much too small.
std::vector<json> runs(unsigned seed, int count) {
    std::mt19937 random(seed);
    const auto one_of = [&](std::vector<json> list) {
        return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
    };
    std::vector<json> list;
    for (int i = 0; i < count; ++i) {
        json run = {{"model", one_of({"qwen3-0.6b", "qwen3-1.7b", "qwen3-8b", "qwen3-30b-a3b", "llama-3.1-8b"})},
                    {"basis", one_of({"course", "detailed"})},
                    {"method", one_of({"full", "lora", "qlora"})},
                    {"batch", one_of({1, 4, 6, 16})},
                    {"sequence", one_of({512, 2048, 3000, 8192})}};
        if (run["basis"] == "detailed") {
            run["stack"] = one_of({"trl", "trl-nll", "trl-liger", "transformers-bf16"});
            run["checkpointing"] = one_of({"block", "none"});
            run["attention"] = one_of({"flash", "masked", "eager"});
        }
        const double need = static_cast<double>(requested(run)) / 1e9;
        run["machine_gb"] = need * one_of({0.3, 0.6, 0.9, 0.98, 1.2, 3}).get<double>();
        list.push_back(std::move(run));
    }
    // Nothing alone makes this one fit.
    list.push_back({{"model", "qwen3-1.7b"},
                    {"basis", "detailed"},
                    {"stack", "trl-nll"},
                    {"method", "lora"},
                    {"batch", 8},
                    {"sequence", 4096},
                    {"machine_gb", 10}});
    return list;
}

void check_limit(const json& run, const std::string& key, const json& limit) {
    INFO(key << " " << limit << " of " << run);
    if (limit["value"].is_null()) {
        CHECK_FALSE(fits(with(run, {{key, limit["least"]}})));
        return;
    }
    const auto value = limit["value"].get<std::int64_t>();
    const json at = ask(with(run, {{key, value}}));
    CHECK(at["fit"]["fits"] == true);
    CHECK(at["fit"]["requested_bytes"] == limit["requested_bytes"]);
    CHECK(at["budget"]["total_bytes"] == limit["total_bytes"]);
    if (limit["capped"] == true) {
        CHECK(value == limit["cap"]);
        return;
    }
    const json more = ask(with(run, {{key, value + 1}}));
    CHECK(more["fit"]["fits"] == false);
    CHECK(more["fit"]["requested_bytes"] == limit["next_bytes"]);
}

}  // namespace

TEST_CASE("a surface equals single calls cell by cell", "[decisions]") {
    const unsigned seed = std::random_device{}();
    for (json run : runs(seed, 12)) {
        INFO("seed " << seed << ", " << run);
        const json asked = with(run, {{"surface", {{"batch", {1, 3, 8}}, {"sequence", {7, 512, 1500, 4096, 33000}}}}});
        const json surface = ask(asked)["surface"];
        REQUIRE(surface["rows"].size() == 3);
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t s = 0; s < 5; ++s) {
                run["batch"] = surface["batch"][b];
                run["sequence"] = surface["sequence"][s];
                const json single = ask(run);
                const json& row = surface["rows"][b];
                CHECK(row["total_bytes"][s] == single["budget"]["total_bytes"]);
                CHECK(row["requested_bytes"][s] == single["fit"]["requested_bytes"]);
                CHECK(row["fits"][s] == single["fit"]["fits"]);
                const json& tier = single["fit"]["tier"];
                if (tier.is_null())
                    CHECK(row["tier"][s].is_null());
                else
                    CHECK(surface["tiers"][row["tier"][s].get<std::size_t>()] == tier["id"]);
            }
    }
}

TEST_CASE("an axis is a list or a range that ends with its last value", "[decisions]") {
    const auto axis = [](const json& range) {
        return ask({{"surface", {{"batch", range}, {"sequence", {1024}}}}})["surface"]["batch"];
    };
    CHECK(axis({{"from", 1}, {"to", 8}, {"factor", 2}}) == json({1, 2, 4, 8}));
    CHECK(axis({{"from", 1}, {"to", 9}, {"factor", 2}}) == json({1, 2, 4, 8, 9}));
    CHECK(axis({{"from", 1}, {"to", 6}, {"factor", 1.1}}) == json({1, 2, 3, 4, 5, 6}));
    CHECK(axis({{"from", 1}, {"to", 64}, {"step", 1}}).size() == 64);
    CHECK(axis({{"from", 3}, {"to", 10}, {"step", 3}}) == json({3, 6, 9, 10}));
    CHECK(axis({{"from", 5}, {"to", 5}, {"step", 1}}) == json({5}));
    CHECK(axis({9, 1}) == json({9, 1}));
}

TEST_CASE("what is asked beside a budget is checked as parameters are", "[decisions]") {
    const auto code = [](const json& request, const std::string& path) {
        const json response = ask(request);
        CHECK(response["ok"] == false);
        INFO(response);
        return find(response["errors"], "path", path)["code"];
    };
    const auto surface = [](const json& batch) { return json{{"surface", {{"batch", batch}, {"sequence", {1}}}}}; };
    CHECK(code({{"surface", {{"batch", {1}}}}}, "surface.sequence") == "missing");
    CHECK(code({{"surface", 3}}, "surface") == "wrong-type");
    CHECK(code(surface({1, 0}), "surface.batch[1]") == "out-of-range");
    CHECK(code(surface({1.5}), "surface.batch[0]") == "not-integer");
    CHECK(code(surface(json::array()), "surface.batch") == "wrong-type");
    CHECK(code(surface(std::vector<int>(65, 1)), "surface.batch") == "too-many");
    CHECK(code(surface({{"from", 1}, {"to", 65}, {"step", 1}}), "surface.batch") == "too-many");
    CHECK(code(surface({{"from", 4}, {"to", 1}, {"step", 1}}), "surface.batch.to") == "out-of-range");
    CHECK(code(surface({{"from", 1}, {"to", 4}, {"factor", 1}}), "surface.batch.factor") == "out-of-range");
    CHECK(code(surface({{"from", 1}, {"to", 4}}), "surface.batch.step") == "missing");
    CHECK(code({{"lengths", std::vector<int>(257, 5)}}, "lengths") == "too-many");
    CHECK(code({{"lengths", {5, "6"}}}, "lengths[1]") == "wrong-type");
    CHECK(code({{"measurement", {{"meter", "device"}}}}, "measurement.bytes") == "missing");
    CHECK(code({{"measurement", {{"bytes", 0}, {"meter", "device"}}}}, "measurement.bytes") == "out-of-range");
    CHECK(code({{"measurement", {{"bytes", 5}, {"meter", "gauge"}}}}, "measurement.meter") == "not-a-choice");
}

TEST_CASE("the largest batch, length and rank fit, and one more does not", "[decisions]") {
    const unsigned seed = std::random_device{}();
    for (json run : runs(seed, 24)) {
        INFO("seed " << seed);
        run["views"] = {"limits"};
        const json limits = ask(run)["limits"];
        run.erase("views");
        check_limit(run, "batch", limits["batch"]);
        check_limit(run, "sequence", limits["sequence"]);
        if (run["method"] == "full")
            CHECK(limits["rank"].is_null());
        else
            check_limit(run, "rank", limits["rank"]);
    }
}

TEST_CASE("the largest model fits, and none that is larger does", "[decisions]") {
    const json catalog = json::parse(memory_budget::api::catalog());
    for (const char* basis : {"course", "detailed"}) {
        const json run = {{"basis", basis}, {"method", "lora"}, {"machine_gb", 30}, {"batch", 2}};
        const json largest = ask(with(run, {{"views", {"limits"}}}))["limits"]["model"];
        REQUIRE(largest.is_object());
        CHECK(fits(with(run, {{"model", largest["id"]}})));
        for (const json& model : catalog["models"]) {
            if (model["parameters"] <= largest["parameters"]) continue;
            const json larger = ask(with(run, {{"model", model["id"]}}));
            INFO(model["id"]);
            CHECK((larger["ok"] == false || larger["fit"]["fits"] == false));
        }
    }
}

TEST_CASE("each change fits when applied, no milder one of its scale does, and its undo restores", "[decisions]") {
    const unsigned seed = std::random_device{}();
    std::size_t alone = 0, pairs = 0;
    for (json run : runs(seed, 40)) {
        INFO("seed " << seed << ", " << run);
        const json response = ask(with(run, {{"views", {"changes"}}}));
        const json& changes = response["changes"];
        CHECK(changes["fits"] == response["fit"]["fits"]);
        CHECK(changes["over_bytes"] == response["fit"]["over_bytes"]);
        if (changes["fits"] == true) {
            CHECK(changes["changes"].empty());
            CHECK(changes["machine"].is_null());
            continue;
        }
        CHECK((changes["changes"].empty() || changes["pairs"].empty()));
        json all = changes["changes"];
        for (const json& pair : changes["pairs"]) all.push_back(pair);
        alone += changes["changes"].size();
        pairs += changes["pairs"].size();
        if (changes["machine"].is_object()) {
            all.push_back({{"set", changes["machine"]["set"]}, {"undo", changes["machine"]["undo"]}});
        }
        for (const json& change : all) {
            INFO(change);
            const json changed = with(run, change["set"]);
            const json after = ask(changed);
            CHECK(after["fit"]["fits"] == true);
            CHECK(with(changed, change["undo"]) == run);
            if (!change.contains("levers")) continue;
            CHECK(after["fit"]["requested_bytes"] == change["requested_bytes"]);
            CHECK(after["budget"]["total_bytes"] == change["total_bytes"]);
            CHECK(change["saved_bytes"] == response["fit"]["requested_bytes"].get<std::int64_t>() -
                                               change["requested_bytes"].get<std::int64_t>());
            CHECK(after["warnings"].size() <= response["warnings"].size());
            if (run["basis"] == "detailed") {
                CHECK(change["from_phase"] == response["budget"]["peak_phase"]);
                CHECK(change["to_phase"] == after["budget"]["peak_phase"]);
            }
            const std::string last = change["levers"].back();
            if (last == "shorter-length")
                CHECK_FALSE(fits(with(changed, {{"sequence", changed["sequence"].get<int>() + 1}})));
            if (last == "lower-rank") CHECK_FALSE(fits(with(changed, {{"rank", changed["rank"].get<int>() + 1}})));
            if (last == "more-gpus" && changed["gpus"] > 2)
                CHECK_FALSE(fits(with(changed, {{"gpus", changed["gpus"].get<int>() / 2}})));
            if (last == "smaller-batch") {
                const int batch = run.value("batch", 1), turns = run.value("accumulation", 1);
                CHECK(changed["batch"].get<int>() * changed["accumulation"].get<int>() == batch * turns);
                for (int larger = changed["batch"].get<int>() + 1; larger < batch; ++larger)
                    if (batch * turns % larger == 0)
                        CHECK_FALSE(fits(with(changed, {{"batch", larger}, {"accumulation", batch * turns / larger}})));
            }
        }
    }
    CHECK(alone > 0);
    CHECK(pairs > 0);
}

TEST_CASE("changes stand in order of what they cost, and pairs only where nothing helps alone", "[decisions]") {
    const json run = {{"basis", "detailed"}, {"model", "qwen3-0.6b"}, {"method", "lora"},   {"stack", "trl-nll"},
                      {"batch", 8},          {"sequence", 4096},      {"machine_gb", 30.0}, {"views", {"changes"}}};
    const json changes = ask(run)["changes"];
    REQUIRE(changes["changes"].size() > 2);
    CHECK(changes["changes"][0]["costs"] == json::array());
    for (const json& change : changes["changes"]) CHECK(change["levers"].size() == 1);
    const json tight = ask(with(run, {{"model", "llama-3.1-70b"}, {"machine_gb", 40}}))["changes"];
    for (const json& change : tight["pairs"]) CHECK(change["levers"].size() == 2);
}

TEST_CASE("a list of lengths is answered in its order, with the length that fits", "[decisions]") {
    json run = {{"basis", "detailed"}, {"model", "qwen3-1.7b"}, {"method", "lora"}, {"machine_gb", 12}};
    const json lengths = {4096, 17, 900, 20000};
    const json answer = ask(with(run, {{"lengths", lengths}, {"views", {"limits"}}}));
    REQUIRE(answer["lengths"]["rows"].size() == lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const json& row = answer["lengths"]["rows"][i];
        const json single = ask(with(run, {{"sequence", lengths[i]}}));
        CHECK(row["sequence"] == lengths[i]);
        CHECK(row["total_bytes"] == single["budget"]["total_bytes"]);
        CHECK(row["requested_bytes"] == single["fit"]["requested_bytes"]);
        CHECK(row["fits"] == single["fit"]["fits"]);
    }
    CHECK(answer["lengths"]["max_length"] == answer["limits"]["sequence"]);
}

TEST_CASE("a measurement stands against the level that its meter reads", "[decisions]") {
    const json run = {{"basis", "detailed"}, {"model", "qwen3-1.7b"}, {"method", "lora"}};
    const json levels = ask(run)["budget"]["levels"];
    for (const json& level : levels) {
        const auto measured = [&](std::int64_t bytes) {
            return ask(with(run, {{"measurement", {{"bytes", bytes}, {"meter", level["id"]}}}}))["measurement"];
        };
        const json inside = measured(level["bytes"]);
        CHECK(inside["estimate_bytes"] == level["bytes"]);
        CHECK(inside["ratio"] == 1);
        CHECK(inside["verdict"] == "inside");
        CHECK(inside["reasons"].empty());
        CHECK(measured(level["low_bytes"])["verdict"] == "inside");
        CHECK(measured(level["high_bytes"])["verdict"] == "inside");
        const json above = measured(level["high_bytes"].get<std::int64_t>() + 1);
        CHECK(above["verdict"] == "above");
        CHECK_FALSE(above["reasons"].empty());
        const json below = measured(level["low_bytes"].get<std::int64_t>() - 1);
        CHECK(below["verdict"] == "below");
        CHECK_FALSE(below["reasons"].empty());
    }
}

TEST_CASE("reasons are those that the recipe leaves open", "[decisions]") {
    const auto reasons = [](json run) {
        run["basis"] = "detailed";
        run["measurement"] = {{"bytes", 900000000000}, {"meter", "device"}};
        return ask(run)["measurement"]["reasons"];
    };
    CHECK_FALSE(find(reasons({{"method", "lora"}}), "code", "logits-kept").is_null());
    CHECK(find(reasons({{"method", "lora"}, {"stack", "trl-nll"}}), "code", "logits-kept").is_null());
    CHECK(find(reasons({{"method", "full"}}), "code", "loaded-at-32-bit").is_null());
    CHECK(find(reasons({{"checkpointing", "none"}}), "code", "not-checkpointed").is_null());
}
