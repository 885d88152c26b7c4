#include "app/tune/command_line.h"

#include <algorithm>
#include <charconv>

namespace anneal::tune {
namespace {

bool is_flag(const std::string& word) { return word.size() > 2 && word.starts_with("--"); }

template <class T>
std::optional<T> parsed(const std::optional<std::string>& text, const std::string& flag, const char* what) {
  if (!text) return std::nullopt;
  T number{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) {
    throw UsageError(fmt::format("{} is \"{}\", expected {}.", flag, printable(*text), what));
  }
  return number;
}

}  // namespace

CommandLine::CommandLine(
    const std::vector<std::string>& words, const FlagSet& known,
    const std::function<int(const std::string&, const std::optional<std::string>&)>& unknown_flag) {
  bool only_words = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (only_words || !is_flag(word)) {
      if (word == "--" && !only_words) {
        only_words = true;
        continue;
      }
      words_.push_back(std::move(word));
      continue;
    }
    std::optional<std::string> attached;
    if (const std::size_t equals = word.find('='); equals != std::string::npos) {
      attached = word.substr(equals + 1);
      word.resize(equals);
    }
    std::optional<std::string> next = attached;
    if (!next && i + 1 < words.size()) next = words[i + 1];
    if (known.switches.contains(word) && !attached) {
      switches_.insert(word);
    } else if (known.values.contains(word) || known.lists.contains(word)) {
      if (!next) throw UsageError(fmt::format("{} wants a value.", word));
      const bool is_list = known.lists.contains(word);
      if (!is_list && values_.contains(word)) throw UsageError(fmt::format("{} is given twice.", word));
      values_[word].push_back(*next);
      if (attached) continue;
      ++i;
      while (is_list && i + 1 < words.size() && !is_flag(words[i + 1])) values_[word].push_back(words[++i]);
    } else {
      const int taken = unknown_flag ? unknown_flag(word, next) : 0;
      if (taken == 0) {
        std::vector<std::string> all(known.switches.begin(), known.switches.end());
        all.insert(all.end(), known.values.begin(), known.values.end());
        all.insert(all.end(), known.lists.begin(), known.lists.end());
        const std::string near = nearest_name(word, all);
        throw UsageError(fmt::format("{} is not known here.{} See --help.", printable(word),
                                     near.empty() ? "" : " Did you mean " + near + "?"));
      }
      if (taken == 2 && !attached) ++i;
    }
  }
}

std::optional<std::string> CommandLine::value(const std::string& flag) const {
  const auto found = values_.find(flag);
  if (found == values_.end()) return std::nullopt;
  return found->second.back();
}

std::string CommandLine::required(const std::string& flag) const {
  const auto found = value(flag);
  if (!found) throw UsageError(fmt::format("{} is missing. See --help.", flag));
  return *found;
}

std::vector<std::string> CommandLine::list(const std::string& flag) const {
  const auto found = values_.find(flag);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string CommandLine::expect_one_of(const std::vector<std::string>& flags) const {
  std::string given;
  std::string all;
  for (const std::string& flag : flags) {
    all += fmt::format("{}{}", all.empty() ? "" : flag == flags.back() ? " or " : ", ", flag);
    if (!values_.contains(flag)) continue;
    if (!given.empty()) throw UsageError(fmt::format("{} and {} exclude each other. Give one of them.", given, flag));
    given = flag;
  }
  if (given.empty()) throw UsageError(fmt::format("{} is missing. See --help.", all));
  return given;
}

std::optional<int64_t> CommandLine::whole_number(const std::string& flag) const {
  return parsed<int64_t>(value(flag), flag, "a whole number");
}

std::optional<double> CommandLine::number(const std::string& flag) const {
  return parsed<double>(value(flag), flag, "a number");
}

void CommandLine::expect_words(std::size_t count, const std::string& what) const {
  if (words_.size() != count)
    throw UsageError(
        fmt::format("expected {}, got {} word{}. See --help.", what, words_.size(), words_.size() == 1 ? "" : "s"));
}

}  // namespace anneal::tune
