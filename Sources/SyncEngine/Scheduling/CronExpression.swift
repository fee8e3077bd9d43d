/// A cron expression of five fields, and when it fires.
///
/// The rules are those of cronie: what `*` at the beginning of a field means for the two fields of days, and how
/// firings are handled when the clocks are changed (https://github.com/cronie-crond/cronie/blob/master/src/entry.c and
/// `cron.c` in the same folder; `man 8 cron`).
///
/// - Day of month and day of week: a day must match either, but both if one of the fields begins with `*`.
/// - Clocks set ahead, by three hours at most: firings whose time was skipped happen once, at the moment of the change.
/// - Clocks set back, by three hours at most: what has fired in the repeated hour does not fire again.
/// - An expression whose minute or hour begins with `*` follows the clock instead: nothing is made up for, and it
///   fires in both of the two hours.
///
/// cronie counts the minute after the change as part of it, and so makes up for nothing after exactly three hours; here
/// it does. cronie notices a change only when summer time begins or ends; here every change of the offset counts.
package struct CronExpression: Sendable, Equatable, CustomStringConvertible {
  package let description: String
  let times: CronTimes

  /// Expressions are equal if they fire at the same times, however they are written.
  package static func == (left: CronExpression, right: CronExpression) -> Bool { left.times == right.times }

  /// Reads five fields, or `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight`, `@hourly`.
  ///
  /// Stricter than cronie where that is a slip: a step must not be longer than its field, and some day must match.
  package init(_ text: String) throws(ScheduleFault) {
    try self.init(ScheduleText(text))
  }

  init(_ text: ScheduleText) throws(ScheduleFault) {
    times = try CronParser(text: text).times()
    description = text.words.map(\.text).joined(separator: " ")
  }

  /// The first firing after a moment. Nil if the calendar ends before.
  ///
  /// It looks a day ahead at a time for a change of the clocks: a zone that changes its clocks and changes them back
  /// within a day is not seen.
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
        // The first step is a day at most: clocks that are set back in it may show a time before the candidate again.
        // After it they cannot, because no change is longer than a day; and two days before the candidate, no zone's
        // clocks show the candidate's time yet.
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

  /// When the hour ends that is shown for the second time at this moment; nil if it is the first time.
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
