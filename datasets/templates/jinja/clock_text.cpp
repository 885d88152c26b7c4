#include "datasets/templates/jinja/clock_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <ctime>

namespace anneal::datasets::jinja {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr int kWidestField = 1000;

struct IsoWeek {
  int year, week;
};

class TimeFormatter {
 public:
  explicit TimeFormatter(WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    year_ = static_cast<int>(date.year());
    month_ = static_cast<int>(static_cast<unsigned>(date.month()));
    day_ = static_cast<int>(static_cast<unsigned>(date.day()));
    weekday_ = static_cast<int>(std::chrono::weekday(day).c_encoding());
    const std::chrono::local_days first(date.year() / std::chrono::January / 1);
    day_of_year_ = static_cast<int>((day - first).count());
    const std::chrono::hh_mm_ss clock(time - day);
    hour_ = static_cast<int>(clock.hours().count());
    minute_ = static_cast<int>(clock.minutes().count());
    second_ = static_cast<int>(clock.seconds().count());
    microsecond_ = static_cast<int>(clock.subseconds().count());
  }

  std::string run(std::string_view format) {
    std::string text;
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%' || at + 1 >= format.size()) {
        text += format[at++];
        continue;
      }
      const std::size_t begin = at++;
      read_flags(format, at);
      std::string field;
      if (at < format.size() && write(format[at], field)) {
        ++at;
        text += finished(std::move(field));
      } else {
        at = std::min(at + 1, format.size());
        text += format.substr(begin, at - begin);
      }
    }
    return text;
  }

 private:
  void read_flags(std::string_view format, std::size_t& at) {
    pad_ = 0;
    upper_ = swap_ = false;
    width_ = 0;
    for (; at < format.size(); ++at) {
      const char c = format[at];
      if (c == '-' || c == '_' || c == '0') {
        pad_ = c;
      } else if (c == '^') {
        upper_ = true;
      } else if (c == '#') {
        swap_ = true;
      } else {
        break;
      }
    }
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at) {
      width_ = std::min(width_ * 10 + (format[at] - '0'), kWidestField);
    }
    if (at < format.size() && (format[at] == 'E' || format[at] == 'O')) ++at;
  }

  // A number of at least that many digits, filled as the directive or its flag says.
  std::string number(int value, int digits, char fill = '0') {
    is_number_ = true;
    if (pad_ == '-') return std::to_string(value);
    if (pad_ == '_') fill = ' ';
    if (pad_ == '0') fill = '0';
    std::string text = std::to_string(value);
    const auto wanted = static_cast<std::size_t>(std::max(digits, width_));
    if (text.size() < wanted) text.insert(0, wanted - text.size(), fill);
    return text;
  }

  std::string finished(std::string field) const {
    for (char& c : field) {
      const auto byte = static_cast<unsigned char>(c);
      if (upper_ || (swap_ && !to_lower_)) c = static_cast<char>(std::toupper(byte));
      if (swap_ && to_lower_) c = static_cast<char>(std::tolower(byte));
    }
    const auto wanted = static_cast<std::size_t>(width_);
    if (!is_number_ && field.size() < wanted) field.insert(0, wanted - field.size(), pad_ == '0' ? '0' : ' ');
    return field;
  }

  int hour12() const { return hour_ % 12 == 0 ? 12 : hour_ % 12; }
  int week_from(int first_day) const { return (day_of_year_ + 7 - (weekday_ + 7 - first_day) % 7) / 7; }
  static int days_in(int year) { return std::chrono::year(year).is_leap() ? 366 : 365; }
  // The week that holds the year's first Thursday is week 1.
  IsoWeek iso_week() const {
    const int weekday = (weekday_ + 6) % 7;  // from Monday
    const int thursday = day_of_year_ - weekday + 3;
    if (thursday < 0) return {year_ - 1, (thursday + days_in(year_ - 1)) / 7 + 1};
    if (thursday >= days_in(year_)) return {year_ + 1, 1};
    return {year_, thursday / 7 + 1};
  }
  int64_t seconds_since_epoch() const {
    std::tm fields{};
    fields.tm_year = year_ - 1900;
    fields.tm_mon = month_ - 1;
    fields.tm_mday = day_;
    fields.tm_hour = hour_;
    fields.tm_min = minute_;
    fields.tm_sec = second_;
    fields.tm_isdst = -1;
    return std::mktime(&fields);
  }
  std::string composed(std::string_view format) const {
    TimeFormatter plain = *this;
    return plain.run(format);
  }

  bool write(char directive, std::string& field) {
    is_number_ = to_lower_ = false;
    const auto day_name = [&] { return kDays[static_cast<std::size_t>(weekday_)]; };
    const auto month_name = [&] { return kMonths[static_cast<std::size_t>(month_ - 1)]; };
    switch (directive) {
      case 'a':
        field = day_name().substr(0, 3);
        return true;
      case 'A':
        field = day_name();
        return true;
      case 'b':
      case 'h':
        field = month_name().substr(0, 3);
        return true;
      case 'B':
        field = month_name();
        return true;
      case 'c':
        field = composed("%a %b %e %H:%M:%S %Y");
        return true;
      case 'C':
        field = number(year_ / 100, 2);
        return true;
      case 'd':
        field = number(day_, 2);
        return true;
      case 'D':
      case 'x':
        field = composed("%m/%d/%y");
        return true;
      case 'e':
        field = number(day_, 2, ' ');
        return true;
      case 'f':
        field = fmt::format("{:06}", microsecond_);
        return true;
      case 'F':
        field = composed("%Y-%m-%d");
        return true;
      case 'g':
        field = number(iso_week().year % 100, 2);
        return true;
      case 'G':
        field = number(iso_week().year, 1);
        return true;
      case 'H':
        field = number(hour_, 2);
        return true;
      case 'I':
        field = number(hour12(), 2);
        return true;
      case 'j':
        field = number(day_of_year_ + 1, 3);
        return true;
      case 'k':
        field = number(hour_, 2, ' ');
        return true;
      case 'l':
        field = number(hour12(), 2, ' ');
        return true;
      case 'm':
        field = number(month_, 2);
        return true;
      case 'M':
        field = number(minute_, 2);
        return true;
      case 'n':
        field = "\n";
        return true;
      case 'p':
        to_lower_ = true;
        field = hour_ < 12 ? "AM" : "PM";
        return true;
      case 'P':
        field = hour_ < 12 ? "am" : "pm";
        return true;
      case 'r':
        field = composed("%I:%M:%S %p");
        return true;
      case 'R':
        field = composed("%H:%M");
        return true;
      case 's':
        field = std::to_string(seconds_since_epoch());
        return true;
      case 'S':
        field = number(second_, 2);
        return true;
      case 't':
        field = "\t";
        return true;
      case 'T':
      case 'X':
        field = composed("%H:%M:%S");
        return true;
      case 'u':
        field = number(weekday_ == 0 ? 7 : weekday_, 1);
        return true;
      case 'U':
        field = number(week_from(0), 2);
        return true;
      case 'V':
        field = number(iso_week().week, 2);
        return true;
      case 'w':
        field = number(weekday_, 1);
        return true;
      case 'W':
        field = number(week_from(1), 2);
        return true;
      case 'y':
        field = number(year_ % 100, 2);
        return true;
      case 'Y':
        field = number(year_, 1);
        return true;
      case 'z':
      case 'Z':
        return true;  // the time has no zone
      case '%':
        field = "%";
        return true;
      default:
        return false;
    }
  }

  int year_, month_, day_, weekday_, day_of_year_, hour_, minute_, second_, microsecond_;
  char pad_ = 0;
  bool upper_ = false, swap_ = false, is_number_ = false, to_lower_ = false;
  int width_ = 0;
};

}  // namespace

WallTime wall_time() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm fields{};
  localtime_r(&seconds, &fields);
  const std::chrono::local_days day(std::chrono::year(fields.tm_year + 1900) /
                                    std::chrono::month(static_cast<unsigned>(fields.tm_mon + 1)) /
                                    std::chrono::day(static_cast<unsigned>(fields.tm_mday)));
  const auto part = std::chrono::floor<std::chrono::microseconds>(now.time_since_epoch()) % std::chrono::seconds(1);
  return WallTime(day) + std::chrono::hours(fields.tm_hour) + std::chrono::minutes(fields.tm_min) +
         std::chrono::seconds(fields.tm_sec) + part;
}

std::string format_time(std::string_view format, WallTime time) { return TimeFormatter(time).run(format); }

}  // namespace anneal::datasets::jinja
