package import SyncCore

/// A service that speaks Jikan v4. The public api.jikan.moe was announced to end on 2026-10-01, so the default is its
/// successor; `jikan` is for self-hosted instances.
package enum JikanProvider: String, Sendable, CaseIterable {
  case tenrai
  case jikan

  package var defaultBaseURL: String? {
    switch self {
    case .tenrai: "https://api.tenrai.org/v1"
    case .jikan: nil
    }
  }

  package var pageSize: Int {
    switch self {
    case .tenrai: 50
    case .jikan: 25
    }
  }

  /// The highest page number the service gives of `/anime` and `/manga`; nil if it has none.
  package var pageCap: Int? {
    switch self {
    case .tenrai: 1000
    case .jikan: nil
    }
  }

  /// Published limits: Tenrai's of July 2026 (its clients' documentation), Jikan's of its OpenAPI description.
  package var publishedLimits: [RateWindow] {
    let common = [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
    switch self {
    case .tenrai: return common + [RateWindow(requests: 40_000, interval: .seconds(86_400))]
    case .jikan: return common
    }
  }
}

extension SourceID {
  package static let jikan: SourceID = "jikan"
}
