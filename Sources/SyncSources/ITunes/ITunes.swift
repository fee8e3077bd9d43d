package import SyncCore

/// Apple's iTunes Search API, and Apple's charts.
package enum ITunes {
  /// Increase it when `write.sql` derives other columns from the same document, or the hash changes: equal hashes would
  /// hide the change forever.
  static let mappingVersion: UInt8 = 1

  package static let defaultBaseURL = "https://itunes.apple.com"
  /// Charts have their own host.
  package static let defaultChartsBaseURL = "https://rss.marketingtools.apple.com"

  /// "Approximately 20 calls per minute" by the API's documentation, for searches and lookups together.
  package static let publishedLimits = [RateWindow(requests: 20, interval: .seconds(60))]
  /// Nothing is published for charts. They are few, and bursts are answered slowly.
  package static let chartLimits = publishedLimits

  /// Records that one call gives at most, and ids that it takes.
  static let recordsPerCall = 200
}

extension Limits {
  /// Of a search's term.
  static let termScalars = 250
  /// Of a configured name: it goes into the names of streams, into the ledger and into the mirror.
  static let configuredNameBytes = 64
  /// Records that a lookup with children may bring in one answer. Twice as many still fit the limits of an answer.
  static let lookedUpRecords = 5000
  /// Children of each id, where the lookup does not say.
  static let usualChildren = 50
  /// Bundle ids of one call: they are long, and addresses are not to be.
  static let bundleIDsPerCall = 50
  /// Pause for all after a refusal that names no time, as the service's refusals do not. Clients saw them last from
  /// minutes to half an hour.
  static let refusalPause: Duration = .seconds(5 * 60)
}

extension SourceID {
  package static let itunes: SourceID = "itunes"
}
