/// The counters of a run, or of a part of a run.
///
/// Every item has exactly one outcome: `rowsSeen = inserted + updated + unchanged + duplicates + quarantined`.
package struct RunCounters: Sendable, Equatable {
  /// Pages that were read to their end, answered with 304, or found identical.
  package var pages = 0
  package var requests = 0
  /// Requests that repeated a failed request.
  package var retries = 0
  /// Responses with the status 304.
  package var notModified = 0
  /// Pages that were not parsed, because their body was the same as in the previous walk.
  package var identical = 0
  /// Items that arrived with their documents, or on an unchanged page. Items that a page only lists are counted when
  /// their documents arrive.
  package var rowsSeen = 0
  package var inserted = 0
  /// Items whose stored version was replaced.
  package var updated = 0
  /// The number of updated items whose document changed, not only its counters.
  package var documentsUpdated = 0
  /// Items whose stored version equals the arrived version.
  package var unchanged = 0
  /// Items whose key an earlier item of the walk already had.
  package var duplicates = 0
  /// Items that could not be stored.
  package var quarantined = 0
  /// Items whose document was changed so that `jsonb` can store it (`PageItem.isRepaired`).
  package var repaired = 0
  /// Values that fit no column.
  package var notUnderstood = MisfitTally()
  /// Items that were marked as removed.
  package var vanished = 0
  /// Listed documents that were not fetched because they are younger than their TTL.
  package var fresh = 0
  /// Bytes of the bodies of responses, decompressed.
  package var bytes = 0
  /// Requests that waited for a permit.
  package var permitsWaited = 0
  /// The total time that requests waited for permits.
  package var waited: Duration = .zero

  package init() {}

  /// Adds every counter. A new counter must be added here too.
  package static func += (sum: inout RunCounters, other: RunCounters) {
    let numbers: [WritableKeyPath<RunCounters, Int>] = [
      \.pages, \.requests, \.retries, \.notModified, \.identical, \.rowsSeen, \.inserted, \.updated,
      \.documentsUpdated, \.unchanged, \.duplicates, \.quarantined, \.repaired, \.vanished, \.fresh, \.bytes,
      \.permitsWaited,
    ]
    for number in numbers { sum[keyPath: number] += other[keyPath: number] }
    sum.notUnderstood += other.notUnderstood
    sum.waited += other.waited
  }
}
