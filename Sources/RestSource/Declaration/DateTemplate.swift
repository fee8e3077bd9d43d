import SyncCore

/// A text with dates that are computed when a run begins, such as `{today - 7d}`. All dates are in UTC. Placeholders of
/// `ListPlaceholder` are literal text.
struct DateTemplate: Sendable, Equatable {
  /// A part of the text: literal text, or a date to compute.
  private enum Part: Sendable, Equatable {
    case text(String)
    /// - Parameters:
    ///   - isDay: Whether the date is the beginning of the current day, and not the current second.
    ///   - offset: Seconds after it.
    case date(isDay: Bool, offset: Int64)
  }

  /// The error of a text that is not a template.
  enum Fault: Error {
    /// The text in braces is not a date.
    case placeholder(String)
    case format
  }

  /// The text with its placeholders.
  let source: String
  private let parts: [Part]
  private let format: Format?

  /// Whether the text has braces, so that it must be a template.
  static func isTemplate(_ text: String) -> Bool { text.contains("{") }

  /// - Parameter format: `epoch`, `epoch_ms`, or a pattern of `strftime` with `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and
  ///   `%%`. By default, `{today}` is `%Y-%m-%d` and `{now}` is `%Y-%m-%dT%H:%M:%SZ`.
  init(_ text: String, format: String? = nil) throws(Fault) {
    source = text
    self.format = try format.map { (format) throws(Fault) in try Format(format) }
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      let inner = rest[rest.index(after: open)...]
      guard let close = inner.firstIndex(of: "}"), let part = Self.part(inner[..<close]) else {
        throw .placeholder(String(inner.prefix { $0 != "}" }))
      }
      parts.append(part)
      rest = inner[inner.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// Returns the part for a text in braces.
  private static func part(_ name: Substring) -> Part? {
    ListPlaceholder.isIndex(name) ? .text("{\(name)}") : date(name)
  }

  /// Reads `today`, `now`, `today - 7d` or `now+90m`.
  private static func date(_ text: Substring) -> Part? {
    let words = text.split { $0 == " " }.joined()
    guard let name = ["today", "now"].first(where: words.hasPrefix) else { return nil }
    let rest = words.dropFirst(name.count)
    if rest.isEmpty { return .date(isDay: name == "today", offset: 0) }
    guard let sign = rest.first, sign == "+" || sign == "-", let duration = Duration(configured: rest.dropFirst())
    else { return nil }
    let seconds = duration.components.seconds
    return .date(isDay: name == "today", offset: sign == "-" ? -seconds : seconds)
  }

  /// - Parameter now: Seconds since 1970.
  func text(at now: Int64) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .date(let isDay, let offset):
        (format ?? (isDay ? .day : .second)).text(of: (isDay ? floorDivide(now, 86_400) * 86_400 : now) + offset)
      }
    }.joined()
  }
}

extension DateTemplate {
  /// The format of the dates.
  private enum Format: Sendable, Equatable {
    case epoch
    case epochMilliseconds
    case pattern(String)

    static let day = Format.pattern("%Y-%m-%d")
    static let second = Format.pattern("%Y-%m-%dT%H:%M:%SZ")

    init(_ text: String) throws(Fault) {
      switch text {
      case "epoch": self = .epoch
      case "epoch_ms": self = .epochMilliseconds
      default:
        guard text.contains("%"), Self.fill(text, { _ in "" }) != nil else { throw .format }
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
}

extension Declaration.Resource {
  /// Whether the list depends on the time of its run, so that its items leave it without a change.
  var isWindow: Bool { parameters.contains { $0.template != nil } }

  /// The resource with the dates of a run that begins at this time, in seconds since 1970.
  func dated(at now: Int64) -> Declaration.Resource {
    var dated = self
    dated.parameters = parameters.map { parameter in
      var parameter = parameter
      if let template = parameter.template { parameter.value = .literal(template.text(at: now)) }
      return parameter
    }
    return dated
  }
}
