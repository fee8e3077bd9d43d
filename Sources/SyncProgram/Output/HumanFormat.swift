import SyncCore
import SyncEngine

enum HumanFormat {
  /// 30,377
  static func count(_ value: Int) -> String {
    var result = ""
    let digits = String(value.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  /// 1 item, 30,377 items
  static func counted(_ value: Int, _ noun: String) -> String { value == 1 ? "1 \(noun)" : "\(count(value)) \(noun)s" }

  /// 250 ms, 12.3 s, 1 m 05 s, 2 h 03 m, 3 d 04 h
  static func duration(_ duration: Duration) -> String {
    if duration < .zero { return "0 ms" }
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if seconds == 0 { return "\(milliseconds) ms" }
    // Rounding down everywhere: 59.96 s must not become "60.0 s".
    if seconds < 60 { return "\(seconds).\(milliseconds / 100) s" }
    if seconds < 3600 { return "\(seconds / 60) m \(twoDigits(seconds % 60)) s" }
    if seconds < 86_400 { return "\(seconds / 3600) h \(twoDigits(seconds % 3600 / 60)) m" }
    return "\(seconds / 86_400) d \(twoDigits(seconds % 86_400 / 3600)) h"
  }

  /// 512 B, 1.2 kB, 98.6 MB: decimal units, as disks and networks are sold.
  static func bytes(_ value: Int64) -> String {
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

  /// 48.1, or 1,204 where the fraction is irrelevant.
  static func rate(_ perSecond: Double) -> String {
    guard perSecond.isFinite, perSecond >= 0, perSecond < 1e15 else { return "–" }
    if perSecond >= 100 { return count(Int(perSecond.rounded())) }
    let tenths = Int((perSecond * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// "3 h ago", "in 5 m", "just now"; both times are seconds since 1970.
  static func age(of then: Int64, now: Int64) -> String {
    let (difference, overflow) = now.subtractingReportingOverflow(then)
    let seconds = overflow ? UInt64(Int64.max) : difference.magnitude
    if seconds < 5 { return "just now" }
    return then > now ? "in " + span(seconds) : span(seconds) + " ago"
  }

  /// The largest unit of so many seconds: 45 s, 5 m, 3 h, 9 d.
  static func span(_ seconds: some BinaryInteger) -> String {
    switch seconds {
    case 0..<60: "\(seconds) s"
    case 60..<3600: "\(seconds / 60) m"
    case 3600..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// 04:51 UTC, with the date on another day; both times are seconds since 1970.
  static func clock(_ instant: Double, now: Double) -> String {
    let texts = [instant, now].map { JobTime.text(Duration(clamping: $0).components.seconds, in: UTCRules()) }
    let time = "\(texts[0].dropFirst(11).prefix(5)) UTC"
    return texts[0].prefix(10) == texts[1].prefix(10) ? time : "\(texts[0].prefix(10)) \(time)"
  }

  static func twoDigits(_ value: some BinaryInteger) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
