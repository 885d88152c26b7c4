// `anneal`: the engine's command line. Everything is in the subcommands' files.

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "engine/recipe/recipe.h"

namespace anneal::tune {
namespace {

std::string overview() {
  std::string text = "anneal fine-tunes open language models on this machine. Nothing leaves it.\n\n";
  for (const Command* command : commands())
    text += fmt::format("  anneal {:<10} {}\n", command->name, command->summary);
  text += "\n\"anneal COMMAND --help\" says more. With --json most commands print one JSON object per line.\n";
  return text;
}

std::string help_of(const Command& command) {
  std::string text(command.usage);
  if (command.shows_recipe_keys) {
    text += "\nSettings of the recipe; each is a flag, a key of a recipe file, and a name for --set:\n\n";
    text += engine::recipe_fields().help_text();
  }
  return text;
}

const Command* find(std::string_view name) {
  for (const Command* command : commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

int run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "help" || words[0] == "-h") {
    print_text(overview());
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "--version") {
    print_line("anneal " ANNEAL_VERSION);
    return 0;
  }
  const Command* command = find(words[0]);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const Command* known : commands()) names.emplace_back(known->name);
    const std::string near = nearest_name(words[0], names);
    throw UsageError(fmt::format("\"{}\" is no command.{} See anneal --help.", printable(words[0]),
                                 near.empty() ? "" : " Did you mean " + near + "?"));
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const std::string& word : rest) {
    if (word == "--help" || word == "-h") {
      print_text(help_of(*command));
      return 0;
    }
    if (word == "--") break;
  }
  return command->run(rest);
}

}  // namespace

int exit_status_of(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known == nullptr) return 3;
  switch (known->kind()) {
    case ErrorKind::kInput:
      return 1;
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kDevice:
    case ErrorKind::kInternal:
      return 3;
  }
  return 3;
}

}  // namespace anneal::tune

int main(int argc, char** argv) {
  using namespace anneal::tune;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen by the writer
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    print_error("There is not enough memory for this. Close other programs, or ask for less at a time.");
    return 3;
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_status_of(error);
  }
}
