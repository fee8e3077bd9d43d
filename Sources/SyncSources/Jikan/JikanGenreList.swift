/// One of the four lists of genres that each kind has. Requested separately, because an id may recur in two of them.
package struct JikanGenreList: Sendable, Hashable {
  package let kind: JikanKind
  package let facet: Facet

  package enum Facet: String, Sendable, CaseIterable {
    case genres
    case explicitGenres = "explicit_genres"
    case themes
    case demographics
  }

  package init(kind: JikanKind, facet: Facet) {
    self.kind = kind
    self.facet = facet
  }

  static let all = JikanKind.allCases.flatMap { kind in
    Facet.allCases.map { JikanGenreList(kind: kind, facet: $0) }
  }
}
