/// What a generated Jikan is like.
package struct JikanSettings: Sendable, Equatable {
  /// The answer to a page after the last one; real servers do either.
  package enum PastTheEnd: String, Sendable, CaseIterable {
    case notFound = "404"
    case empty
  }

  /// The highest page that Jikan's successor gives of its catalogues.
  package static let successorPageCap = 1000

  package var seed: UInt64 = 1
  /// Each revision changes the text of one row in a hundred, and every counter.
  package var revision = 0
  package var animeItems: Int
  package var mangaItems: Int
  /// Share of rows shown twice, one after the other on one page.
  package var repeats = 0.001
  /// Share of rows shown again on a following page; never in the order of numbers, where equal ones are neighbours.
  package var repeatsAcross = 0.0
  package var pastTheEnd = PastTheEnd.notFound
  /// The highest page of the catalogues; nil for the known limit of the requested version: 1000 under `v1`, none under
  /// `v4`.
  package var pageCap: Int?

  package init(items: Int) {
    animeItems = items
    mangaItems = items
  }
}

/// The two catalogues, each with its own numbering.
package enum SimulatedKind: String, Sendable, CaseIterable {
  case anime
  case manga
}
