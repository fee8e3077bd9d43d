/// What a generated Jikan is like.
package struct JikanSettings: Sendable, Equatable {
  /// What the API says to a page behind the last one; real servers have been seen to do either.
  package enum PastTheEnd: String, Sendable, CaseIterable {
    case notFound = "404"
    case empty
  }

  package var seed: UInt64 = 1
  /// Each revision changes the text of one row in a hundred, and every counter.
  package var revision = 0
  package var animeItems: Int
  package var mangaItems: Int
  /// Share of rows shown twice, one after the other on one page.
  package var repeats = 0.001
  /// Share of rows shown again on a following page.
  package var repeatsAcross = 0.0
  package var pastTheEnd = PastTheEnd.notFound

  package init(items: Int) {
    animeItems = items
    mangaItems = items
  }
}

/// The two catalogues, each with a numbering of its own.
enum JikanKind: String, Sendable {
  case anime
  case manga
}
