import SyncCore
import SyncPostgres
import SyncSources

/// The words about favorites that come from the command line or a file, checked.
enum FavoriteWords {
  static let sources = [SourceID.jikan.rawValue, SourceID.pokeapi.rawValue, SourceID.itunes.rawValue]

  /// - Throws: `SyncError` `.usage` naming what there is.
  static func item(source: String, kind: String, id: Int64) throws(SyncError) -> Favorites.Item {
    switch source {
    case SourceID.jikan.rawValue: .jikan(kind: try jikanKind(kind), id: id)
    case SourceID.pokeapi.rawValue: .pokeapi(endpoint: try endpoint(kind), id: id)
    case SourceID.itunes.rawValue: .itunes(try itunesKind(kind), id: id)
    default: throw unknownSource(source)
    }
  }

  /// The item that a person means: by id, or for PokeAPI by name too.
  ///
  /// - Throws: `SyncError` `.usage` for a source or a kind that there is not, `.missing` for a name that nothing has.
  static func item(
    source: String, kind: String, word: String, in database: Database
  ) async throws -> Favorites.Item {
    if let id = Int64(word) { return try item(source: source, kind: kind, id: id) }
    guard source == SourceID.pokeapi.rawValue else {
      // The source and the kind are looked at first: their errors say more.
      _ = try item(source: source, kind: kind, id: 0)
      throw SyncError(.usage, "\(Excerpt.of(word, scalars: 40)) is no id", hint: "give a whole number")
    }
    let endpoint = try endpoint(kind)
    try await checkMirrored(.pokeapi(endpoint: endpoint, id: 0), in: database)
    if endpoint == "pokemon" {
      return .pokeapi(
        endpoint: endpoint, id: try await PokedexChoice.pokemon(word, languages: ["en"], in: database).id)
    }
    let ids = try await Favorites.ids(named: word, endpoint: endpoint, in: database)
    guard let id = ids.first else {
      throw SyncError(
        .missing, "the mirror has no \(endpoint) \(Excerpt.of(word, scalars: 40))", hint: "give its id or its name")
    }
    guard ids.count == 1 else {
      throw SyncError(
        .usage, "several of \(endpoint) are called \(Excerpt.of(word, scalars: 40))",
        hint: "give the id: \(ids.prefix(5).map(String.init).joined(separator: ", "))")
    }
    return .pokeapi(endpoint: endpoint, id: id)
  }

  /// - Throws: `SyncError` `.usage` for an endpoint of PokeAPI of which the mirror holds nothing with a name.
  static func checkMirrored(_ item: Favorites.Item, in database: Database) async throws {
    guard item.source == SourceID.pokeapi.rawValue else { return }
    let known = try await Favorites.endpoints(in: database)
    guard !known.isEmpty else {
      throw SyncError(
        .missing, "the mirror has nothing of PokeAPI yet", hint: "syncctl run --source pokeapi fetches it")
    }
    guard known.contains(item.kind) else {
      let near = Suggestion.nearest(to: item.kind, among: known).map { "did you mean \($0)? " } ?? ""
      throw SyncError(
        .usage, "pokeapi has no kind \(item.kind)", hint: "\(near)known: \(known.joined(separator: ", "))")
    }
  }

  /// A collection's name ends up in tables and scripts: short, and without anything a terminal would act on.
  static func collection(_ name: String) throws(SyncError) -> String {
    guard !name.isEmpty, name.unicodeScalars.count <= 60, Excerpt.of(name) == name else {
      throw SyncError(.usage, "that is no name for a collection", hint: "give 1 to 60 plain characters")
    }
    return name
  }

  static func note(_ text: String?) throws(SyncError) -> String? {
    if let text, text.utf8.contains(0) || text.utf8.count > 4000 {
      throw SyncError(.usage, "that is no note", hint: "give a text of at most 4000 bytes")
    }
    return text
  }

  private static func jikanKind(_ kind: String) throws(SyncError) -> String {
    guard let kind = JikanKind(rawValue: kind) else {
      throw SyncError(
        .usage, "jikan has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: "known: \(JikanKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return kind.rawValue
  }

  private static func itunesKind(_ kind: String) throws(SyncError) -> Favorites.ITunesKind {
    guard let known = Favorites.ITunesKind(rawValue: kind) else {
      throw SyncError(
        .usage, "itunes has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: "known: \(Favorites.ITunesKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return known
  }

  /// An endpoint is any word of the form that they have: which there are is the upstream's to say.
  private static func endpoint(_ kind: String) throws(SyncError) -> String {
    guard kind.utf8.count <= 60, kind.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil else {
      throw SyncError(
        .usage, "pokeapi has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: "give an endpoint: pokemon, pokemon-species, move, item, …")
    }
    return kind
  }

  private static func unknownSource(_ source: String) -> SyncError {
    SyncError(
      .usage, "there is no source \(Excerpt.of(source, scalars: 40))",
      hint: "known: \(sources.joined(separator: ", "))")
  }
}
