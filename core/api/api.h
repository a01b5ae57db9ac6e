// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace memory_budget::api {

/// One request to one response, both JSON text: a pure function. Bad input gives `ok: false` with every error that
/// was found, each with `code`, `path`, `message` and what is `allowed`; nothing is thrown.
///
/// What takes many runs to answer is asked beside the parameters, in both bases, of the full engine, and stands in the
/// response under the same name; all bytes are whole, `requested_bytes` is what the machine is asked for:
/// - `surface`: `{"batch": axis, "sequence": axis}`; an axis is a list of 1 to 64 values, or `from`, `to` and `step` or
///   `factor`. Gives both axes and, a row for each batch, lists of `total_bytes`, `requested_bytes`, `fits` and `tier`
///   (an index into `tiers`); null in all four where a cell is beyond 2^53 bytes. Each cell is a single run's.
/// - `views: ["limits"]`: the largest `batch`, `sequence` and `rank` that fit (`value`, null where `least` does not;
///   `capped` where all up to `cap` do; `next_bytes` of one more), and the largest `model` of the catalog.
/// - `views: ["changes"]`: what alone brings a run that is over under, in `changes`, the least costly first, or else in
///   `pairs`: `levers`, the keys to `set` and to `undo` (null takes one out), `saved_bytes`, the phase that sets the
///   peak before and after, `costs`, `sources`; and the smallest `machine` that holds the run as it is.
/// - `lengths`: 1 to 256 lengths of the user's data. Gives a row for each, and `max_length` as in `limits`.
/// - `measurement`: `{"bytes": n, "meter": "allocated" | "reserved" | "device"}`. Gives the estimate of that level with
///   its range, the `ratio`, a `verdict` (`inside`, `above`, `below`) and the `reasons` that usually explain it.
std::string calculate(std::string_view request);

/// The raw text of a `config.json` to what was read from it, as JSON text: `model` (its sizes and counts), `inventory`
/// (tensors, parameters and bytes by part and role, what only the checkpoint holds left out), `adapters` (of a mixture
/// of experts: each way to adapt it at the default rank) and `compact` (the line that a request takes in its place).
/// Errors are those of `parse_config` and `model::read_architecture`, with paths within the file.
std::string read_config(std::string_view text);

/// What can be asked: the parameter table, models, tiers, named recipes and the course's presets, as JSON text.
std::string catalog();

/// The version of the engine, such as `0.1.0`.
std::string version();

}  // namespace memory_budget::api
