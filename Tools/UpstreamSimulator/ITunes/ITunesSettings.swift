/// Faults of the simulated iTunes, and changes to its data.
package struct ITunesSettings: Sendable, Equatable {
  package var removed: Set<Int> = []
  /// The day of the charts, which change every day.
  package var day = 0
  /// The answer to all searches and lookups.
  package var fault: ITunesFault?
  /// Share of charts, by day, with a duplicate number.
  package var chartRepeats = 0.3

  package init() {}
}

/// An HTML page or an error message, both with 200, or an empty 403.
package enum ITunesFault: Sendable { case html, errorMessage, forbidden }
