extension Favorites.Item {
  /// - Parameter kind: anime or manga.
  package static func jikan(kind: String, id: Int64) -> Self { Self(source: "jikan", kind: kind, id: id) }
}
