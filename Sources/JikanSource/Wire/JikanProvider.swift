import SyncCore
import SyncProgram

/// Services with Jikan's API v4. The public api.jikan.moe ends on 2026-10-01; `jikan` is for self-hosted instances.
enum JikanProvider: String, Sendable, CaseIterable {
  case tenrai
  case jikan

  var defaultBaseURL: String? { self == .tenrai ? "https://api.tenrai.org/v1" : nil }

  var pageSize: Int { self == .tenrai ? 50 : 25 }

  /// The highest page of `/anime` and `/manga`.
  var pageCap: Int? { self == .tenrai ? 1000 : nil }

  /// The default limits, which are also the highest limits that can be configured. They are from Tenrai's documentation
  /// of July 2026 and Jikan's OpenAPI description.
  var publishedLimits: [RateWindow] {
    let common = [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
    return self == .tenrai ? common + [RateWindow(requests: 40_000, interval: .seconds(86_400))] : common
  }
}
