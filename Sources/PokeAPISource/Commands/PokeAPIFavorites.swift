import SyncCore
import SyncPostgres
import SyncProgram

struct PokeAPIFavorites: FavoriteKinds {
  var kinds: [String] { PokeAPI.endpoints }
  let help = "any endpoint of pokeapi whose documents have names, such as pokemon"
  let example = "pokeapi pokemon pikachu --collection owned"

  /// Accepts any well-formed name, because only the upstream knows the endpoints.
  func check(kind: String) throws(SyncError) {
    guard kind.utf8.count <= 60, kind.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil else {
      throw SyncError(
        .usage, "pokeapi has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: "give an endpoint: pokemon, pokemon-species, move, item, …")
    }
  }

  func id(named word: String, kind: String, in database: Database) async throws -> Int64 {
    try await checkMirrored(kind: kind, in: database)
    if kind == "pokemon" { return try await PokedexChoice.pokemon(word, languages: ["en"], in: database).id }
    return try await PokedexChoice.document(word, of: kind, languages: ["en"], in: database)
  }

  func checkMirrored(kind: String, in database: Database) async throws {
    let known = try await Pokedex.namedEndpoints(in: database)
    guard !known.isEmpty else {
      throw SyncError(
        .missing, "the mirror has nothing of PokeAPI yet", hint: "syncctl run --source pokeapi fetches it")
    }
    guard known.contains(kind) else {
      let near = Suggestion.nearest(to: kind, among: known).map { "did you mean \($0)? " } ?? ""
      throw SyncError(.usage, "pokeapi has no kind \(kind)", hint: "\(near)known: \(known.joined(separator: ", "))")
    }
  }
}
