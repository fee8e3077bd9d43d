import SyncCore

/// A time that depends on the time of a run, such as `day_delta(-7, format='%Y-%m-%d')`.
struct ManifestMoment: Equatable, Sendable {
  /// Whether the time is the beginning of a day, and not the current second.
  let isDay: Bool
  /// Seconds after it.
  var offset: Int
  /// The format in the notation of `strftime`; `nil` for Python's standard format.
  var format: String?

  /// The placeholder of a declaration, such as `{today - 7d}`, with its format unless that is the standard one. `nil`
  /// if a declaration has no such format.
  var placeholder: (text: String, format: String?)? {
    guard let pattern = StrftimeFormat.declared(format ?? (isDay ? "%Y-%m-%d" : "%Y-%m-%d %H:%M:%S.%f%:z")) else {
      return nil
    }
    let isWholeDays = offset % 86_400 == 0
    if pattern == "%Y-%m-%d", isDay || isWholeDays { return (text(of: "today"), nil) }
    if pattern == "%Y-%m-%dT%H:%M:%SZ", !isDay { return (text(of: "now"), nil) }
    return (text(of: isDay ? "today" : "now"), pattern)
  }

  private func text(of name: String) -> String {
    guard offset != 0 else { return "{\(name)}" }
    return "{\(name) \(offset < 0 ? "-" : "+") \(Duration.seconds(abs(offset)).configured)}"
  }
}

/// Formats of dates in the notation of the CDK's `strftime`.
enum StrftimeFormat {
  /// Returns the format in the notation of declarations: `epoch`, `epoch_ms`, or a pattern with `%Y`, `%m`, `%d`, `%H`,
  /// `%M` and `%S`. `nil` if declarations have no such format.
  static func declared(_ format: String) -> String? {
    switch format {
    case "%s": return "epoch"
    case "%ms": return "epoch_ms"
    default:
      let pattern = fill(format) { "YmdHMS".contains($0) ? "%\($0)" : nil }
      return pattern?.contains("%") == true ? pattern : nil
    }
  }

  /// Whether values of this format are numbers since 1970.
  static func isEpoch(_ format: String) -> Bool {
    ["%s", "%ms", "%s_as_float", "%epoch_microseconds"].contains(format)
  }

  /// Replaces each `%` and the letter after it. Times are in UTC, and fractions of a second are zero.
  /// - Parameter field: Returns the text of `Y`, `m`, `d`, `H`, `M` or `S`.
  /// - Returns: `nil` for an unknown letter.
  static func fill(_ format: String, _ field: (Character) -> String?) -> String? {
    let fixed: [Character: String] = ["f": "000000", "z": "+0000", "Z": "UTC", "%": "%"]
    let words: [Character: [Character]] = ["F": ["Y", "-", "m", "-", "d"], "T": ["H", ":", "M", ":", "S"]]
    var text = ""
    var rest = format.replacing("%_ms", with: "000").replacing("%:z", with: "+00:00")[...]
    while let next = rest.popFirst() {
      guard next == "%" else {
        text.append(next)
        continue
      }
      guard let letter = rest.popFirst() else { return nil }
      if let replacement = fixed[letter] {
        text += replacement
        continue
      }
      for part in words[letter] ?? [letter] {
        guard part.isLetter else {
          text.append(part)
          continue
        }
        guard "YmdHMS".contains(part), let value = field(part) else { return nil }
        text += value
      }
    }
    return text
  }
}

/// A date in ISO 8601 that a manifest contains, such as `2020-01-01T00:00:00Z`. It has no zone but UTC.
struct ManifestDate: Equatable {
  private let day: Int64
  private let second: Int64

  /// - Returns: `nil` if the text is no such date.
  init?(_ text: String) {
    let pattern =
      /([0-9]{4})-([0-9]{2})-([0-9]{2})([T ]([0-9]{2}):([0-9]{2})(:([0-9]{2}))?(\.[0-9]+)?(Z|\+00:?00)?)?/
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    let year = Int64(match.1) ?? 0
    let month = Int64(match.2) ?? 0
    let day = Int64(match.3) ?? 0
    guard year > 0, (1...12).contains(month) else { return nil }
    let civil = CivilMonth(year: year, month: month)
    guard (1...civil.length).contains(day) else { return nil }

    let hour = match.5.flatMap { Int64($0) } ?? 0
    let minute = match.6.flatMap { Int64($0) } ?? 0
    let second = match.8.flatMap { Int64($0) } ?? 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    self.day = civil.firstDay + day - 1
    self.second = hour * 3_600 + minute * 60 + second
  }

  /// Returns the date in a format of `strftime`; `nil` for an unknown format.
  func text(_ format: String) -> String? {
    let seconds = day * 86_400 + second
    switch format {
    case "%s", "%s_as_float": return "\(seconds)"
    case "%ms": return "\(seconds * 1_000)"
    case "%epoch_microseconds": return "\(seconds * 1_000_000)"
    default: return StrftimeFormat.fill(format, field)
    }
  }

  private func field(_ letter: Character) -> String? {
    let civil = CivilMonth.of(day: day)
    return switch letter {
    case "Y": Self.padded(civil.month.year, 4)
    case "m": Self.padded(civil.month.month, 2)
    case "d": Self.padded(civil.day, 2)
    case "H": Self.padded(second / 3_600, 2)
    case "M": Self.padded(second / 60 % 60, 2)
    case "S": Self.padded(second % 60, 2)
    default: nil
    }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Durations in ISO 8601, such as `P1DT12H`.
enum ISODuration {
  /// Returns the seconds, rounded up. A month has 30 days, and a year 365. `nil` for another text.
  static func seconds(_ text: String) -> Int? {
    let pattern = /P(([0-9]{1,6})Y)?(([0-9]{1,6})M)?(([0-9]{1,6})W)?(([0-9]{1,6})D)?(T([0-9HMS.]+))?/
    guard text.count > 1, let match = text.wholeMatch(of: pattern)?.output else { return nil }
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    let days = number(match.2) * 365 + number(match.4) * 30 + number(match.6) * 7 + number(match.8)
    guard let clock = match.10 else { return days * 86_400 }

    let clockPattern = /(([0-9]{1,8})H)?(([0-9]{1,8})M)?(([0-9]{1,8})(\.[0-9]{1,9})?S)?/
    guard let parts = clock.wholeMatch(of: clockPattern)?.output else { return nil }
    let hasFraction = parts.7 != nil
    return days * 86_400 + number(parts.2) * 3_600 + number(parts.4) * 60 + number(parts.6) + (hasFraction ? 1 : 0)
  }
}
