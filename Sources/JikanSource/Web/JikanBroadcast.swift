import Foundation
import SyncCore
import SyncProgram

#if canImport(Glibc)
  import Glibc
#endif

/// The time of a weekly broadcast, in the zone of the broadcaster and in the zone of the server.
struct JikanBroadcast: Sendable {
  /// A value of `JikanList.scheduleFilters`, such as `friday`. Only weekdays have times.
  let day: String
  /// The time of the upstream, such as `23:30`.
  let time: String?
  /// The zone of the upstream, such as `Asia/Tokyo`.
  let zone: String?

  static let japan = TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt

  private static let weekdays = Array(JikanList.scheduleFilters.prefix(7))

  /// The time with its zone, such as `23:30 JST`; `nil` without a valid time.
  var text: String? {
    guard minutes != nil, let time else { return nil }
    switch zone {
    case "Asia/Tokyo"?, nil: return "\(time) JST"
    case let zone?: return "\(time) \(zone)"
    }
  }

  /// Returns the time on the server, such as `15:30 CET`, in the week from `now` on. The weekday is in front if it
  /// differs. Returns `nil` without a valid time, and if both zones have the same time.
  func text(on server: ServerZone, at now: Date) -> String? {
    guard let instant = next(at: now), let own = ownZone else { return nil }
    guard server.zone.secondsFromGMT(for: instant) != own.secondsFromGMT(for: instant) else { return nil }
    let local = Self.fields(of: instant, in: server.zone)
    let clock = "\(HumanFormat.twoDigits(local.minutes / 60)):\(HumanFormat.twoDigits(local.minutes % 60))"
    let weekday = Self.weekdays[local.weekday]
    return [weekday == day ? nil : String(weekday.capitalized.prefix(3)), clock, server.name(instant)]
      .compactMap(\.self).joined(separator: " ")
  }

  /// The minutes since midnight.
  private var minutes: Int? {
    guard let time, time.utf8.count == 5 else { return nil }
    let parts = time.split(separator: ":")
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  private var ownZone: TimeZone? {
    guard let zone, zone != "Asia/Tokyo" else { return Self.japan }
    return TimeZone(identifier: zone)
  }

  /// Returns the first broadcast on or after the broadcaster's present day.
  private func next(at now: Date) -> Date? {
    guard let minutes, let zone = ownZone, let weekday = Self.weekdays.firstIndex(of: day) else { return nil }
    let today = Self.fields(of: now, in: zone)
    let days = (weekday - today.weekday + 7) % 7
    let midnight = now.addingTimeInterval(-now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60))
      .addingTimeInterval(-Double(today.minutes) * 60)
    return midnight.addingTimeInterval(Double(days) * 86_400 + Double(minutes) * 60)
  }

  /// Returns the weekday, from 0 for Monday, and the minutes since midnight. 1970-01-01 was a Thursday.
  private static func fields(of date: Date, in zone: TimeZone) -> (weekday: Int, minutes: Int) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    return (((days + 3) % 7 + 7) % 7, (seconds - days * 86_400) / 60)
  }
}

/// The time zone of the server, with its abbreviations.
struct ServerZone: Sendable {
  let zone: TimeZone
  /// Returns the zone's abbreviation at a time, such as `CET`.
  let name: @Sendable (Date) -> String

  /// The zone of this process.
  static let current = ServerZone(zone: .current) { date in
    // Foundation's abbreviation of Europe/Berlin is `GMT+1` on Linux, so the C library names the zone.
    var seconds = time_t(date.timeIntervalSince1970)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil, let zone = fields.tm_zone else { return "UTC" }
    let name = String(cString: zone)
    // Zones without letters have names such as `+03`.
    return name.first.map { "+-".contains($0) } ?? false ? "UTC\(name)" : name
  }
}
