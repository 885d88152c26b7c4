#include "kernels/core/json.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "kernels/core/error.h"

namespace anneal {
namespace {

// Builds a value and refuses what the library would accept in silence.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return fail(fmt::format("number {} is out of range", printable(text, 30)));
    return put(value);
  }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return fail("binary value"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (level.names.size() < kScanLimit) {
      // A scan is faster than a set for the few keys that most objects have.
      for (const std::string& known : level.names) {
        if (known == name && !limits_.allow_duplicate_keys) return duplicate(name);
      }
      level.names.push_back(name);
    } else {
      if (level.many.empty()) level.many.insert(level.names.begin(), level.names.end());
      if (!level.many.insert(name).second && !limits_.allow_duplicate_keys) return duplicate(name);
    }
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    position_ = position;
    const std::string text = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while … - unexpected …"
    const std::size_t colon = text.find(": ");
    problem_ = colon == std::string::npos ? text : text.substr(colon + 2);
    return false;
  }

  Json take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }
  std::size_t position() const { return position_; }

 private:
  static constexpr std::size_t kScanLimit = 16;
  struct Level {
    Json* value;
    std::string key;
    std::vector<std::string> names;
    std::set<std::string> many;
  };

  bool fail(std::string what) {
    problem_ = std::move(what);
    return false;
  }
  bool duplicate(const std::string& name) { return fail(fmt::format("key \"{}\" stands twice", printable(name))); }

  Json* place(Json&& value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = levels_.back();
    if (level.value->is_array()) {
      level.value->push_back(std::move(value));
      return &level.value->back();
    }
    // Keys are known to be new, so the linear search of ordered_json's operator[] is left out.
    auto& members = level.value->get_ref<Json::object_t&>();
    if (limits_.allow_duplicate_keys) return &(members[level.key] = std::move(value));
    static_cast<std::vector<std::pair<const std::string, Json>>&>(members).emplace_back(level.key, std::move(value));
    return &static_cast<std::vector<std::pair<const std::string, Json>>&>(members).back().second;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (static_cast<int>(levels_.size()) >= limits_.depth) return fail("nested too deeply");
    levels_.push_back(Level{place(std::move(value)), {}, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  JsonLimits limits_;
  Json root_;
  std::vector<Level> levels_;  // pointers stay good: a parent is not appended to while a child is open
  std::string problem_;
  std::size_t position_ = 0;
};

// A reader that counts what has been consumed, so that our own refusals have a place too.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at;
  const char** furthest;
  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    *furthest = at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at != b.at; }
};

std::string place_of(std::string_view text, std::size_t offset, std::string_view where) {
  offset = std::min(offset, text.size());
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
  }
  const std::size_t column = offset - line_start + 1;
  // "file:7" names the line already.
  const std::size_t colon = where.rfind(':');
  const bool has_line = colon != std::string_view::npos && colon + 1 < where.size() &&
                        where.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  if (has_line) return fmt::format("{}:{}", where, column);
  return fmt::format("{}:{}:{}", where, line, column);
}

}  // namespace

Json parse_json(std::string_view text, std::string_view where, const JsonLimits& limits) {
  StrictBuilder builder(limits);
  const char* furthest = text.data();
  const CountingIterator begin{text.data(), &furthest};
  const CountingIterator end{text.data() + text.size(), &furthest};
  if (!Json::sax_parse(begin, end, &builder)) {
    const std::size_t offset =
        builder.position() > 0 ? builder.position() - 1 : static_cast<std::size_t>(furthest - text.data());
    throw input_error("{}: {}. {}", place_of(text, offset, where), printable(builder.problem(), 200), limits.remedy);
  }
  return builder.take();
}

Json read_json_file(const std::string& path, const JsonLimits& limits) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw input_error("{}: cannot be opened ({}). Check the path and its permissions.", path, std::strerror(errno));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::string_view view = text;
  if (view.starts_with("\xEF\xBB\xBF")) view.remove_prefix(3);
  return parse_json(view, path, limits);
}

std::string to_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace anneal
