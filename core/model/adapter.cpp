// SPDX-License-Identifier: MIT
#include "core/model/adapter.h"

#include <string>

namespace memory_budget::model {
namespace {

/// PEFT's rule: the whole name, or its end from a dot on.
bool named(std::string_view module, std::string_view target) {
    if (!module.ends_with(target)) return false;
    return module.size() == target.size() || module[module.size() - target.size() - 1] == '.';
}

bool is_query_or_value(std::string_view leaf) {
    for (const std::string_view name : {"q_proj", "v_proj", "q", "v", "query", "value", "q_b_proj", "kv_b_proj",
                                        "qkv_proj", "query_key_value", "c_attn", "Wqkv"})
        if (leaf == name) return true;
    return false;
}

/// Counts one plan over an inventory.
class Counter {
  public:
    Counter(const Architecture& a, const Inventory& all, const AdapterPlan& plan) : a_(a), all_(all), plan_(plan) {}

    AdapterCount count() {
        found_.assign(plan_.names.size(), false);
        for (const Block& b : a_.blocks)
            if (b.experts.present()) experts_ = &b.experts;
        names_are_parts_ = experts_ && plan_.experts == ExpertAdapters::fused && experts_->adapted_by_name;
        const bool dense = experts_ && plan_.experts == ExpertAdapters::dense_equivalent;
        for (std::size_t i = 0; i < all_.tensors.size(); ++i) {
            const Tensor& t = all_.tensors[i];
            if (t.part == Part::mtp || (plan_.view == View::network && t.presence != Presence::both)) continue;
            const bool router = names_are_parts_ && experts_->router_adapted && t.role == Role::router &&
                                t.stack == 1 && t.leaf() == "weight";
            if (t.role == Role::expert && experts_)
                expert(i);
            else if ((!(dense && t.beside_experts) && chosen(t)) || (router && wants("gate")))
                add(i, plan_.rank, 1);
        }
        beside();
        finish();
        return std::move(out_);
    }

  private:
    /// Whether a dense name is asked for, by a list or by a set that has it.
    bool wants(std::string_view name) {
        bool yes = plan_.targets == TargetSet::all_linear || (plan_.targets == TargetSet::mlp && name != "gate");
        for (std::size_t i = 0; i < plan_.names.size(); ++i) {
            if (plan_.targets != TargetSet::names || !named(plan_.names[i], name)) continue;
            found_[i] = true;
            yes = true;
        }
        return yes;
    }

    bool is_part(std::string_view leaf) const {
        return leaf == experts_->part_gate || leaf == experts_->part_up || leaf == experts_->part_down;
    }

    bool chosen(const Tensor& t) {
        if (plan_.targets == TargetSet::names) return chosen_by_name(t);
        if (t.part != Part::text || !t.adaptable()) return false;
        // PEFT takes the names of an expert's parts for the fused parameters, and no longer finds modules by them.
        if (names_are_parts_ && is_part(t.leaf())) return false;
        switch (plan_.targets) {
            case TargetSet::attention:
                return t.role == Role::attention;
            case TargetSet::query_value:
                return t.role == Role::attention && is_query_or_value(t.leaf());
            case TargetSet::mlp:
                return t.role == Role::mlp;
            default:
                return true;
        }
    }

    bool chosen_by_name(const Tensor& t) {
        const bool table = t.role == Role::embedding && t.columns > 1;
        if (t.weight == Weight::parameter && !table) return false;
        bool yes = false;
        for (std::size_t i = 0; i < plan_.names.size(); ++i) {
            std::string_view name = plan_.names[i];
            const bool tower = name.starts_with("vision.");
            if (tower) name.remove_prefix(7);
            if ((t.part == Part::vision) != tower || t.part == Part::audio || !named(t.name, name)) continue;
            if (names_are_parts_ && is_part(name)) continue;
            found_[i] = true;
            yes = true;
        }
        return yes;
    }

    /// `matrices` of an adapter on one tensor, each `rank x (in + out)`.
    void add(std::size_t index, std::int64_t rank, std::int64_t matrices) {
        const Tensor& t = all_.tensors[index];
        std::int64_t once = rank * (t.rows + t.columns) * matrices;
        if (plan_.dora) {
            if (t.weight == Weight::parameter && t.role != Role::embedding)
                warn("dora-not-on-parameters", "the magnitude vector is made for modules alone");
            else
                once += t.role == Role::embedding ? t.columns : t.rows;
        }
        put(index, rank, once * t.copies, t.copies);
        if (t.role == Role::expert) out_.expert_parameters += once * t.copies;
    }

    void put(std::size_t index, std::int64_t rank, std::int64_t parameters, std::int64_t modules) {
        out_.tensors.push_back({index, rank, parameters});
        out_.parameters += parameters;
        out_.modules += modules;
    }

    void expert(std::size_t index) {
        const Tensor& t = all_.tensors[index];
        const bool down = named(t.name, experts_->down.name);
        const std::int64_t wanted =
            down ? wants_any(experts_->part_down, "down_proj")
                 : wants_any(experts_->part_gate, "gate_proj") + wants_any(experts_->part_up, "up_proj");
        switch (plan_.experts) {
            case ExpertAdapters::left_out:
                return;
            case ExpertAdapters::dense_equivalent: {
                const std::int64_t width = a_.dense_width > 0 ? a_.dense_width : experts_->width * experts_->per_token;
                const std::int64_t parameters = plan_.rank * (a_.hidden + width) * wanted * t.copies;
                if (wanted == 0) return;
                put(index, plan_.rank, parameters, wanted * t.copies);
                out_.expert_parameters += parameters;
                return;
            }
            case ExpertAdapters::separate: {
                const std::int64_t parameters =
                    plan_.rank * (a_.hidden + experts_->width) * wanted * t.stack * t.copies;
                if (wanted == 0) return;
                put(index, plan_.rank, parameters, wanted * t.stack * t.copies);
                out_.expert_parameters += parameters;
                return;
            }
            case ExpertAdapters::fused:
                break;
        }
        if (!names_are_parts_) {
            if (wanted > 0) warn("experts-not-found", "PEFT finds no experts by these names in this family");
            return;
        }
        const std::int64_t parts = down ? wants(experts_->part_down)
                                        : static_cast<std::int64_t>(wants(experts_->part_gate)) +
                                              static_cast<std::int64_t>(wants(experts_->part_up));
        if (parts == 0) return;
        if (!down && parts == 1) {
            error("fused-targets-apart", "gate and up are one parameter: PEFT refuses one without the other");
            return;
        }
        add(index, parts * plan_.rank, t.stack);
    }

    /// The family's name of a part, or the usual one.
    std::int64_t wants_any(std::string_view own, std::string_view usual) {
        const bool by_own = wants(own);
        return (own != usual && wants(usual)) || by_own ? 1 : 0;
    }

    void beside() {
        for (const Tensor& t : all_.tensors) {
            const bool embedding = plan_.train_embedding && t.name == a_.embedding_name;
            const bool head = plan_.train_head && t.role == Role::head;
            if (embedding || head) out_.beside_parameters += t.parameters();
        }
        // A copy of a tied head is a matrix of its own.
        if (plan_.train_head && a_.head && a_.tied_head) out_.beside_parameters += a_.vocabulary * a_.embedding_width;
        out_.parameters += out_.beside_parameters;
    }

    void finish() {
        constexpr std::string_view libraries[] = {"peft-modules", "course", "transformers-4", "peft-parameters"};
        out_.library = libraries[out_.expert_parameters > 0 ? static_cast<std::size_t>(plan_.experts) : 0];
        if (plan_.targets == TargetSet::names)
            for (std::size_t i = 0; i < plan_.names.size(); ++i)
                if (!found_[i])
                    out_.warnings.push_back({"name-not-found", std::string(plan_.names[i]), "no such module"});
        if (out_.modules == 0 && out_.errors.empty()) error("no-module-found", "no module carries an adapter");
    }

    void error(std::string_view code, std::string_view message) { note(out_.errors, code, message); }
    void warn(std::string_view code, std::string_view message) { note(out_.warnings, code, message); }

    static void note(Issues& issues, std::string_view code, std::string_view message) {
        for (const Issue& issue : issues)
            if (issue.code == code) return;
        issues.push_back({code, "targets", std::string(message)});
    }

    const Architecture& a_;
    const Inventory& all_;
    const AdapterPlan& plan_;
    AdapterCount out_;
    std::vector<bool> found_;
    const Experts* experts_ = nullptr;
    bool names_are_parts_ = false;
};

}  // namespace

AdapterCount count_adapter(const Architecture& a, const Inventory& all, const AdapterPlan& plan) {
    return Counter(a, all, plan).count();
}

}  // namespace memory_budget::model
