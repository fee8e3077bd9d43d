package import SyncCore
package import SyncPostgres

/// The kinds of items of a source that a user can mark as favorites.
///
/// The source, the kind and a whole number, the id, identify an item. The commands for favorites use these methods.
package protocol FavoriteKinds: Sendable {
  var kinds: [String] { get }
  var help: String { get }
  var example: String { get }

  /// Accepts a kind of this source.
  /// - Throws: `SyncError` `.usage` for an unknown kind.
  func check(kind: String) throws(SyncError)
  /// Returns the id of the item with a name. Called for a word that is not a whole number.
  /// - Throws: `SyncError` `.usage` if items of this kind have no names, `.missing` if no item has this name.
  func id(named word: String, kind: String, in database: Database) async throws -> Int64
  /// Accepts a kind whose items the mirror has.
  /// - Throws: `SyncError` if the mirror has no items of this kind.
  func checkMirrored(kind: String, in database: Database) async throws
  /// Returns the end of the hint "check the id, or …" about an item that is not in the mirror.
  func remedy(id: Int64) -> String
}

extension FavoriteKinds {
  /// Accepts every kind, for sources whose mirrors always have tables for their items.
  package func checkMirrored(kind: String, in database: Database) async throws {}

  /// Returns the default end of the hint "check the id, or …", which advises to run `syncctl run`.
  package func remedy(id: Int64) -> String { "run syncctl run to fill the mirror" }
}

/// The kinds of a source as a list of names, with an optional search for items by name.
package struct NamedKinds: FavoriteKinds {
  private let source: SourceID
  package let kinds: [String]
  package let help: String
  package let example: String
  private let remedy: (@Sendable (Int64) -> String)?
  private let find: Find?

  package typealias Find = @Sendable (_ word: String, _ kind: String, Database) async throws -> Int64

  /// Creates the kinds with these names.
  /// - Parameters:
  ///   - example: Arguments of `favorites add` for the help, which begin with source, kind and id, such as
  ///     `SOURCE album 1440833098`.
  ///   - remedy: Returns the end of the hint "check the id, or …" for an item that is not in the mirror (default: run
  ///     `syncctl run`).
  ///   - find: Returns the id of the item with a name. Throws `SyncError` `.missing` without such an item. Without
  ///     `find`, items have no names.
  package init(
    of source: SourceID, _ names: [String], example: String, remedy: (@Sendable (Int64) -> String)? = nil,
    find: Find? = nil
  ) {
    self.source = source
    kinds = names
    self.example = example
    self.remedy = remedy
    self.find = find
    help = "\(names.joinedByOr) of \(source)"
  }

  /// Accepts the initializer's names.
  /// - Throws: `SyncError` `.usage` for any other kind. The hint suggests the nearest name.
  package func check(kind: String) throws(SyncError) {
    guard kinds.contains(kind) else {
      throw SyncError(
        .usage, "\(source) has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: Suggestion.choice(for: kind, among: kinds))
    }
  }

  /// Returns the id that `find` returns for the name.
  ///
  /// - Throws: `SyncError` `.usage` if the source has no `find`, and the errors of `find`.
  package func id(named word: String, kind: String, in database: Database) async throws -> Int64 {
    guard let find else {
      throw SyncError(.usage, "\(Excerpt.of(word, scalars: 40)) is not an id", hint: "give a whole number")
    }
    return try await find(word, kind, database)
  }

  /// Returns the end of the hint "check the id, or …" that the initializer's `remedy` returns, or the default.
  package func remedy(id: Int64) -> String { remedy?(id) ?? "run syncctl run to fill the mirror" }
}

extension [String] {
  var joinedByOr: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
