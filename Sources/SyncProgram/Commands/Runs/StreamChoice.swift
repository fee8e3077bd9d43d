import SyncCore

struct StreamChoice: Sendable, Equatable {
  static let allSources = "all"

  private(set) var selections: [SourceID: StreamSelection] = [:]

  init() {}

  /// - Parameter given: Names of sources. An empty array or `all` means every source.
  init(sources given: [String], names: [String], among sources: [any Source]) throws(SyncError) {
    let ids = try Registry.chosen(given).map(\.id)
    let chosen = sources.filter { ids.contains($0.id) }
    guard !names.isEmpty else {
      for source in chosen { selections[source.id] = .all }
      return
    }
    for name in names {
      let source = chosen.count == 1 ? chosen[0] : try Self.source(with: name, among: chosen)
      add(try source.streamNames(name), of: source.id)
    }
    guard !given.contains(Self.allSources) else { return }
    if let idle = given.first(where: { selections[SourceID(rawValue: $0)] == nil }) {
      throw SyncError(.usage, "no stream of \(idle) is named", hint: "give one with --stream, or omit --source \(idle)")
    }
  }

  private static func source(with name: String, among sources: [any Source]) throws(SyncError) -> any Source {
    let found = sources.filter { $0.knowsStream(name) }
    if found.count == 1 { return found[0] }
    let shown = Excerpt.of(name, scalars: 60)
    guard found.isEmpty else {
      let owners = found.map(\.name)
      throw SyncError(.usage, "several sources have a stream \(shown)", hint: "give --source \(owners.joinedByOr)")
    }
    throw unknown(name, among: sources)
  }

  static func unknown(_ name: String, among sources: [any Source]) -> SyncError {
    let subject = sources.count == 1 ? "\(sources[0].name) has no" : "no source has a"
    return SyncError(
      .usage, "\(subject) stream \(Excerpt.of(name, scalars: 60))",
      hint: sources.lazy.compactMap { $0.advice(for: name) }.first
        ?? Suggestion.hint(for: name, among: sources.flatMap { $0.suggestions(for: name) }))
  }

  private mutating func add(_ names: [String], of source: SourceID) {
    let before = self[source]
    selections[source] = .named(before + names.filter { !before.contains($0) })
  }

  private subscript(source: SourceID) -> [String] {
    if case .named(let names) = selections[source] { names } else { [] }
  }

  var onlySource: SourceID? { selections.count == 1 ? selections.keys.first : nil }

  func of(_ sources: [any Source]) -> [(source: any Source, selection: StreamSelection)] {
    sources.compactMap { source in selections[source.id].map { (source, $0) } }
  }

  func canRefresh(_ sources: [any Source]) -> Bool { of(sources).contains { $0.source.definition.canRefresh } }

  func includes(_ stream: StreamName, among sources: [any Source]) -> Bool {
    of(sources).contains { source, selection in
      guard source.name == stream.source else { return false }
      return switch selection {
      case .all: source.defaultStreams?.contains(stream.name) ?? true
      case .named(let names): names.contains(stream.name)
      }
    }
  }

  func streams(among sources: [any Source]) -> [StreamName] {
    of(sources).flatMap { source, selection in
      let names: [String] =
        switch selection {
        case .all: source.defaultStreams ?? []
        case .named(let names): names
        }
      return names.map { StreamName(source: source.name, name: $0) }
    }
  }

  func unreadIndexes(among sources: [any Source], stored: [StreamName]) -> [StreamName] {
    of(sources).compactMap { source, selection in
      let name = source.name
      let isUnread = selection == .all && source.defaultStreams == nil && !stored.contains { $0.source == name }
      return isUnread ? StreamName(source: name, name: StoredIndex.stream) : nil
    }
  }

  /// A confirmation resumes the stopped walk of one stream, so one stream must be chosen.
  func checkConfirmation(of runID: String?, isFull: Bool) throws(SyncError) {
    guard runID != nil else { return }
    guard !isFull else {
      throw SyncError(
        .usage, "--confirm-vanish resumes the stopped run, but --full starts another one",
        hint: "omit --full")
    }
    let names = selections.keys.flatMap { self[$0] }
    guard names.count == 1, !selections.values.contains(.all) else {
      throw SyncError(
        .usage, "--confirm-vanish takes one stream, but \(names.isEmpty ? "none is" : "\(names.count) are") named",
        hint: "give the run's stream as --stream; syncctl runs show prints it")
    }
  }
}
