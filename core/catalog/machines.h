// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memory_budget::catalog {

/// Which reading of a machine's memory is known.
enum class Reading : std::uint8_t {
    framework,  ///< what PyTorch can hold on Linux: the card less what the driver keeps
    reported,   ///< what the driver's tool reports; the part that it keeps (some 300 to 900 MiB) is not known
    share,      ///< the part of a pool shared with the system that the GPU may use by default
};

/// A machine by name, with what its driver really reports.
struct Machine {
    std::string_view id;
    std::string_view name;
    bool unified;  ///< the pool is shared with the system
    int marketed_gb;
    int visible_mib;
    Reading reading;

    std::int64_t bytes() const { return std::int64_t{visible_mib} << 20; }
};

std::span<const Machine> machines();

}  // namespace memory_budget::catalog
