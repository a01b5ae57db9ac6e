// SPDX-License-Identifier: MIT
// Catch2 by one name: version 2 (Debian 12) has one header, version 3 has many.
#pragma once

#ifdef MEMORY_BUDGET_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
