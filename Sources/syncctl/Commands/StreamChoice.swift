import SyncCore
import SyncSources

/// The streams that the command line asks for, by source.
struct StreamChoice: Sendable, Equatable {
  static let sources = [SourceID.jikan.rawValue, SourceID.pokeapi.rawValue]

  /// Empty if Jikan is not asked for.
  private(set) var jikan: [JikanList] = []
  private(set) var pokeapi = Endpoints.none

  /// Which endpoints there are is known only when PokeAPI has been asked.
  enum Endpoints: Sendable, Equatable {
    case none, all
    case named([String])
  }

  /// - Throws: `SyncError` `.usage` with the nearest known name.
  init(source: String, names: [String]) throws(SyncError) {
    guard source == "all" || Self.sources.contains(source) else {
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(source, scalars: 40))",
        hint: Self.hint(source, among: Self.sources + ["all"]))
    }
    guard !names.isEmpty else {
      if source != SourceID.pokeapi.rawValue { jikan = JikanList.defaults }
      if source != SourceID.jikan.rawValue { pokeapi = .all }
      return
    }
    for name in names {
      if source == SourceID.pokeapi.rawValue { try add(endpoint: name) } else { try add(list: name) }
    }
  }

  /// The names that are known before anything is asked.
  var names: [String] {
    let endpoints = if case .named(let names) = pokeapi { names } else { [String]() }
    return jikan.map(\.name) + endpoints
  }

  private mutating func add(list name: String) throws(SyncError) {
    let named = JikanList.named(name)
    guard !named.isEmpty else {
      throw SyncError(
        .usage, "jikan has no stream \(Excerpt.of(name, scalars: 60))",
        hint: Self.hint(name, among: JikanList.suggestions(for: name))
          + " Streams of pokeapi need --source pokeapi.")
    }
    jikan += named.filter { !jikan.contains($0) }
  }

  private mutating func add(endpoint name: String) throws(SyncError) {
    guard PokeAPI.isStreamName(name) else {
      throw SyncError(
        .usage, "pokeapi has no stream \(Excerpt.of(name, scalars: 60))",
        hint: "streams are named as its endpoints: pokemon, type, move, …")
    }
    let before = if case .named(let names) = pokeapi { names } else { [String]() }
    pokeapi = .named(before.contains(name) ? before : before + [name])
  }

  /// PokeAPI has been asked, and does not have it.
  static func unknownEndpoint(_ name: String, among known: [String]) -> SyncError {
    SyncError(.usage, "pokeapi has no stream \(Excerpt.of(name, scalars: 60))", hint: hint(name, among: known))
  }

  /// What a person has looked at is the walk of one stream, and that walk is gone on with.
  ///
  /// - Throws: `SyncError` `.usage` if the command line says anything else.
  func checkConfirmation(of runID: String?, isFull: Bool) throws(SyncError) {
    guard runID != nil else { return }
    guard names.count == 1, pokeapi != .all else {
      let named = pokeapi == .all || jikan == JikanList.defaults ? "none is" : "\(names.count) are"
      throw SyncError(
        .usage, "--confirm-vanish is about one stream, and \(named) named",
        hint: "name the stream of that run with --stream; syncctl runs show tells it")
    }
    guard !isFull else {
      throw SyncError(
        .usage, "--confirm-vanish goes on with the walk that was stopped, and --full starts another one",
        hint: "leave --full away")
    }
  }

  private static func hint(_ word: String, among known: [String]) -> String {
    Suggestion.nearest(to: word, among: known).map { "did you mean \($0)?" }
      ?? "known: \(known.prefix(7).joined(separator: ", "))\(known.count > 7 ? ", …" : "")"
  }
}
