/// The name of an upstream as users write it: `jikan`, `pokeapi`, `itunes`.
package struct SourceID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  package static let jikan = SourceID(rawValue: "jikan")
}

/// One list or catalogue of a source that is walked on its own, e.g. `jikan/top-anime:tv`.
package struct StreamID: Hashable, Sendable, CustomStringConvertible {
  package let source: SourceID
  package let name: String

  package init(source: SourceID, name: String) {
    self.source = source
    self.name = name
  }

  package var description: String { "\(source)/\(name)" }
}

/// What the store has to know of a stream: who it is, where it comes from, and which SQL makes rows of its items.
///
/// A walk may only be resumed by a description that is equal but for `sql`: pages of another origin or size do not
/// continue each other.
package struct StreamDescription: Sendable, Equatable {
  package let id: StreamID
  /// Which service answers for the source, e.g. `tenrai`.
  package let provider: String
  /// Scheme, host, port and path prefix of the service, without credentials.
  package let origin: String
  /// Items asked for per page.
  package let pageSize: Int
  package let sql: StreamSQL
  /// How much of what is published may disappear at once before a person has to look.
  package let shrinkGuard: ShrinkGuard

  package init(
    id: StreamID, provider: String, origin: String, pageSize: Int, sql: StreamSQL, shrinkGuard: ShrinkGuard
  ) {
    self.id = id
    self.provider = provider
    self.origin = origin
    self.pageSize = pageSize
    self.sql = sql
    self.shrinkGuard = shrinkGuard
  }
}

/// The statements of `sql/sources/<folder>/` with the part of the key that all items of the stream share.
package struct StreamSQL: Sendable, Equatable {
  package let folder: String
  /// Passed to every statement as `text[]`; for Jikan: kind, subtype, filter.
  package let scope: [String]

  package init(folder: String, scope: [String]) {
    self.folder = folder
    self.scope = scope
  }
}
