#pragma once
// A value of the template language, as Python has it: 32 bytes, copied by value. Texts and numbers of the template and
// texts of the given context are looked at in place; everything else is an Object with a reference count that only the
// one thread of a render touches, so the values of a parsed template may be shared by all renders.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/templates/jinja/heap.h"
#include "datasets/templates/jinja/origin.h"

namespace anneal::datasets::jinja {

__extension__ using Integer = __int128;  // more than JSON's numbers need; what does not fit is refused

enum class Kind : uint8_t {
  kMissing,  // no value yet; never seen by a template
  kNone,
  kBool,
  kInteger,
  kFloat,
  // From here on with an owner, which may be null for the first two.
  kText,
  kUndefined,
  kList,
  kTuple,
  kDict,
  kDictView,  // dict.keys(), .values(), .items()
  kRange,
  kIterator,  // what lazy filters give: read once
  kNamespace,
  kMacro,
  kLoop,  // the variable `loop`
  kCycler,
  kJoiner,
  kMethod,    // "x.strip" without its call
  kFunction,  // range, dict, namespace, raise_exception, …
};

class Object {
 public:
  // `bytes` is charged to the heap for as long as the object lives.
  Object(Heap& heap, std::size_t bytes) : heap_(heap), bytes_(bytes) { heap.take_memory(bytes); }
  virtual ~Object() { heap_.return_memory(bytes_); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void charge(std::size_t more) {
    heap_.take_memory(more);
    bytes_ += more;
  }
  Heap& heap() const { return heap_; }

  uint32_t references = 0;

 private:
  Heap& heap_;
  std::size_t bytes_;
};

// Why a value is undefined; decides what is said when a template insists on it.
enum class UndefinedReason : uint8_t {
  kName,       // no variable of that name
  kAttribute,  // nothing of that name in a value
  kHint,       // the text is the whole sentence
  kUnsafe,     // as kHint; the sandbox forbids it
};

class Value {
 public:
  Value() = default;
  Value(const Value& other) : header_(other.header_), content_(other.content_) { retain(); }
  Value(Value&& other) noexcept : header_(other.header_), content_(other.content_) {
    other.header_.kind = Kind::kMissing;
  }
  Value& operator=(Value other) noexcept {
    std::swap(header_, other.header_);
    std::swap(content_, other.content_);
    return *this;
  }
  ~Value() { release(); }

  static Value none() { return Value(Kind::kNone); }
  static Value boolean(bool truth);
  static Value integer(Integer number);
  static Value real(double number);
  // Looks at the bytes: they stay where they are for as long as the value and its copies.
  static Value text(std::string_view bytes, Origin origin = kFromTemplate) {
    return Value(Kind::kText, bytes, nullptr, origin);
  }
  // A part of the bytes of `owner`, a TextBody.
  static Value text_in(std::string_view bytes, Object* owner, Origin origin) {
    return Value(Kind::kText, bytes, owner, origin);
  }
  static Value object(Kind kind, Object* object) { return Value(kind, {}, object, kFromTemplate); }
  static Value undefined(UndefinedReason reason, const Value& text, Kind holder = Kind::kNone);

  Kind kind() const { return header_.kind; }
  bool is(Kind kind) const { return header_.kind == kind; }
  bool is_missing() const { return is(Kind::kMissing); }
  bool is_undefined() const { return is(Kind::kUndefined); }
  bool is_text() const { return is(Kind::kText); }
  bool is_none() const { return is(Kind::kNone); }
  bool is_integral() const { return is(Kind::kInteger) || is(Kind::kBool); }  // bool is an int in Python
  bool is_number() const { return is_integral() || is(Kind::kFloat); }

  bool truth_bit() const { return content_.integer != 0; }                          // kBool
  Integer as_integer() const { return content_.integer; }                           // kInteger, kBool
  double as_real() const;                                                           // any number
  std::string_view as_text() const { return {content_.bytes.data, header_.size}; }  // kText
  Object* owner() const { return content_.bytes.owner; }
  template <class T>
  T& as() const {
    return static_cast<T&>(*content_.bytes.owner);
  }

  Origin origin() const { return header_.origin; }  // of a text without stretches of its own
  bool is_markup() const { return header_.flags == kMarkupFlag; }
  Value with_markup(bool markup) const;

  UndefinedReason undefined_reason() const { return static_cast<UndefinedReason>(header_.flags); }
  Kind undefined_holder() const { return static_cast<Kind>(header_.origin); }

 private:
  static constexpr uint8_t kMarkupFlag = 1;
  struct Header {
    Kind kind = Kind::kMissing;
    uint8_t flags = 0;  // text: markup; undefined: the reason
    Origin origin = 0;  // text: where from; undefined: the kind of the value that lacks it
    uint32_t size = 0;  // text: bytes
  };
  struct Bytes {
    const char* data;
    Object* owner;
  };
  union Content {
    Integer integer;
    double real;
    Bytes bytes;
  };

  explicit Value(Kind kind) { header_.kind = kind; }
  Value(Kind kind, std::string_view bytes, Object* owner, Origin origin)
      : header_{kind, 0, origin, static_cast<uint32_t>(bytes.size())} {
    content_.bytes = {bytes.data(), owner};
    retain();
  }
  bool is_counted() const { return header_.kind >= Kind::kText && content_.bytes.owner != nullptr; }
  void retain() const {
    if (is_counted()) ++content_.bytes.owner->references;
  }
  void release() {
    if (is_counted() && --content_.bytes.owner->references == 0) delete content_.bytes.owner;
  }

  Header header_;
  Content content_ = {0};
};

inline Value Value::boolean(bool truth) {
  Value value(Kind::kBool);
  value.content_.integer = truth ? 1 : 0;
  return value;
}
inline Value Value::integer(Integer number) {
  Value value(Kind::kInteger);
  value.content_.integer = number;
  return value;
}
inline Value Value::real(double number) {
  Value value(Kind::kFloat);
  value.content_.real = number;
  return value;
}
inline double Value::as_real() const {
  return is(Kind::kFloat) ? content_.real : static_cast<double>(content_.integer);
}
inline Value Value::with_markup(bool markup) const {
  Value copy = *this;
  copy.header_.flags = markup ? kMarkupFlag : 0;
  return copy;
}
inline Value Value::undefined(UndefinedReason reason, const Value& text, Kind holder) {
  Value value(Kind::kUndefined, text.as_text(), text.owner(), static_cast<Origin>(holder));
  value.header_.flags = static_cast<uint8_t>(reason);
  return value;
}

// "str", "int", "list", "NoneType", …: as Python's sentences name it.
std::string_view type_name(Kind kind);
inline std::string_view type_name(const Value& value) { return type_name(value.kind()); }

// The sentence for an undefined value that is used as if it were there.
[[noreturn]] void fail_undefined(const Value& undefined);

// Python's bool(value).
bool is_true(const Value& value);

// Makes an Object of the kind.
template <class T, class... Args>
Value make(Kind kind, Args&&... args) {
  return Value::object(kind, new T(std::forward<Args>(args)...));
}

}  // namespace anneal::datasets::jinja
