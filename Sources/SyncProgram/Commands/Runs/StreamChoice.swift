import SyncCore
import SyncSources

/// The streams that the command line asks for, by source.
struct StreamChoice: Sendable, Equatable {
  static let sources = [SourceID.jikan, .pokeapi, .itunes].map(\.rawValue)

  /// Empty if Jikan is not asked for.
  private(set) var jikan: [JikanList] = []
  private(set) var pokeapi = Names.none
  private(set) var itunes = Names.none

  /// Names that are checked later: which endpoints there are PokeAPI has to be asked for, and what is asked of iTunes
  /// the configuration says.
  enum Names: Sendable, Equatable {
    case none, all
    case named([String])

    /// Nil for all.
    var chosen: [String]? {
      switch self {
      case .none: []
      case .all: nil
      case .named(let names): names
      }
    }

    fileprivate mutating func add(_ name: String) {
      let before = chosen ?? []
      self = .named(before.contains(name) ? before : before + [name])
    }
  }

  /// Nothing.
  init() {}

  /// - Throws: `SyncError` `.usage` with the nearest known name.
  init(source: String, names: [String]) throws(SyncError) {
    guard source == "all" || Self.sources.contains(source) else {
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(source, scalars: 40))",
        hint: Self.hint(source, among: Self.sources + ["all"]))
    }
    guard !names.isEmpty else {
      let isAll = source == "all"
      if isAll || source == SourceID.jikan.rawValue { jikan = JikanList.defaults }
      if isAll || source == SourceID.pokeapi.rawValue { pokeapi = .all }
      if isAll || source == SourceID.itunes.rawValue { itunes = .all }
      return
    }
    for name in names {
      switch source {
      case SourceID.pokeapi.rawValue: try add(endpoint: name)
      case SourceID.itunes.rawValue: itunes.add(name)
      default: try add(list: name)
      }
    }
  }

  /// The names that are known before anything is asked.
  var names: [String] {
    jikan.map(\.name) + (pokeapi.chosen ?? []) + (itunes.chosen ?? [])
  }

  /// Whether a run of this choice keeps a stream that the mirror has.
  func includes(_ stream: StreamName, _ configuration: ITunesConfiguration) -> Bool {
    switch stream.source {
    case SourceID.jikan.rawValue: jikan.contains { $0.name == stream.name }
    case SourceID.pokeapi.rawValue: pokeapi.chosen?.contains(stream.name) ?? true
    default: streamNames(of: configuration).contains(stream)
    }
  }

  /// The streams whose names are known before anything is asked.
  func streamNames(of configuration: ITunesConfiguration) -> [StreamName] {
    jikan.map { StreamName(source: SourceID.jikan.rawValue, name: $0.name) }
      + (pokeapi.chosen ?? []).map { StreamName(source: SourceID.pokeapi.rawValue, name: $0) }
      + ((try? itunesStreams(of: configuration)) ?? []).map {
        StreamName(source: SourceID.itunes.rawValue, name: $0.description.id.name)
      }
  }

  private mutating func add(list name: String) throws(SyncError) {
    let named = JikanList.named(name)
    guard !named.isEmpty else {
      throw SyncError(
        .usage, "jikan has no stream \(Excerpt.of(name, scalars: 60))",
        hint: Self.hint(name, among: JikanList.suggestions(for: name))
          + "; streams of the other sources need --source pokeapi or itunes")
    }
    jikan += named.filter { !jikan.contains($0) }
  }

  private mutating func add(endpoint name: String) throws(SyncError) {
    guard PokeAPI.isStreamName(name) else {
      throw SyncError(
        .usage, "pokeapi has no stream \(Excerpt.of(name, scalars: 60))",
        hint: "streams are named as its endpoints: pokemon, type, move, …")
    }
    pokeapi.add(name)
  }

  /// PokeAPI has been asked, and does not have it.
  static func unknownEndpoint(_ name: String, among known: [String]) -> SyncError {
    SyncError(.usage, "pokeapi has no stream \(Excerpt.of(name, scalars: 60))", hint: hint(name, among: known))
  }

  /// The streams of iTunes that are asked for, of those that the configuration has.
  ///
  /// - Throws: `SyncError` `.usage` for a name that it has not.
  func itunesStreams(of configuration: ITunesConfiguration) throws(SyncError) -> [ITunesStream] {
    let all = configuration.streams
    guard let names = itunes.chosen else { return all }
    var streams: [ITunesStream] = []
    for name in names {
      guard let stream = all.first(where: { $0.description.id.name == name }) else {
        throw SyncError(
          .usage, "itunes has no stream \(Excerpt.of(name, scalars: 80))",
          hint: Self.hint(name, among: all.map(\.description.id.name))
            + "; the configuration names them (sources.itunes), and syncctl itunes search asks without it")
      }
      streams.append(stream)
    }
    return streams
  }

  /// What a person has looked at is the walk of one stream, and that walk is gone on with.
  ///
  /// - Throws: `SyncError` `.usage` if the command line says anything else.
  func checkConfirmation(of runID: String?, isFull: Bool) throws(SyncError) {
    guard runID != nil else { return }
    guard names.count == 1, pokeapi != .all, itunes != .all else {
      let named = pokeapi == .all || itunes == .all || jikan == JikanList.defaults ? "none is" : "\(names.count) are"
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
