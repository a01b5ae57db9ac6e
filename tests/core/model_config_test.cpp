// SPDX-License-Identifier: MIT
#include "core/model/config.h"
#include "tests/core/catch.h"
#include "tests/core/model_data.h"

using namespace memory_budget::model;
using nlohmann::json;

TEST_CASE("values of a configuration", "[config]") {
    Config c = Config::object();
    c.set("a", Config::number(3));
    c.set("a", Config::number(4));
    c.append("b", {});
    c.append("a", Config::number(5));
    REQUIRE(c.find("a"));
    CHECK(c.find("a")->number() == 5);
    CHECK(c.find("b"));
    CHECK(c.get("b") == nullptr);
    CHECK(c.find("c") == nullptr);
    CHECK(Config::boolean(true).truth());
    CHECK_FALSE(Config::number(1).truth());
    CHECK(Config::string("x").number() == 0);
}

TEST_CASE("compact lines", "[config]") {
    const Config c = parse_compact(
        "model_type=llama hidden_size=64 share=0.25 tied=true none=null "
        "types=[2*sliding,full]x3 list=[1,2] text_config={a=1 b={c=2}} last=word");
    CHECK(c.find("model_type")->text() == "llama");
    CHECK(c.find("hidden_size")->number() == 64);
    CHECK(c.find("share")->number() == 0.25);
    CHECK(c.find("tied")->truth());
    CHECK(c.find("none")->is_null());
    REQUIRE(c.find("types")->items().size() == 9);
    CHECK(c.find("types")->items()[8].text() == "full");
    CHECK(c.find("types")->items()[7].text() == "sliding");
    CHECK(c.find("list")->items()[1].number() == 2);
    CHECK(c.find("text_config")->find("b")->find("c")->number() == 2);
    CHECK(c.find("last")->text() == "word");
}

TEST_CASE("compact lines that are cut or broken do no harm", "[config]") {
    const std::string line = "a=[2*x,{b=1}]x3 c={d=[1,2 e=5} f=1.2.3 =7 g h=";
    for (std::size_t n = 0; n <= line.size(); ++n) CHECK(parse_compact(line.substr(0, n)).is_object());
}

TEST_CASE("a model travels in the fields that were read", "[config]") {
    for (const json& m : model_data("models.json")) {
        INFO(m["id"]);
        json padded = m["config"];
        padded["transformers_version"] = "5.16.1";
        padded["rope_scaling"] = {{"factor", 8}};
        const Config config = to_config(padded);
        const Read first = read_architecture(config);
        const std::string line = to_compact(config);
        CHECK(line.find("transformers") == std::string::npos);
        CHECK(line.size() < 1000);
        const Config back = parse_compact(line);
        const Read second = read_architecture(back);
        REQUIRE(second.architecture);
        const Inventory a = inventory(*first.architecture);
        const Inventory b = inventory(*second.architecture);
        CHECK(a.parameters(View::network) == b.parameters(View::network));
        CHECK(a.tensors.size() == b.tensors.size());
        CHECK(codes(first.warnings) == codes(second.warnings));
        CHECK(to_compact(back) == line);
    }
}

TEST_CASE("numbers keep their value in a compact line", "[config]") {
    for (const double value : {0.0, 1.0, 0.22, 0.25, 0.0078125, 12.0, 1e-6, 30.5, 4294967296.0}) {
        Config c = Config::object();
        c.set("x", Config::number(value));
        c.find("x");
        INFO(to_compact(c));
        CHECK(parse_compact(to_compact(c)).find("x")->number() == value);
    }
}

TEST_CASE("a short line cannot become a large tree", "[config]") {
    const Config c = parse_compact("a=[[[9999*x]x9999]x9999] b=[9999*[9999*y]] c=[9999*z]x9999");
    CHECK(c.find("c")->items().size() <= 10'000);
    CHECK(parse_compact(std::string(100'000, '[')).is_object());
    CHECK(parse_compact("a=" + std::string(100'000, '{')).is_object());
}
