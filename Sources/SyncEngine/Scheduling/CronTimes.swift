import SyncCore

/// The times of a cron expression, as bit sets: bit n stands for the value n.
struct CronTimes: Sendable, Equatable {
  let minutes: UInt64
  let hours: UInt64
  let days: UInt64
  let months: UInt64
  /// Bit 0 is Sunday.
  let weekdays: UInt64
  /// Whether a day must match both `days` and `weekdays`. Otherwise one match is enough.
  let needsBothDays: Bool
  /// Whether the minute or hour begins with `*`, so that clock changes skip or repeat firings.
  let isWild: Bool

  static let lastYear: Int64 = 9999

  /// Returns the first matching minute after `local`, or `nil` after `lastYear`. Both are local times in seconds since
  /// 1970-01-01T00:00, without a time zone.
  func next(after local: Int64) -> Int64? {
    let minute = floorDivide(local, 60) + 1
    let day = floorDivide(minute, 1440)
    guard let found = nextDay(from: day) else { return nil }
    if found == day {
      let minuteOfDay = minute - day * 1440
      if let rest = nextMinute(hour: minuteOfDay / 60, minute: minuteOfDay % 60) { return day * 86_400 + rest * 60 }
      guard let later = nextDay(from: day + 1) else { return nil }
      return later * 86_400 + firstMinute * 60
    }
    return found * 86_400 + firstMinute * 60
  }

  private var firstMinute: Int64 { lowest(hours) * 60 + lowest(minutes) }

  private func nextMinute(hour: Int64, minute: Int64) -> Int64? {
    if hours >> UInt64(hour) & 1 == 1 {
      let rest = minutes >> UInt64(minute)
      if rest != 0 { return hour * 60 + minute + lowest(rest) }
    }
    let rest = hours >> UInt64(hour + 1)
    guard rest != 0 else { return nil }
    return (hour + 1 + lowest(rest)) * 60 + lowest(minutes)
  }

  private func nextDay(from start: Int64) -> Int64? {
    var (month, day) = CivilMonth.of(day: start)
    while month.year <= Self.lastYear {
      if months >> UInt64(month.month) & 1 == 1 {
        let first = month.firstDay
        let rest = days(of: month, firstDay: first) >> UInt64(day)
        if rest != 0 { return first + day - 1 + lowest(rest) }
      }
      month = month.following
      day = 1
    }
    return nil
  }

  private func days(of month: CivilMonth, firstDay: Int64) -> UInt64 {
    let all: UInt64 = (1 << UInt64(month.length + 1)) - 2
    // Bit 0 of `week` is the weekday of the month's first day. Five copies of `week` cover the month.
    let weekday = UInt64(CivilMonth.weekday(ofDay: firstDay))
    let week = (weekdays >> weekday | weekdays << (7 - weekday)) & 0x7F
    let byWeekday = (week | week << 7 | week << 14 | week << 21 | week << 28) << 1
    return (needsBothDays ? days & byWeekday : days | byWeekday) & all
  }

  private func lowest(_ bits: UInt64) -> Int64 { Int64(bits.trailingZeroBitCount) }
}
