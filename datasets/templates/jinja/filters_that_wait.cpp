// Filters that do their work only when their items are asked for, as Python's generators do.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "datasets/templates/jinja/attribute_path.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/text_case.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

// An iterator over what another value holds; that value is looked at when the first item is asked for.
class Waiting : public IteratorBody {
 public:
  Waiting(Evaluator& evaluator, const Value& source, std::size_t bytes)
      : IteratorBody(evaluator.heap(), bytes), evaluator_(evaluator), source_(source) {
    nesting = nesting_of(source) + 1;
    if (nesting > kMaximumNesting) throw Failure("too many filters read through each other");
  }
  bool next(Value& item) final {
    heap().charge_steps(1);
    if (is_at_end_) return false;
    // Also when it throws: a generator that failed gives nothing more.
    is_at_end_ = true;
    if (!is_begun_) {
      is_begun_ = true;
      if (!begin()) return false;
    }
    is_at_end_ = !advance(item);
    return !is_at_end_;
  }

 protected:
  // False: there is nothing to read.
  virtual bool begin() {
    iteration_.emplace(heap(), source_);
    return true;
  }
  virtual bool advance(Value& item) = 0;
  bool read(Value& item) { return iteration_->next(item); }

  Evaluator& evaluator_;
  const Value source_;
  std::optional<Iteration> iteration_;

 private:
  bool is_begun_ = false;
  bool is_at_end_ = false;
};

Arguments without_first(const Arguments& arguments, std::size_t count) {
  const auto first = arguments.positional.begin() + static_cast<std::ptrdiff_t>(count);
  return {std::vector<Value>(first, arguments.positional.end()), arguments.named};
}

class Mapped : public Waiting {
 public:
  Mapped(Evaluator& evaluator, const Value& source, const Arguments& arguments)
      : Waiting(evaluator, source, sizeof(Mapped)), arguments_(arguments) {}

 protected:
  bool begin() override {
    if (!is_true(source_)) return false;
    if (arguments_.positional.empty()) {
      begin_attribute();
    } else {
      const std::string_view name = text_argument(arguments_.positional[0], "map");
      filter_ = find_filter(name);
      if (filter_ == nullptr) throw Failure(fmt::format("no filter named '{}'", printable(name)));
      filter_arguments_ = without_first(arguments_, 1);
    }
    return Waiting::begin();
  }
  bool advance(Value& item) override {
    Value source;
    if (!read(source)) return false;
    item =
        filter_ == nullptr ? path_->of(evaluator_, source, fallback_) : filter_(evaluator_, source, filter_arguments_);
    return true;
  }

 private:
  void begin_attribute() {
    const Value* attribute = nullptr;
    for (const auto& [name, value] : arguments_.named) {
      if (name.as_text() == "attribute") {
        attribute = &value;
      } else if (name.as_text() == "default") {
        fallback_ = value.is_none() ? Value() : value;
      } else {
        throw Failure(fmt::format("Unexpected keyword argument '{}'", printable(name.as_text())));
      }
    }
    if (attribute == nullptr) throw Failure("map requires a filter argument");
    path_.emplace(*attribute);
  }

  const Arguments arguments_;
  Builtin filter_ = nullptr;
  Arguments filter_arguments_;
  std::optional<AttributePath> path_;
  Value fallback_;
};

class Selected : public Waiting {
 public:
  Selected(Evaluator& evaluator, const Value& source, const Arguments& arguments, bool wanted, bool by_attribute)
      : Waiting(evaluator, source, sizeof(Selected)),
        arguments_(arguments),
        wanted_(wanted),
        by_attribute_(by_attribute) {}

 protected:
  bool begin() override {
    if (!is_true(source_)) return false;
    std::size_t used = 0;
    if (by_attribute_) {
      if (arguments_.positional.empty()) throw Failure("Missing parameter for attribute name");
      path_.emplace(arguments_.positional[used++]);
    }
    if (arguments_.positional.size() > used) {
      const std::string_view name = text_argument(arguments_.positional[used++], "select");
      test_ = find_test(name);
      if (test_ == nullptr) throw Failure(fmt::format("no test named '{}'", printable(name)));
      test_arguments_ = without_first(arguments_, used);
    }
    return Waiting::begin();
  }
  bool advance(Value& item) override {
    while (read(item)) {
      const Value subject = path_ ? path_->of(evaluator_, item) : item;
      const bool holds = test_ == nullptr ? is_true(subject) : test_(evaluator_, subject, test_arguments_);
      if (holds == wanted_) return true;
    }
    return false;
  }

 private:
  const Arguments arguments_;
  const bool wanted_, by_attribute_;
  std::optional<AttributePath> path_;
  Test test_ = nullptr;
  Arguments test_arguments_;
};

class Unique : public Waiting {
 public:
  Unique(Evaluator& evaluator, const Value& source, bool case_sensitive, const Value& attribute)
      : Waiting(evaluator, source, sizeof(Unique)),
        case_sensitive_(case_sensitive),
        path_(attribute),
        seen_(Value::object(Kind::kDict, new DictBody(evaluator.heap()))) {}

 protected:
  bool advance(Value& item) override {
    auto& seen = seen_.as<DictBody>();
    while (read(item)) {
      const Value value = path_.of(evaluator_, item);
      const Value key = case_sensitive_ ? value : without_case(heap(), value);
      if (seen.find(key) != nullptr) continue;
      seen.set(key, Value::none());
      return true;
    }
    return false;
  }

 private:
  const bool case_sensitive_;
  const AttributePath path_;
  const Value seen_;
};

class Batches : public Waiting {
 public:
  Batches(Evaluator& evaluator, const Value& source, Integer size, const Value& fill)
      : Waiting(evaluator, source, sizeof(Batches)), size_(size), fill_(fill) {}

 protected:
  bool advance(Value& item) override {
    std::vector<Value> batch;
    if (!ahead_.is_missing()) batch.push_back(std::move(ahead_));
    ahead_ = Value();
    for (Value next; read(next);) {
      if (static_cast<Integer>(batch.size()) == size_) {
        ahead_ = std::move(next);
        item = make_list(heap(), std::move(batch));
        return true;
      }
      add_item(heap(), batch, std::move(next));
    }
    if (batch.empty()) return false;
    if (!fill_.is_none()) {
      heap().check_room(static_cast<std::size_t>(std::clamp<Integer>(size_, 0, Integer{1} << 40)) * sizeof(Value));
      while (static_cast<Integer>(batch.size()) < size_) batch.push_back(fill_);
    }
    item = make_list(heap(), std::move(batch));
    return true;
  }

 private:
  const Integer size_;
  const Value fill_;
  Value ahead_;  // the first of the next batch
};

class Slices : public Waiting {
 public:
  Slices(Evaluator& evaluator, const Value& source, Integer count, const Value& fill)
      : Waiting(evaluator, source, sizeof(Slices)), count_(count), fill_(fill) {}

 protected:
  bool begin() override {
    items_ = items_of(heap(), source_);
    if (count_ == 0) throw Failure("integer division or modulo by zero");
    return true;
  }
  bool advance(Value& item) override {
    if (at_ >= count_) return false;
    const auto size = static_cast<Integer>(items_.size());
    const Integer each = size / count_;
    const Integer longer = size % count_;
    const Integer begin = at_ * each + std::min(at_, longer);
    const Integer end = begin + each + (at_ < longer ? 1 : 0);
    std::vector<Value> slice(items_.begin() + static_cast<std::ptrdiff_t>(begin),
                             items_.begin() + static_cast<std::ptrdiff_t>(end));
    if (!fill_.is_none() && at_ >= longer) slice.push_back(fill_);
    ++at_;
    item = make_list(heap(), std::move(slice));
    return true;
  }

 private:
  const Integer count_;
  const Value fill_;
  std::vector<Value> items_;
  Integer at_ = 0;
};

class Items : public Waiting {
 public:
  Items(Evaluator& evaluator, const Value& source) : Waiting(evaluator, source, sizeof(Items)) {}

 protected:
  bool begin() override {
    if (source_.is_undefined()) return false;
    if (!source_.is(Kind::kDict)) throw Failure("Can only get item pairs from a mapping.");
    return true;
  }
  bool advance(Value& item) override {
    const auto& entries = source_.as<DictBody>().entries();
    if (at_ == entries.size()) return false;
    item = make_tuple(heap(), {entries[at_].first, entries[at_].second});
    ++at_;
    return true;
  }

 private:
  std::size_t at_ = 0;
};

Value map(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  return make<Mapped>(Kind::kIterator, evaluator, subject, arguments);
}

template <bool wanted, bool by_attribute>
Value select(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  return make<Selected>(Kind::kIterator, evaluator, subject, arguments, wanted, by_attribute);
}

Value unique(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "unique", {"case_sensitive", "attribute"});
  return make<Unique>(Kind::kIterator, evaluator, subject, truth_or(bound[0], false),
                      bound[1] == nullptr ? Value::none() : *bound[1]);
}

Value batch(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "batch", {"linecount", "fill_with"}, 1);
  return make<Batches>(Kind::kIterator, evaluator, subject, integer_argument(*bound[0], "batch"),
                       bound[1] == nullptr ? Value::none() : *bound[1]);
}

Value slice(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "slice", {"slices", "fill_with"}, 1);
  return make<Slices>(Kind::kIterator, evaluator, subject, integer_argument(*bound[0], "slice"),
                      bound[1] == nullptr ? Value::none() : *bound[1]);
}

Value items(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "items", {});
  return make<Items>(Kind::kIterator, evaluator, subject);
}

constexpr NamedBuiltin kFilters[] = {
    {"map", map},
    {"select", select<true, false>},
    {"reject", select<false, false>},
    {"selectattr", select<true, true>},
    {"rejectattr", select<false, true>},
    {"unique", unique},
    {"batch", batch},
    {"slice", slice},
    {"items", items},
};

}  // namespace

std::span<const NamedBuiltin> lazy_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
