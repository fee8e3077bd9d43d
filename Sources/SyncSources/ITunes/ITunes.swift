package import SyncCore

package enum ITunes {
  /// Increase it when `write.sql` derives other columns from the same document, or the hash changes: equal hashes would
  /// hide the change forever.
  static let mappingVersion: UInt8 = 1

  package static let defaultBaseURL = "https://itunes.apple.com"
  package static let defaultChartsBaseURL = "https://rss.marketingtools.apple.com"

  /// "Approximately 20 calls per minute" by the API's documentation, for searches and lookups together.
  package static let publishedLimits = [RateWindow(requests: 20, interval: .seconds(60))]
  /// Nothing is published for charts. They are few, and bursts are answered slowly.
  package static let chartLimits = publishedLimits

  /// Records that one call gives at most, and ids that it takes.
  static let recordsPerCall = 200
}

extension SourceID {
  package static let itunes: SourceID = "itunes"
}
