// SPDX-License-Identifier: MIT
#include "core/model/read.h"

#include "core/model/families/families.h"
#include "core/model/inventory.h"
#include "core/model/reader.h"

namespace memory_budget::model {
namespace {

bool has_any(const Config& c, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (c.contains(key)) return true;
    return false;
}

/// Files that lie beside a `config.json` and are taken for it. Empty where the file is none of them.
std::string_view other_file(const Config& c) {
    if (has_any(c, {"peft_type", "base_model_name_or_path"}) ||
        (c.contains("lora_alpha") && c.contains("target_modules")))
        return "adapter-config";
    if (has_any(c, {"hidden_size", "n_embd", "d_model", "text_config", "num_hidden_layers", "vocab_size"})) return {};
    if (has_any(c, {"tokenizer_class", "added_tokens_decoder", "added_tokens", "chat_template", "model_max_length"}))
        return "tokenizer-config";
    if (has_any(c, {"image_size", "patch_size", "num_channels", "_class_name", "image_processor_type",
                    "feature_extractor_type", "image_mean", "block_out_channels"}))
        return "image-config";
    if (!c.contains("model_type") && has_any(c, {"do_sample", "temperature", "top_p", "top_k", "max_new_tokens",
                                                 "eos_token_id", "bos_token_id", "_from_model_config"}))
        return "generation-config";
    return {};
}

/// Image models say their patches, and no vocabulary.
bool is_image_model(const Config& c) {
    return !has_any(c, {"vocab_size", "text_config"}) && has_any(c, {"image_size", "patch_size", "num_channels"});
}

void read_unknown(Reader& r, Architecture& a, Read& out) {
    const Config* text = r.config().get("text_config");
    if (text && text->is_object()) {
        Reader inner = r.nested("text_config");
        const Config* type = text->get("model_type");
        const families::Family family = type ? families::find_family(type->text()) : nullptr;
        r.warn("towers-left-out", "text_config", "only the text model is counted");
        if (family) return family(inner, a);
        read_unknown(inner, a, out);
        return;
    }
    const std::size_t before = out.errors.size();
    families::unknown_decoder(r, a);
    if (out.errors.size() == before)
        r.warn("general-decoder", "model_type",
               "unknown family: counted as a decoder with grouped attention, gated MLP and two RMS norms a block");
    else
        r.error("unknown-model-type", "model_type", "unknown family, and not enough keys for a general decoder");
}

/// More than this and counts are no exact doubles any longer.
constexpr double most_parameters = 9007199254740992.0;

}  // namespace

Read read_architecture(const Config& config) {
    Read out;
    if (!config.is_object()) {
        out.errors.push_back({"not-an-object", "", "a configuration is an object"});
        return out;
    }
    if (const std::string_view other = other_file(config); !other.empty()) {
        out.errors.push_back({other, "", "this file is not the model's config.json"});
        return out;
    }
    Architecture a;
    Reader r(config, "", out.errors, out.warnings);
    const std::string_view type = r.word_or("", "model_type");
    a.family = type;
    const families::Family family = families::find_family(type);
    if (!family && is_image_model(config)) {
        out.errors.push_back({"image-config", "", "this is the configuration of an image model"});
        return out;
    }
    if (family)
        family(r, a);
    else
        read_unknown(r, a, out);
    if (out.errors.empty() && approximate_parameters(a) > most_parameters)
        r.error("too-many-parameters", "", "more parameters than can be counted exactly");
    if (out.errors.empty()) out.architecture = std::move(a);
    return out;
}

}  // namespace memory_budget::model
