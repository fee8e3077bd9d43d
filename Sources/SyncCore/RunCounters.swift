/// The numbers of a run. One item has one outcome:
/// `rowsSeen = inserted + updated + unchanged + duplicates + quarantined`.
package struct RunCounters: Sendable, Equatable {
  package var pages = 0
  package var requests = 0
  package var retries = 0
  package var notModified = 0
  package var rowsSeen = 0
  package var inserted = 0
  package var updated = 0
  /// Those of `updated` in which more than the counters changed.
  package var documentsUpdated = 0
  package var unchanged = 0
  package var duplicates = 0
  package var quarantined = 0
  /// Items of which something had to be replaced or dropped (NUL, lone surrogates, duplicate names); they have an
  /// outcome as all others.
  package var repaired = 0
  package var vanished = 0
  /// Documents that the list names and that were not fetched: they are younger than their time to live.
  package var fresh = 0
  /// Decompressed bytes of all answers.
  package var bytes = 0
  /// Requests that had to wait for a permit, and for how long in all.
  package var permitsWaited = 0
  package var waited: Duration = .zero

  package init() {}
}
