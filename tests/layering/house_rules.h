#pragma once
// The table of the house: who may include whom, and which library is used where. Change it together with the decision
// that changes the house (resources/decisions/).
//
// A place is the beginning of a path from the root ("engine/runs/", "kernels/backend.") or, written with a star, the
// end of one ("*.cpu.cpp"). A source belongs to the first row of the table whose place fits.

#include <string>
#include <string_view>
#include <vector>

namespace anneal::tests {

struct Layer {
  std::string place;
  std::vector<std::string> may_include;  // places of the house's own headers
};

struct Library {
  std::string name;
  std::vector<std::string> headers;  // beginnings of what stands between the angle brackets
  std::vector<std::string> places;   // where it may be included; {""} is everywhere
};

struct HouseRules {
  std::vector<std::string> top_folders;  // each with a README.md
  std::vector<Layer> layers;
  std::vector<Library> libraries;            // a header that belongs to none of them and not to C++ or Linux is refused
  std::vector<std::string> system_headers;   // Linux and C: beginnings, allowed everywhere
  std::vector<std::string> forbidden_texts;  // in no file: paths of one machine, hosts of package registries
  std::vector<std::string> unfinished_words;
  int most_lines = 600;  // of one source; beyond 500 it is time to split it
};

const HouseRules& house_rules();

bool is_at(std::string_view path, std::string_view place);

}  // namespace anneal::tests
