/// A cron expression of five fields, as in cronie (https://github.com/cronie-crond/cronie/blob/master/src/entry.c,
/// `cron.c` in the same folder, and `man 8 cron`).
///
/// - A day must match the day of month or the day of week. If one of them begins with `*`, a day must match both.
/// - If clocks are set ahead by at most three hours, all skipped firings become one firing at the moment of the change.
/// - If clocks are set back by at most three hours, firings in the repeated hour do not happen again.
/// - Exception: if the minute or hour begins with `*`, skipped firings are lost, and repeated firings happen again.
///
/// Unlike this type, cronie loses skipped firings after a change of three hours.
package struct CronExpression: Sendable, Equatable, CustomStringConvertible {
  package let description: String
  let times: CronTimes

  /// Whether both expressions match the same local times. Their spelling does not matter.
  package static func == (left: CronExpression, right: CronExpression) -> Bool { left.times == right.times }

  /// Rejects more than cronie: a step that is longer than its field, and an expression that never fires.
  init(_ text: ScheduleText) throws(ScheduleFault) {
    times = try CronParser(text: text).times()
    description = text.words.map(\.text).joined(separator: " ")
  }

  /// Returns the next firing after `instant`, both in seconds since 1970, or `nil` after the calendar's end. A clock
  /// change that is reversed within a day is not noticed.
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
        // A clock change moves a firing by less than two days.
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

  /// Whether a clock change skipped a firing that then happens at the moment of the change.
  private func makesUp(for change: ClockChange) -> Bool {
    guard !times.isWild, change.jump > 0, change.jump <= ClockChange.longestBridged else { return false }
    guard let skipped = times.next(after: change.instant - 1 + change.before) else { return false }
    return skipped < change.instant + change.after
  }

  /// Returns the end of the repeated hours if the firing at `instant` is a repetition. Otherwise, returns `nil`.
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
