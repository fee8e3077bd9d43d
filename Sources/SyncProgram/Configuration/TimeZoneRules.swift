import Foundation
import SyncCore
import SyncEngine

/// A time zone by its name in the tz database, by the rules that are part of this program: it needs no files for them,
/// and is renewed with it.
struct TimeZoneRules: ZoneRules {
  let name: String
  private let zone: TimeZone

  /// Nil for a name that there is not. Offsets such as `GMT+3` are none: in the tz database their signs mean the
  /// opposite of what people take them for.
  init?(_ name: String) {
    let isOffset = ["GMT+", "GMT-", "UTC+", "UTC-"].contains { name.uppercased().hasPrefix($0) }
    guard !isOffset, let zone = TimeZone(identifier: name) else { return nil }
    self.name = name
    self.zone = zone
  }

  func offset(at instant: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant)))
  }

  /// The nearest names to one that there is not.
  static func suggestion(for name: String) -> String? {
    Suggestion.nearest(to: name, among: TimeZone.knownTimeZoneIdentifiers + ["UTC"])
  }
}
