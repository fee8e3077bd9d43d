import SyncCore

/// A text of a request with placeholders, such as `created:>={today - 7d} in:{resources.repos.name}`. A run computes
/// its dates; a list and a walk have the values of the others.
struct TextTemplate: Sendable, Equatable {
  /// A part of the text: literal text, or a placeholder as messages and fingerprints show it.
  enum Part: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder, shown: String)
  }

  enum Placeholder: Sendable, Equatable {
    /// A date in UTC.
    /// - Parameters:
    ///   - isDay: Whether the date is the beginning of the current day, and not the current second.
    ///   - offset: Seconds after it.
    case date(isDay: Bool, offset: Int64)
    /// The element of `Values.list` with this index.
    case list(Int)
    /// The value from which an incremental walk or a window reads.
    case start
    /// The end of a window.
    case end
  }

  /// The values of the placeholders in the requests of a list.
  struct Values: Sendable, Equatable {
    /// The values of `Declaration.Parent.members`, or the value of `Declaration.Lists.values`.
    var list: [String] = []
    var start: String?
    var end: String?
  }

  /// The text with its placeholders, also after `dated(at:)`.
  let source: String
  /// Whether the text is computed when a run begins. Stays true after `dated(at:)`.
  let hasDates: Bool
  private var parts: [Part]
  /// The format of the dates. By default, `{today}` is `%Y-%m-%d` and `{now}` is `%Y-%m-%dT%H:%M:%SZ`.
  private let format: DateFormat?

  init(_ parts: [Part], format: DateFormat? = nil) {
    self.parts = parts
    self.format = format
    source = Self.text(parts) { _ in nil }
    hasDates = parts.contains { if case .placeholder(.date, _) = $0 { true } else { false } }
  }

  /// The text that is only the cursor.
  static let start = TextTemplate([.placeholder(.start, shown: "{incremental.start_value}")])

  /// Whether the text is one placeholder.
  var isAlone: Bool { parts.count == 1 }
  var isStart: Bool { isAlone && has(.start) }
  var isEnd: Bool { isAlone && has(.end) }
  var hasCursor: Bool { has(.start) || has(.end) }
  var hasListValues: Bool { parts.contains { if case .placeholder(.list, _) = $0 { true } else { false } } }

  func has(_ placeholder: Placeholder) -> Bool {
    parts.contains { if case .placeholder(placeholder, _) = $0 { true } else { false } }
  }

  /// The text with the names of the placeholders that have no value yet.
  var shown: String { Self.text(parts) { _ in nil } }

  /// Returns the text with the values in place of the placeholders. Braces in values are not placeholders.
  func text(filledWith values: Values) -> String {
    Self.text(parts) { placeholder in
      switch placeholder {
      case .date: nil
      case .list(let index): values.list.indices.contains(index) ? values.list[index] : nil
      case .start: values.start
      case .end: values.end
      }
    }
  }

  /// Returns the text with the dates of a run.
  /// - Parameter now: Seconds since 1970.
  func dated(at now: Int64) -> TextTemplate {
    var dated = self
    dated.parts = parts.map { part in
      guard case .placeholder(.date(let isDay, let offset), _) = part else { return part }
      let moment = (isDay ? floorDivide(now, 86_400) * 86_400 : now) + offset
      return .text((format ?? (isDay ? .day : .second)).text(of: moment))
    }
    return dated
  }

  /// - Parameter value: Returns the value of a placeholder, or `nil` to show its name.
  private static func text(_ parts: [Part], _ value: (Placeholder) -> String?) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let placeholder, let shown): value(placeholder) ?? shown
      }
    }.joined()
  }
}

extension Declaration.Resource {
  /// Whether the list depends on the time of its run, so that its items leave it without a change.
  var isWindow: Bool { parameters.contains { $0.template?.hasDates == true } || body?.hasDates == true }

  /// The resource with the dates of a run that begins at this time, in seconds since 1970.
  func dated(at now: Int64) -> Declaration.Resource {
    var dated = self
    dated.parameters = parameters.map { parameter in
      var parameter = parameter
      if let template = parameter.template?.dated(at: now) {
        parameter.template = template
        parameter.value = .literal(template.shown)
      }
      return parameter
    }
    dated.body = body?.mapping { .template($0.dated(at: now), isNumber: $1) }
    return dated
  }
}
