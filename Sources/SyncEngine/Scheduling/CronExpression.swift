/// A cron expression of five fields, as in cronie (https://github.com/cronie-crond/cronie/blob/master/src/entry.c,
/// `cron.c` in the same folder, and `man 8 cron`).
///
/// - Day of month and day of week: a day must match either, but both if one of the fields begins with `*`.
/// - Clocks set ahead by at most three hours: skipped firings happen once, at the moment of the change.
/// - Clocks set back by at most three hours: the repeated hour does not repeat firings.
/// - An expression whose minute or hour begins with `*` follows the clock: skipped firings are lost, and the repeated
///   hour fires twice.
///
/// cronie ignores skipped firings after a change of exactly three hours, and notices only the changes of summer time.
package struct CronExpression: Sendable, Equatable, CustomStringConvertible {
  package let description: String
  let times: CronTimes

  package static func == (left: CronExpression, right: CronExpression) -> Bool { left.times == right.times }

  /// Stricter than cronie: a step must not be longer than its field, and the expression must match some day.
  init(_ text: ScheduleText) throws(ScheduleFault) {
    times = try CronParser(text: text).times()
    description = text.words.map(\.text).joined(separator: " ")
  }

  /// The first firing after a moment; `nil` after the calendar's end. Misses a clock change of less than a day.
  func next(after instant: Int64, in zone: some ZoneRules) -> Int64? {
    var position = instant
    var offset = Int64(zone.offset(at: position))
    while let local = times.next(after: position + offset) {
      let candidate = local - offset
      let horizon = min(candidate, position + Self.day)
      if Int64(zone.offset(at: horizon)) != offset {
        let change = ClockChange(after: position, upTo: horizon, before: offset, in: zone)
        if makesUp(for: change) { return change.instant }
        position = change.instant - 1
        offset = change.after
      } else if horizon < candidate {
        // The first step is at most one day, because clocks that are set back within it can show a time before the
        // candidate again. Two days before the candidate, no clock can show the candidate's time yet.
        position = max(horizon, candidate - 2 * Self.day)
        offset = Int64(zone.offset(at: position))
      } else if let repeated = repetition(at: candidate, offset: offset, in: zone) {
        position = repeated - 1
      } else {
        return candidate
      }
    }
    return nil
  }

  private static let day: Int64 = 86_400

  private func makesUp(for change: ClockChange) -> Bool {
    guard !times.isWild, change.jump > 0, change.jump <= ClockChange.longestBridged else { return false }
    guard let skipped = times.next(after: change.instant - 1 + change.before) else { return false }
    return skipped < change.instant + change.after
  }

  /// The end of the repeated hour if this moment is in it; nil otherwise.
  private func repetition(at instant: Int64, offset: Int64, in zone: some ZoneRules) -> Int64? {
    guard !times.isWild else { return nil }
    let start = instant - ClockChange.longestBridged
    let before = Int64(zone.offset(at: start))
    guard before > offset else { return nil }
    let change = ClockChange(after: start, upTo: instant, before: before, in: zone)
    guard change.jump < 0, -change.jump <= ClockChange.longestBridged else { return nil }
    let end = change.instant - change.jump
    return instant < end ? end : nil
  }
}
