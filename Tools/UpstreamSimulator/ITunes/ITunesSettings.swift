/// Faults of the simulated iTunes, and changes to its data.
package struct ITunesSettings: Sendable, Equatable {
  package var removed: Set<Int> = []
  /// The day of the charts. The charts change every day.
  package var day = 0
  /// The fault of the answers to all searches and lookups.
  package var fault: ITunesFault?
  /// The share of days on which a chart contains an entry twice.
  package var chartRepeats = 0.3

  package init() {}
}

/// An HTML page with status 200, an error message with status 200, or an empty 403.
package enum ITunesFault: Sendable { case html, errorMessage, forbidden }
