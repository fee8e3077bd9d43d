extension Favorites {
  /// What people call the classes of iTunes. An item has one id in every storefront.
  package enum ITunesKind: String, Sendable, CaseIterable {
    case track, album, artist, podcast, audiobook, ebook, app

    /// How the mirror comes to have an item.
    package static func remedy(id: Int64) -> String { "syncctl itunes lookup \(id) --country … fetches it" }
  }
}

extension Favorites.Item {
  package static func itunes(_ kind: Favorites.ITunesKind, id: Int64) -> Self {
    Self(source: "itunes", kind: kind.rawValue, id: id, remedy: Favorites.ITunesKind.remedy(id: id))
  }
}
