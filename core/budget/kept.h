// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace memory_budget::budget {

/// The last few results of something that takes long to make and depends on its key alone: who asks cannot tell
/// whether a result was kept. The one that has gone longest without being asked for makes room.
template <typename Key, typename Value, std::size_t most>
class Kept {
  public:
    template <typename Make>
    Value get(const Key& key, Make make) {
        std::size_t at = 0;
        while (at < entries_.size() && !(entries_[at].first == key)) ++at;
        if (at == entries_.size()) {
            Value made = make();
            if (entries_.size() < most)
                entries_.emplace_back();
            else
                --at;
            entries_[at] = {key, std::move(made)};
        }
        for (; at > 0; --at) std::swap(entries_[at], entries_[at - 1]);
        return entries_.front().second;
    }

  private:
    std::vector<std::pair<Key, Value>> entries_;  ///< the last that was asked for first
};

}  // namespace memory_budget::budget
