#include "datasets/templates/jinja/string_escapes.h"

#include <fmt/format.h>

#include "datasets/templates/jinja/lexer.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class EscapeReader {
 public:
  EscapeReader(std::string_view quoted, int line) : quoted_(quoted), line_(line) {}

  std::string read() {
    while (at_ < quoted_.size()) {
      const char c = quoted_[at_++];
      if (c == '\\' && at_ < quoted_.size()) {
        read_escape();
      } else {
        text_ += c;
      }
    }
    return std::move(text_);
  }

 private:
  void read_escape() {
    const char c = quoted_[at_];
    switch (c) {
      case '\n':
        ++at_;
        return;
      case '\\':
      case '\'':
      case '"':
        put(c);
        return;
      case 'a':
        put('\a');
        return;
      case 'b':
        put('\b');
        return;
      case 'f':
        put('\f');
        return;
      case 'n':
        put('\n');
        return;
      case 'r':
        put('\r');
        return;
      case 't':
        put('\t');
        return;
      case 'v':
        put('\v');
        return;
      case 'x':
        read_hexadecimal(2);
        return;
      case 'u':
        read_hexadecimal(4);
        return;
      case 'U':
        read_hexadecimal(8);
        return;
      case 'N':
        throw SyntaxFault(line_, "characters by name (\\N{…}) are not offered in texts");
      default:
        break;
    }
    if (c >= '0' && c <= '7') return read_octal();
    if (static_cast<unsigned char>(c) >= 0x80) return read_quirk();
    text_ += '\\';
    put(c);
  }

  void put(char c) {
    text_ += c;
    ++at_;
  }

  void read_octal() {
    char32_t code = 0;
    for (int digits = 0; digits < 3 && at_ < quoted_.size() && quoted_[at_] >= '0' && quoted_[at_] <= '7'; ++digits) {
      code = code * 8 + static_cast<char32_t>(quoted_[at_++] - '0');
    }
    append_character(text_, code);
  }

  void read_hexadecimal(int digits) {
    char32_t code = 0;
    const std::size_t begin = at_++;
    for (int i = 0; i < digits; ++i, ++at_) {
      const int value = at_ < quoted_.size() ? hex_digit(quoted_[at_]) : -1;
      if (value < 0) {
        throw SyntaxFault(line_,
                          fmt::format("the escape \\{} in a text needs {} hexadecimal digits", quoted_[begin], digits));
      }
      code = code << 4 | static_cast<char32_t>(value);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      throw SyntaxFault(
          line_, fmt::format("the escape \\{} in a text names no character", quoted_.substr(begin, at_ - begin)));
    }
    append_character(text_, code);
  }

  // jinja2 writes characters beyond ASCII as escapes before it resolves the escapes, so that a backslash in front of
  // one makes its code visible.
  void read_quirk() {
    const Character character = character_at(quoted_, at_);
    const auto code = static_cast<uint32_t>(character.code);
    text_ += code < 0x100     ? fmt::format("\\x{:02x}", code)
             : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                              : fmt::format("\\U{:08x}", code);
    at_ += character.size;
  }

  std::string_view quoted_;
  int line_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

std::string resolve_escapes(std::string_view quoted, int line) {
  if (quoted.find('\\') == std::string_view::npos) return std::string(quoted);
  return EscapeReader(quoted, line).read();
}

}  // namespace anneal::datasets::jinja
