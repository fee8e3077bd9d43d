/// A text of a manifest after its known expressions have been computed.
struct ImportedText {
  enum Part: Equatable {
    case text(String)
    /// An option of the user, whose value is unknown.
    case option([String])
    /// A value of the partition router; for the extra field of a parent's record, `extra_fields` and its name.
    case partition([String])
    /// The start of the interval of an incremental walk, or its end.
    case interval(isStart: Bool)
    /// The token of the next page.
    case pageToken
    case moment(ManifestMoment)
    /// Another expression, with its text in the manifest.
    case other(JinjaExpression, String)
  }

  let parts: [Part]
  let line: Int
  /// Whether a part is, or depends on, a value of the partition router.
  let hasPartition: Bool
  /// Whether a part is, or depends on, the interval of an incremental walk.
  let hasInterval: Bool

  /// The names that interval values have without `partition_field_start` and `partition_field_end`.
  static let usualInterval = (start: "start_time", end: "end_time")

  init(_ text: String, line: Int, evaluator: inout JinjaEvaluator, interval: (start: String, end: String)) {
    var parts: [Part] = []
    var hasPartition = false
    var hasInterval = false
    for part in JinjaTemplate(text).parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .expression(let expression, let source):
        let known = evaluator.simplified(expression)
        parts += Self.parts(known, source, interval)
        hasInterval = hasInterval || known.contains { Self.isInterval($0, interval) }
        hasPartition = hasPartition || known.contains { Self.isSlice($0) && !Self.isInterval($0, interval) }
      }
    }
    self.parts = Self.joined(parts)
    self.line = line
    self.hasPartition = hasPartition
    self.hasInterval = hasInterval
  }

  private static func isSlice(_ path: [String]) -> Bool {
    ["stream_interval", "stream_slice", "stream_partition"].contains(path.first)
  }

  private static func isInterval(_ path: [String], _ interval: (start: String, end: String)) -> Bool {
    isSlice(path) && path.count == 2 && [interval.start, interval.end].contains(path[1])
  }

  private static func parts(
    _ expression: JinjaExpression, _ source: String, _ interval: (start: String, end: String)
  ) -> [Part] {
    switch expression {
    case .literal(.moment(let moment)): return [.moment(moment)]
    case .literal(let value): return [value.text.map { .text($0) } ?? .other(expression, source)]
    case .reference(let path): return [Self.part(path, interval) ?? .other(expression, source)]
    case .operation(let sign, let left, let right) where sign == "~" || sign == "+" && expression.joinsTexts:
      return parts(left, source, interval) + parts(right, source, interval)
    default: return [.other(expression, source)]
    }
  }

  private static func part(_ path: [String], _ interval: (start: String, end: String)) -> Part? {
    let names = Array(path.dropFirst().drop { $0 == "_partition" })
    switch path.first {
    case "config": return names.isEmpty ? nil : .option(names)
    case "next_page_token": return .pageToken
    case "stream_interval", "stream_slice", "stream_partition":
      if names == [interval.start] { return .interval(isStart: true) }
      if names == [interval.end] { return .interval(isStart: false) }
      return names.isEmpty ? nil : .partition(names)
    default: return nil
    }
  }

  /// Joins neighbouring texts, and drops empty ones.
  private static func joined(_ parts: [Part]) -> [Part] {
    var joined: [Part] = []
    for part in parts where part != .text("") {
      if case .text(let text) = part, case .text(let before)? = joined.last {
        joined[joined.count - 1] = .text(before + text)
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  /// Whether nothing remains of the text, for example because it was an option without a value.
  var isAbsent: Bool { parts.isEmpty }

  /// The text if it has no unknown part.
  var plain: String? {
    if parts.isEmpty { return "" }
    if parts.count == 1, case .text(let text) = parts[0] { return text }
    return nil
  }

  /// The only part.
  var single: Part? { parts.count == 1 ? parts[0] : nil }

  /// The first expression that is not read.
  var opaque: String? {
    for case .other(_, let source) in parts { return source }
    return nil
  }
}
