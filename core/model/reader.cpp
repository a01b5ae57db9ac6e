// SPDX-License-Identifier: MIT
#include "core/model/reader.h"

namespace memory_budget::model {
namespace {

/// No size of a network comes near; products of two stay within 64 bits.
constexpr double largest_size = 1 << 30;

}  // namespace

std::string Reader::path(const char* key) const {
    std::string whole = prefix_;
    whole += key;
    return whole;
}

void Reader::error(const char* code, const char* key, const char* message) {
    errors_.push_back({code, path(key), message});
}

void Reader::warn(const char* code, const char* key, const char* message) {
    warnings_.push_back({code, path(key), message});
}

std::int64_t Reader::whole(const Config& value, const char* key, std::int64_t least) {
    const double number = value.number();
    if (!value.is_number()) {
        error("wrong-type", key, "a number is expected here");
    } else if (!(number >= static_cast<double>(least)) || number > largest_size) {
        error("out-of-range", key, "this size is too small or too large");
    } else if (const auto result = static_cast<std::int64_t>(number); static_cast<double>(result) == number) {
        return result;
    } else {
        error("not-integer", key, "a whole number is expected here");
    }
    return least > 0 ? least : 1;
}

const Config* Reader::first(const char* key, const char* other) const {
    const Config* value = config_.get(key);
    return value || !other ? value : config_.get(other);
}

std::int64_t Reader::size(const char* key, const char* other) {
    if (const Config* value = first(key, other)) return whole(*value, key, 1);
    error("missing-key", key, "the configuration does not say this size");
    return 1;
}

std::int64_t Reader::size_or(std::int64_t fallback, const char* key, const char* other) {
    const Config* value = first(key, other);
    return value ? whole(*value, key, 0) : fallback;
}

std::int64_t Reader::positive_or(std::int64_t fallback, const char* key, const char* other) {
    const Config* value = first(key, other);
    return value ? whole(*value, key, 1) : fallback;
}

double Reader::number_or(double fallback, const char* key) {
    const Config* value = config_.get(key);
    if (!value) return fallback;
    if (!value->is_number()) {
        error("wrong-type", key, "a number is expected here");
        return fallback;
    }
    return value->number();
}

bool Reader::flag_or(bool fallback, const char* key) {
    const Config* value = config_.get(key);
    if (!value) return fallback;
    if (value->is_number()) return value->number() != 0;
    if (value->kind() != Config::Kind::boolean) error("wrong-type", key, "true or false is expected here");
    return value->truth();
}

std::string_view Reader::word_or(const char* fallback, const char* key) {
    const Config* value = config_.get(key);
    if (!value) return fallback;
    if (!value->is_string()) {
        error("wrong-type", key, "a word is expected here");
        return fallback;
    }
    return value->text();
}

double Reader::rope_number_or(double fallback, const char* key) {
    if (has(key)) return number_or(fallback, key);
    const Config* rope = config_.get("rope_parameters");
    const Config* value = rope ? rope->get(key) : nullptr;
    return value && value->is_number() ? value->number() : fallback;
}

std::int64_t Reader::kv_heads(std::int64_t heads, std::int64_t class_default) {
    constexpr const char* key = "num_key_value_heads";
    const Config* value = config_.find(key);
    std::int64_t result = heads;
    if (!value)
        result = class_default > 0 ? class_default : heads;
    else if (!value->is_null())
        result = whole(*value, key, 1);
    if (result > heads || heads % result != 0) {
        if (clean()) error("heads-do-not-divide", key, "the number of heads is no multiple of the key and value heads");
        return heads;
    }
    return result;
}

const Config* Reader::layer_list(const char* key, std::int64_t layers) {
    const Config* list = config_.get(key);
    if (!list) return nullptr;
    if (!list->is_list()) {
        error("wrong-type", key, "a list with one entry a layer is expected here");
        return nullptr;
    }
    if (static_cast<std::int64_t>(list->items().size()) < layers) {
        error("list-too-short", key, "the list has fewer entries than there are layers");
        return nullptr;
    }
    return list;
}

const Config* Reader::layer_types(std::int64_t layers) {
    constexpr const char* key = "layer_types";
    const Config* list = layer_list(key, layers);
    if (!list) return nullptr;
    for (const Config& item : list->items()) {
        bool known = false;
        for (const std::string_view kind :
             {"full_attention", "sliding_attention", "chunked_attention", "linear_attention", "conv"})
            known = known || item.text() == kind;
        if (known) continue;
        error("not-a-choice", key, "a kind of layer that is not known here");
        return nullptr;
    }
    return list;
}

Reader Reader::nested(const char* key) {
    const Config* inner = config_.get(key);
    if (!inner || !inner->is_object()) {
        error(inner ? "wrong-type" : "missing-key", key, "an object is expected here");
        static const Config nothing = Config::object();
        inner = &nothing;
    }
    return Reader(*inner, path(key) + ".", errors_, warnings_);
}

}  // namespace memory_budget::model
