package struct JikanSettings: Sendable, Equatable {
  package enum PastTheEnd: Sendable, CaseIterable { case notFound, empty }

  package static let successorPageCap = 1000

  package var seed: UInt64 = 1
  package var revision = 0
  package var animeItems: Int
  package var mangaItems: Int
  package var repeats = 0.001
  /// The share of rows that are repeated on a later page. Lists by id have no such rows.
  package var repeatsAcross = 0.0
  package var pastTheEnd = PastTheEnd.notFound
  /// The highest page of the catalogues. Nil means 1000 under `v1` and no limit under `v4`.
  package var pageCap: Int?
  /// Whether the addresses of pictures contain the titles, which `IllustratedUpstream` draws on posters.
  package var hasTitledPictures = false

  package init(items: Int) {
    animeItems = items
    mangaItems = items
  }
}
