import Foundation
import SyncCore

/// Formats numbers, sizes and times for tables and messages.
package enum HumanFormat {
  /// Formats a whole number as in 1,204.
  package static func count(_ value: Int) -> String { value.grouped }

  static func grouped(_ number: String) -> String { Int(number).map { count($0) } ?? number }

  /// Pads a plain number to two decimals, as in 8.70. Returns a number with more decimals, and any other text,
  /// unchanged.
  package static func twoDecimals(_ number: String) -> String {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard parts.count <= 2, Int(parts[0]) != nil, decimals.utf8.count < 2, decimals.allSatisfy(\.isNumber) else {
      return number
    }
    return "\(parts[0]).\(decimals)" + (decimals.isEmpty ? "00" : "0")
  }

  /// Formats a number with its noun, as in 1 page or 1,204 pages.
  ///
  /// - Parameter many: The plural (default: the noun with an s).
  package static func counted(_ value: Int, _ noun: String, many: String? = nil) -> String {
    value == 1 ? "1 \(noun)" : "\(count(value)) \(many ?? "\(noun)s")"
  }

  /// Formats a duration as in 250 ms, 12.3 s, 1 min 05 s, 2 h 03 min or 3 d 04 h, rounded down. A negative duration is
  /// shown as 0 ms.
  package static func duration(_ duration: Duration) -> String {
    if duration < .zero { return "0 ms" }
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if seconds == 0 { return "\(milliseconds) ms" }
    // The value is rounded down, because 59.96 s must not become "60.0 s".
    if seconds < 60 { return "\(seconds).\(milliseconds / 100) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(twoDigits(seconds % 60)) s" }
    if seconds < 86_400 { return "\(seconds / 3600) h \(twoDigits(seconds % 3600 / 60)) min" }
    return "\(seconds / 86_400) d \(twoDigits(seconds % 86_400 / 3600)) h"
  }

  /// Formats a duration as in 40 s, 52 min, 3 h or 4 d, rounded up.
  static func estimate(_ duration: Duration) -> String {
    let seconds = duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0)
    for (unit, name, step) in [(1, "s", 60), (60, "min", 7200), (3600, "h", 172_800)] as [(Int64, String, Int64)]
    where seconds < step {
      return "\((seconds + unit - 1) / unit) \(name)"
    }
    return "\((seconds + 86_399) / 86_400) d"
  }

  /// Formats a local time as in 04:51, or 04:51:07 with seconds. Rounds up, so that no wait ends later than announced.
  /// - Parameter now: The current time, if the text will be read later. The text then contains the zone, as in
  ///   04:51 +01:00 (03:51 UTC), and the date unless `time` is today. Times before `now` are rounded down.
  static func clock(_ time: Date, now: Date? = nil, hasSeconds: Bool = false, in zone: TimeZone = .current) -> String {
    let step = hasSeconds ? 1.0 : 60.0
    let isPast = now.map { time < $0 } ?? false
    let rounded = (time.timeIntervalSince1970 / step).rounded(isPast ? .down : .up) * step
    func text(_ seconds: Double, in zone: TimeZone) -> String {
      JobTime.text(Duration(clamping: seconds).components.seconds, in: TimeZoneRules(zone))
    }
    func clock(in zone: TimeZone) -> String {
      let whole = text(rounded, in: zone)
      let today = text(now?.timeIntervalSince1970 ?? rounded, in: zone)
      let date = whole.prefix(10) == today.prefix(10) ? "" : "\(whole.prefix(10)) "
      return date + whole.dropFirst(11).prefix(hasSeconds ? 8 : 5)
    }
    let local = text(rounded, in: zone)
    if now == nil { return clock(in: zone) }
    if local.hasSuffix("Z") { return "\(clock(in: zone)) UTC" }
    return "\(clock(in: zone)) \(local.suffix(6)) (\(clock(in: .gmt)) UTC)"
  }

  /// Formats a number of bytes in decimal units, as in 512 B, 1.2 kB or 98.6 MB, rounded towards zero.
  package static func bytes(_ value: Int64) -> String {
    if value < 0 { return "-" + bytes(value == .min ? .max : -value) }
    if value < 1000 { return "\(value) B" }
    var unit: Int64 = 1000
    var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while names.count > 1, value / unit >= 1000 {
      unit *= 1000
      names.removeFirst()
    }
    return "\(value / unit).\(value % unit / (unit / 10)) \(names.first ?? "EB")"
  }

  /// Formats a rate as in 48.1. From 100 on, fractions are omitted, as in 1,204.
  static func rate(_ perSecond: Double) -> String {
    guard perSecond.isFinite, perSecond >= 0, perSecond < 1e15 else { return Glyphs.shown("–") }
    if perSecond >= 100 { return count(Int(perSecond.rounded())) }
    let tenths = Int((perSecond * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Formats the distance of two times in seconds since 1970, as in 3 h ago or in 3 h.
  ///
  /// Past times are rounded down, and future times up. Distances below 5 s are `just now`.
  package static func age(of then: Int64, now: Int64) -> String {
    let (difference, overflow) = now.subtractingReportingOverflow(then)
    let seconds = overflow ? UInt64(Int64.max) : difference.magnitude
    if seconds < 5 { return "just now" }
    return then > now ? "in " + estimate(.seconds(Int64(min(seconds, 1 << 53)))) : span(seconds) + " ago"
  }

  static func span(_ seconds: some BinaryInteger) -> String {
    switch seconds {
    case 0..<60: "\(seconds) s"
    case 60..<3600: "\(seconds / 60) min"
    case 3600..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// Formats a number from 0 with at least two digits, as in 07.
  package static func twoDigits(_ value: some BinaryInteger) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
