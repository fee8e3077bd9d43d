import Foundation

/// A value of an incremental cursor, with everything that the rule and the service read from it.
package struct ModelValue: Hashable, Sendable {
  package enum Spelling: Hashable, Sendable {
    case number
    case text
    /// A text of six digits behind a letter.
    case padded
    /// A time with this many hours from UTC.
    case zone(hours: Int)
    case utc, local, day
  }

  package let spelling: Spelling
  /// The value in the service's own order. Times are seconds since 1970, as the text shows them.
  package let rank: Int
  /// The seconds when a change can have received the value, as far as its text says; `nil` if it is not a time.
  package var span: ClosedRange<Int>?

  package init(_ spelling: Spelling, _ rank: Int, span: ClosedRange<Int>? = nil) {
    self.spelling = spelling
    self.rank = rank
    self.span = span
  }

  /// The value as JSON.
  package var json: String {
    switch spelling {
    case .number: return "\(rank)"
    case .text: return "\"\(rank)\""
    case .padded:
      let digits = "\(rank)"
      return "\"v\(String(repeating: "0", count: 6 - digits.count))\(digits)\""
    case .zone(let hours): return "\"\(Self.text(rank + 3600 * hours))+0\(hours):00\""
    case .utc: return "\"\(Self.text(rank))Z\""
    case .local: return "\"\(Self.text(rank))\""
    case .day: return "\"\(Self.text(rank).prefix(10))\""
    }
  }

  /// The time in ISO 8601 without a zone.
  private static func text(_ seconds: Int) -> String {
    String(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast())
  }

  /// The order of equal times as texts.
  fileprivate var textOrder: Int { if case .zone(let hours) = spelling { hours } else { 0 } }
}

/// The rule of `finished.sql` as a pure function. `CursorRuleTests` compares both. The values of one list have one
/// kind, whose order as numbers, times or texts is the order of the ranks.
package struct ModelRule: Sendable {
  package private(set) var cursor: ModelValue?
  package private(set) var reached: ModelValue?
  /// How many seconds the clock of the service can be behind the database's clock.
  package static let tolerance = 300

  package init() {}

  package static func later(_ one: ModelValue?, _ other: ModelValue?) -> ModelValue? {
    guard let one else { return other }
    guard let other else { return one }
    return (one.rank, one.textOrder) >= (other.rank, other.textOrder) ? one : other
  }

  private static func largest(_ values: some Sequence<ModelValue>) -> ModelValue? {
    values.reduce(nil as ModelValue?) { later($0, $1) }
  }

  /// The largest value that is smaller than the largest.
  private static func second(_ values: [ModelValue]) -> ModelValue? {
    guard let largest = largest(values) else { return nil }
    return Self.largest(values.lazy.filter { $0.rank < largest.rank })
  }

  /// - Parameters:
  ///   - shown: The values of all items that the walk has read.
  ///   - first: The values of the items that only the first reading showed.
  ///   - startedAt: The walk's beginning, in seconds of the database's clock, as is `now`.
  package mutating func finish(
    shown: [ModelValue], first: [ModelValue], startedAt: Int, now: Int, isFull: Bool
  ) {
    func isPast(_ value: ModelValue) -> Bool { value.span.map { $0.lowerBound <= now } ?? true }
    let all = shown.filter(isPast)
    let settled = Self.largest(
      all.lazy.filter { value in value.span.map { $0.upperBound <= startedAt - Self.tolerance } ?? false })
    if isFull {
      let largest = Self.largest(all)
      cursor = nil
      if Self.later(reached, largest) != largest { reached = nil }
    }
    cursor = Self.later(Self.later(cursor, reached), Self.later(settled, Self.second(first.filter(isPast))))
    reached = Self.later(reached, Self.second(all))
  }

  /// The rule before: the largest value of the walk, unless it is a time after the walk's beginning.
  package mutating func finishWithLargest(shown: [ModelValue], startedAt: Int, isFull: Bool) {
    let largest = Self.largest(shown.filter { value in value.span.map { $0.lowerBound <= startedAt } ?? true })
    cursor = isFull ? largest : Self.later(cursor, largest)
  }
}

/// The kinds of cursors that services have.
package enum CursorKind: String, CaseIterable, Sendable {
  case sequence, batches, textSequence, numbersAsTexts, growingIDs
  case epochSeconds, epochMilliseconds, times, timesOfZones, localTimes, days

  /// Whether the database's clock says when a value was given.
  package var hasClock: Bool { [.times, .timesOfZones].contains(self) }

  /// Returns the value of a change.
  /// - Parameters:
  ///   - now: Seconds of the service's clock.
  ///   - change: The number of the change.
  ///   - zone: Seconds from UTC to the service's local time.
  package func value(now: Int, change: Int, zone: Int, _ generator: inout SeededGenerator) -> ModelValue {
    switch self {
    case .sequence, .growingIDs: return ModelValue(.number, change)
    case .batches: return ModelValue(.number, change / 7)
    case .textSequence: return ModelValue(.padded, change)
    case .numbersAsTexts: return ModelValue(.text, change)
    case .epochSeconds: return ModelValue(.number, now)
    case .epochMilliseconds: return ModelValue(.number, now * 1000 + change)
    case .times: return ModelValue(.utc, now, span: now...now)
    case .timesOfZones: return ModelValue(.zone(hours: Int.random(in: 0...9, using: &generator)), now, span: now...now)
    case .localTimes:
      let local = now + zone
      return ModelValue(.local, local, span: local - 14 * 3600...local + 12 * 3600)
    case .days:
      let midnight = (now + zone) / 86_400 * 86_400
      return ModelValue(.day, midnight, span: midnight - 14 * 3600...midnight + 36 * 3600)
    }
  }
}
