package import SyncCore

/// A service that speaks Jikan v4. The public api.jikan.moe was announced to end on 2026-10-01, so the default is its
/// successor; `jikan` is for self-hosted instances.
package enum JikanProvider: String, Sendable, CaseIterable {
  case tenrai
  case jikan

  package var defaultBaseURL: String? { self == .tenrai ? "https://api.tenrai.org/v1" : nil }

  package var pageSize: Int { self == .tenrai ? 50 : 25 }

  /// The highest page number the service gives of `/anime` and `/manga`; nil if it has none.
  package var pageCap: Int? { self == .tenrai ? 1000 : nil }

  /// Published limits: Tenrai's of July 2026 (its clients' documentation), Jikan's of its OpenAPI description.
  package var publishedLimits: [RateWindow] {
    let common = [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
    return self == .tenrai ? common + [RateWindow(requests: 40_000, interval: .seconds(86_400))] : common
  }
}

extension SourceID {
  package static let jikan: SourceID = "jikan"
}
