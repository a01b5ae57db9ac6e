// SPDX-License-Identifier: MIT
#include "core/api/difference.h"

#include "core/budget/course.h"

namespace memory_budget::api {
namespace {

using recipe::Key;

/// The course's rows under the names of the detailed basis's segments.
struct Part {
    std::string_view id;
    std::vector<std::string_view> course_rows;
};

const std::vector<Part>& parts(bool full) {
    static const std::vector<Part> of_full = {{"weights", {"weights", "master"}},
                                              {"gradients", {"gradients"}},
                                              {"optimizer", {"optimizer"}},
                                              {"activations", {"activations", "logits"}},
                                              {"overhead", {}}};
    static const std::vector<Part> of_adapter = {
        {"base", {"base"}}, {"adapter", {"adapter"}}, {"activations", {"activations", "logits"}}, {"overhead", {}}};
    return full ? of_full : of_adapter;
}

std::string_view reason(std::string_view part, const Model& model, const recipe::Recipe& recipe) {
    const bool wide = recipe.choice<recipe::Dtype>(Key::weights_dtype) == recipe::Dtype::fp32;
    if (part == "weights") return wide ? "weights-32-bit" : "no-master-copy";
    if (part == "gradients") return wide ? "gradients-32-bit" : "exact-count";
    if (part == "optimizer") return wide ? "exact-count" : "states-follow-weights";
    if (part == "base") {
        if (recipe.choice<recipe::Method>(Key::method) != recipe::Method::qlora) return "exact-count";
        return model.shape.experts ? "experts-at-16-bit" : "kept-at-16-bit";
    }
    if (part == "adapter") return model.shape.experts ? "adapter-on-experts" : "adapter-precision";
    return part == "overhead" ? "driver-and-allocator" : "real-activations";
}

}  // namespace

std::vector<Difference> difference(const Model& model, const Evaluation& detailed) {
    recipe::Recipe course;  // the lesson's precisions, the run's sizes
    for (const Key key : {Key::method, Key::batch, Key::sequence, Key::rank, Key::targets, Key::sharding, Key::gpus})
        course.set(key, detailed.recipe.number(key));
    course.target_names = detailed.recipe.target_names;
    recipe::Issues ignored;
    const Evaluation lesson = evaluate(model, course, ignored);
    std::vector<Difference> list;
    const bool full = course.choice<recipe::Method>(Key::method) == recipe::Method::full;
    for (const Part& part : parts(full)) {
        Difference entry = {part.id, 0, 0, reason(part.id, model, detailed.recipe)};
        for (const budget::Row& row : lesson.budget.rows)
            for (const std::string_view id : part.course_rows)
                if (row.id == id) entry.course_bytes += row.bytes;
        for (const budget::Segment& segment : detailed.segments)
            if (segment.id == part.id) entry.detailed_bytes += segment.bytes;
        if (entry.course_bytes != entry.detailed_bytes) list.push_back(entry);
    }
    return list;
}

}  // namespace memory_budget::api
