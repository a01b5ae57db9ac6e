// SPDX-License-Identifier: MIT
#include "core/model/config.h"

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

const Config* Config::find(std::string_view key) const {
    for (std::size_t i = keys_.size(); i-- > 0;)
        if (keys_[i] == key) return &items_[i];
    return nullptr;
}

const Config* Config::get(std::string_view key) const {
    const Config* value = find(key);
    return value && !value->is_null() ? value : nullptr;
}

void Config::set(std::string_view key, Config value) {
    erase(key);
    keys_.emplace_back(key);
    items_.push_back(std::move(value));
}

void Config::erase(std::string_view key) {
    for (std::size_t i = keys_.size(); i-- > 0;) {
        if (keys_[i] != key) continue;
        keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(i));
        items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

namespace {

/// Reads the compact lines that the catalog is made of. They are part of the program: what is no value ends up as
/// a word, nothing is diagnosed.
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
    Config value() {
        if (at_ < text_.size() && text_[at_] == '{') {
            ++at_;
            Config object = fields();
            skip('}');
            return object;
        }
        if (at_ < text_.size() && text_[at_] == '[') return list();
        return scalar(until(" ,]}"));
    }

    Config list() {
        Config whole = Config::list();
        ++at_;
        while (at_ < text_.size() && text_[at_] != ']') {
            // `3*word` is three times the word.
            std::size_t times = 1;
            const std::size_t start = at_;
            const int number = integer();
            if (number > 0 && at_ < text_.size() && text_[at_] == '*') {
                times = static_cast<std::size_t>(number);
                ++at_;
            } else {
                at_ = start;
            }
            const Config item = value();
            for (std::size_t i = 0; i < times; ++i) whole.push(item);
            skip(',');
        }
        skip(']');
        if (at_ < text_.size() && text_[at_] == 'x') {
            ++at_;
            const int times = integer();
            const std::size_t once = whole.items().size();
            for (int t = 1; t < times; ++t)
                for (std::size_t i = 0; i < once; ++i) whole.push(Config(whole.items()[i]));
        }
        return whole;
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

    int integer() {
        int number = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && number < 100000)
            number = number * 10 + (text_[at_++] - '0');
        return number;
    }

    std::string_view until(std::string_view stops) {
        const std::size_t start = at_;
        while (at_ < text_.size() && stops.find(text_[at_]) == std::string_view::npos) ++at_;
        return text_.substr(start, at_ - start);
    }

    void skip(char c) {
        if (at_ < text_.size() && text_[at_] == c) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Config parse_compact(std::string_view line) {
    return CompactReader(line).fields();
}

}  // namespace memory_budget::model
