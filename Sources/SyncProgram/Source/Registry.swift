import SyncCore

package enum Registry {
  /// In the order in which they are run and shown.
  @TaskLocal package static var sources: [any Source.Type] = []
}

extension Registry {
  static var names: [String] { sources.map { $0.name } }
  /// Sources of which everything can be fetched again by name.
  static var refreshable: [String] { sources.filter { $0.canRefresh }.map { $0.name } }

  /// - Parameter offersAll: `all` can be meant, too.
  /// - Throws: `SyncError` `.usage` with the nearest name.
  static func source(_ name: String, offersAll: Bool = false) throws(SyncError) -> any Source.Type {
    guard let source = sources.first(where: { $0.name == name }) else {
      let known = offersAll ? names + [StreamChoice.allSources] : names
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(name, scalars: 40))", hint: Suggestion.hint(for: name, among: known))
    }
    return source
  }

  /// Examples as `--help` shows them.
  ///
  /// - Parameter arguments: what follows `syncctl`.
  package static func examples(_ arguments: [String]) -> String {
    arguments.map { "  syncctl \($0)" }.joined(separator: "\n")
  }
}
