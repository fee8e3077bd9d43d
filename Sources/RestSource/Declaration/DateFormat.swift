import SyncCore

/// The format of a computed date.
enum DateFormat: Sendable, Equatable {
  case epoch
  case epochMilliseconds
  case pattern(String)

  static let day = DateFormat.pattern("%Y-%m-%d")
  static let second = DateFormat.pattern("%Y-%m-%dT%H:%M:%SZ")

  /// Whether a date is a number.
  var isNumber: Bool { self == .epoch || self == .epochMilliseconds }

  /// - Parameter text: `epoch`, `epoch_ms`, or a pattern of `strftime` with `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and
  ///   `%%`.
  /// - Returns: `nil` for another text.
  init?(_ text: String) {
    switch text {
    case "epoch": self = .epoch
    case "epoch_ms": self = .epochMilliseconds
    default:
      guard text.contains("%"), Self.fill(text, { _ in "" }) != nil else { return nil }
      self = .pattern(text)
    }
  }

  /// - Parameter moment: Seconds since 1970.
  func text(of moment: Int64) -> String {
    switch self {
    case .epoch: "\(moment)"
    case .epochMilliseconds: "\(moment * 1_000)"
    case .pattern(let pattern): Self.fill(pattern) { Self.field($0, of: moment) } ?? pattern
    }
  }

  /// Replaces each `%` and the letter after it. Returns `nil` if `field` does not know a letter.
  private static func fill(_ pattern: String, _ field: (Character) -> String?) -> String? {
    var text = ""
    var rest = pattern[...]
    while let next = rest.popFirst() {
      guard next == "%" else {
        text.append(next)
        continue
      }
      guard let letter = rest.popFirst(), "YmdHMS%".contains(letter), let value = field(letter) else { return nil }
      text += value
    }
    return text
  }

  private static func field(_ letter: Character, of moment: Int64) -> String {
    let day = floorDivide(moment, 86_400)
    let second = moment - day * 86_400
    let civil = CivilMonth.of(day: day)
    return switch letter {
    case "Y": padded(civil.month.year, 4)
    case "m": padded(civil.month.month, 2)
    case "d": padded(civil.day, 2)
    case "H": padded(second / 3_600, 2)
    case "M": padded(second / 60 % 60, 2)
    case "S": padded(second % 60, 2)
    default: "%"
    }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension TextTemplate.Placeholder {
  /// Reads `today`, `now`, `today - 7d` or `now+90m`. Returns `nil` for another text.
  init?(date text: some StringProtocol) {
    let trimmed = text.drop { $0 == " " }
    guard let name = ["today", "now"].first(where: trimmed.hasPrefix) else { return nil }
    let rest = trimmed.dropFirst(name.count).split(separator: " ").joined()
    var offset: Int64 = 0
    if !rest.isEmpty {
      guard let sign = rest.first, sign == "+" || sign == "-", let duration = Duration(configured: rest.dropFirst())
      else { return nil }
      offset = duration.components.seconds * (sign == "-" ? -1 : 1)
    }
    self = .date(isDay: name == "today", offset: offset)
  }
}
