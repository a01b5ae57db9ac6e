// SPDX-License-Identifier: MIT
#include "core/model/config.h"

#include <cmath>

namespace memory_budget::model {

Config Config::boolean(bool value) {
    Config c;
    c.kind_ = Kind::boolean;
    c.number_ = value ? 1 : 0;
    return c;
}

Config Config::number(double value) {
    Config c;
    c.kind_ = Kind::number;
    c.number_ = value;
    return c;
}

Config Config::string(std::string_view value) {
    Config c;
    c.kind_ = Kind::string;
    c.text_ = value;
    return c;
}

Config Config::list() {
    Config c;
    c.kind_ = Kind::list;
    return c;
}

Config Config::object() {
    Config c;
    c.kind_ = Kind::object;
    return c;
}

std::size_t Config::index(std::string_view key) const {
    std::size_t i = keys_.size();
    while (i > 0 && keys_[i - 1] != key) --i;
    return i;
}

bool Config::contains(std::string_view key) const {
    return index(key) > 0;
}

const Config* Config::find(std::string_view key) const {
    const std::size_t i = index(key);
    if (i == 0) return nullptr;
    items_[i - 1].read_ = true;
    return &items_[i - 1];
}

const Config* Config::get(std::string_view key) const {
    const Config* value = find(key);
    return value && !value->is_null() ? value : nullptr;
}

void Config::set(std::string_view key, Config value) {
    if (const std::size_t i = index(key); i > 0)
        items_[i - 1] = std::move(value);
    else
        append(std::string(key), std::move(value));
}

namespace {

/// Reads compact lines. They come from the catalog, and from links: whatever the text is, reading ends, and what is
/// no value ends up as a word. Nothing is diagnosed here.
class CompactReader {
  public:
    explicit CompactReader(std::string_view text) : text_(text) {}

    Config fields() {
        Config object = Config::object();
        while (at_ < text_.size() && text_[at_] != '}') {
            if (text_[at_] == ' ') {
                ++at_;
                continue;
            }
            const std::string_view key = until("= }");
            if (at_ >= text_.size() || text_[at_] != '=') break;
            ++at_;
            object.set(key, value());
        }
        return object;
    }

  private:
    static constexpr int deepest = 8;
    static constexpr std::size_t longest = 10'000;
    static constexpr std::size_t most_values = 50'000;

    Config value() {
        const bool object = at('{');
        if (!object && !at('[')) return scalar(until(" ,]}"));
        if (depth_ == deepest) {
            at_ = text_.size();
            return {};
        }
        ++depth_;
        ++at_;
        Config whole = object ? fields() : list();
        --depth_;
        if (object) skip('}');
        return whole;
    }

    Config list() {
        Config whole = Config::list();
        while (at_ < text_.size() && text_[at_] != ']') {
            const std::size_t start = at_;
            // `3*word` is three times the word.
            std::size_t times = integer();
            if (times > 0 && at('*')) {
                ++at_;
            } else {
                times = 1;
                at_ = start;
            }
            const Config item = value();
            put(whole, item);
            if (!item.is_list() && !item.is_object())
                for (std::size_t i = 1; i < times; ++i) put(whole, item);
            skip(',');
            if (at_ == start) return whole;
        }
        skip(']');
        if (at('x')) {
            ++at_;
            const std::size_t once = whole.items().size();
            const std::size_t asked = integer();
            const std::size_t times = flat(whole) ? asked : 1;
            for (std::size_t i = once; i < once * times && i < longest; ++i)
                put(whole, Config(whole.items()[i - once]));
        }
        return whole;
    }

    /// Repeats multiply, and lines come from anywhere: the whole of it has an end.
    void put(Config& list, const Config& item) {
        if (values_ == most_values) return;
        ++values_;
        list.push(Config(item));
    }

    static bool flat(const Config& list) {
        for (const Config& item : list.items())
            if (item.is_list() || item.is_object()) return false;
        return true;
    }

    static Config scalar(std::string_view word) {
        if (word == "true" || word == "false") return Config::boolean(word == "true");
        if (word == "null") return {};
        double value = 0;
        double unit = 0;
        for (const char c : word) {
            if (c == '.' && unit == 0) {
                unit = 1;
            } else if (c >= '0' && c <= '9') {
                value = value * 10 + (c - '0');
                unit *= 10;
            } else {
                return Config::string(word);
            }
        }
        return Config::number(unit > 0 ? value / unit : value);
    }

    std::size_t integer() {
        std::size_t number = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && number < longest)
            number = number * 10 + static_cast<std::size_t>(text_[at_++] - '0');
        return number;
    }

    bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }

    std::string_view until(std::string_view stops) {
        const std::size_t start = at_;
        while (at_ < text_.size() && stops.find(text_[at_]) == std::string_view::npos) ++at_;
        return text_.substr(start, at_ - start);
    }

    void skip(char c) {
        if (at(c)) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::size_t values_ = 0;
};

/// Characters that end a word or begin something else.
bool fits_a_word(std::string_view text) {
    return !text.empty() && text.find_first_of(" ,=*[]{}") == std::string_view::npos;
}

/// The fewest decimal digits that read back as the same double, 15 at most.
void write_number(std::string& out, double value) {
    constexpr double most = 1e15;
    if (!(value >= 0 && value < most)) return;
    std::size_t places = 0;
    double power = 1;
    std::int64_t digits = std::llround(value);
    while (static_cast<double>(digits) / power != value && value * power * 10 < most) {
        power *= 10;
        ++places;
        digits = std::llround(value * power);
    }
    std::string text = std::to_string(digits);
    if (places > 0) {
        if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
        text.insert(text.size() - places, 1, '.');
    }
    out += text;
}

void write_value(std::string& out, const Config& value);

/// Words alone are compared: lists of kinds of layers are long, lists of numbers are not.
bool same_word(const Config& a, const Config& b) {
    return a.is_string() && b.is_string() && a.text() == b.text();
}

/// After how many items a list begins anew; its length where it does not.
std::size_t period(const std::vector<Config>& items) {
    for (std::size_t p = 1; p <= items.size() / 2; ++p) {
        if (items.size() % p != 0) continue;
        std::size_t i = p;
        while (i < items.size() && same_word(items[i], items[i - p])) ++i;
        if (i == items.size()) return p;
    }
    return items.size();
}

void write_list(std::string& out, const std::vector<Config>& items) {
    const std::size_t once = period(items);
    out += '[';
    for (std::size_t i = 0; i < once;) {
        std::size_t end = i + 1;
        while (end < once && same_word(items[end], items[i])) ++end;
        if (i > 0) out += ',';
        if (end - i > 1) out += std::to_string(end - i) + '*';
        write_value(out, items[i]);
        i = end;
    }
    out += ']';
    if (once > 0 && once < items.size()) out += 'x' + std::to_string(items.size() / once);
}

void write_value(std::string& out, const Config& value) {
    switch (value.kind()) {
        case Config::Kind::null:
            out += "null";
            break;
        case Config::Kind::boolean:
            out += value.truth() ? "true" : "false";
            break;
        case Config::Kind::number:
            write_number(out, value.number());
            break;
        case Config::Kind::string:
            // No family knows a word that does not fit: any other unknown word stands for it.
            out += fits_a_word(value.text()) ? value.text() : std::string_view("?");
            break;
        case Config::Kind::list:
            write_list(out, value.items());
            break;
        case Config::Kind::object:
            out += '{' + to_compact(value) + '}';
            break;
    }
}

}  // namespace

std::string to_compact(const Config& object) {
    std::string line;
    for (std::size_t i = 0; i < object.keys().size(); ++i) {
        const Config& value = object.items()[i];
        if (!value.was_read() || !fits_a_word(object.keys()[i])) continue;
        if (!line.empty()) line += ' ';
        line += object.keys()[i] + '=';
        write_value(line, value);
    }
    return line;
}

Config parse_compact(std::string_view line) {
    return CompactReader(line).fields();
}

}  // namespace memory_budget::model
