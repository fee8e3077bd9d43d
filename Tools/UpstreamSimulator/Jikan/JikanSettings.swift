package struct JikanSettings: Sendable, Equatable {
  /// The answer after the last page; real servers differ.
  package enum PastTheEnd: Sendable, CaseIterable { case notFound, empty }

  package static let successorPageCap = 1000

  package var seed: UInt64 = 1
  /// Each revision changes the text of one row in a hundred, and all counters.
  package var revision = 0
  package var animeItems: Int
  package var mangaItems: Int
  /// Share of rows repeated on the same page.
  package var repeats = 0.001
  /// Share of rows repeated on a later page, except in lists by id.
  package var repeatsAcross = 0.0
  package var pastTheEnd = PastTheEnd.notFound
  /// The highest page of the catalogues; nil for 1000 under `v1` and none under `v4`.
  package var pageCap: Int?

  package init(items: Int) {
    (animeItems, mangaItems) = (items, items)
  }
}

package enum SimulatedKind: String, Sendable, CaseIterable {
  case anime, manga
}
