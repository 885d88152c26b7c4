#pragma once
// Python's datetime.strftime in the C locale, whatever the machine's is.

#include <chrono>
#include <string>
#include <string_view>

namespace anneal::datasets::jinja {

using WallTime = std::chrono::local_time<std::chrono::microseconds>;

// The machine's clock in its time zone.
WallTime wall_time();

// What is no directive stays as it is, as with glibc.
std::string format_time(std::string_view format, WallTime time);

}  // namespace anneal::datasets::jinja
