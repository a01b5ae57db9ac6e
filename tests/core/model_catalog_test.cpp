// SPDX-License-Identifier: MIT
#include <set>

#include "core/catalog/models.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget;
using nlohmann::json;

TEST_CASE("every model of the catalog has its published count", "[models]") {
    std::map<std::string, json> published;
    for (const json& m : model_data("models.json")) published[m["id"]] = m;
    CHECK(catalog::models().size() >= 60);
    std::set<std::string> ids;
    for (const catalog::Model& m : catalog::models()) {
        INFO(m.hub);
        CHECK(ids.insert(catalog::id_of(m)).second);
        CHECK(catalog::find_model(catalog::id_of(m)) == &m);
        const model::Config config = catalog::config_of(m);
        const model::Read result = model::read_architecture(config);
        REQUIRE(result.architecture);
        const model::Inventory all = model::inventory(*result.architecture);
        const json& row = published.at(std::string(m.hub));
        CHECK(all.parameters(model::View::checkpoint) == row["exact_params"].get<std::int64_t>());
        CHECK(all.parameters(model::View::network) == row["class_params"].get<std::int64_t>());
        // The line says nothing that is not read.
        const model::Config again = model::parse_compact(model::to_compact(config));
        CHECK(again.keys() == config.keys());
    }
}

TEST_CASE("the course's models are in the catalog by the same keys", "[models]") {
    for (const char* id : {"qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b", "qwen3-30b-a3b", "llama-3.1-8b"}) {
        INFO(id);
        CHECK(catalog::find_model(id) != nullptr);
    }
    CHECK(catalog::find_model("Qwen3-8B") == nullptr);
    CHECK(catalog::find_model("") == nullptr);
}

TEST_CASE("the catalog's lines make the same networks as the whole files", "[models]") {
    for (const catalog::Model& m : catalog::models()) {
        INFO(m.hub);
        const auto line = *model::read_architecture(catalog::config_of(m)).architecture;
        const auto file = architecture(hub_config(std::string(m.hub)));
        CHECK(line.layers == file.layers);
        CHECK(line.context == file.context);
        CHECK(line.window == file.window);
        CHECK(line.dense_width == file.dense_width);
        CHECK(line.final_softcap == file.final_softcap);
        CHECK(line.rotary.size == file.rotary.size);
        CHECK(line.steps_known == file.steps_known);
        REQUIRE(line.blocks.size() == file.blocks.size());
        for (std::size_t i = 0; i < line.blocks.size(); ++i) {
            const model::Attention& a = line.blocks[i].attention;
            const model::Attention& b = file.blocks[i].attention;
            CHECK(a.window == b.window);
            CHECK(a.kv_heads == b.kv_heads);
            CHECK(a.head_dim == b.head_dim);
            CHECK(a.softcap == b.softcap);
            CHECK(line.blocks[i].mlp.activation == file.blocks[i].mlp.activation);
            CHECK(line.blocks[i].experts.router.normalised == file.blocks[i].experts.router.normalised);
        }
    }
}
