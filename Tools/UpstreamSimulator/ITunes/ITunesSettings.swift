/// Faults of the simulated iTunes, and changes to its data.
package struct ITunesSettings: Sendable, Equatable {
  package var removed: Set<Int> = []
  /// The number of records of each kind that were added later.
  package var added = 0
  /// The day of the charts, which change every day.
  package var day = 0
  /// Share of searches and lookups that get an HTML page, with 200.
  package var html = 0.0
  /// Share of searches and lookups that get an error message, with 200.
  package var errorMessage = 0.0
  /// Share of searches and lookups that get a 403 with an empty body.
  package var forbidden = 0.0
  /// Share of charts, by day, with a duplicate number.
  package var chartRepeats = 0.3

  package init() {}
}
