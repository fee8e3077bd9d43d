import SyncCore

package enum Registry {
  /// In the order of runs and lists.
  @TaskLocal package static var sources: [any Source.Type] = []

  static var names: [String] { sources.map { $0.name } }
  static var refreshable: [String] { sources.filter { $0.canRefresh }.map { $0.name } }

  /// - Throws: `SyncError` `.usage` with the nearest name.
  static func source(_ name: String, offersAll: Bool = false) throws(SyncError) -> any Source.Type {
    guard let source = sources.first(where: { $0.name == name }) else {
      let known = offersAll ? names + [StreamChoice.allSources] : names
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(name, scalars: 40))", hint: Suggestion.hint(for: name, among: known))
    }
    return source
  }

  /// - Parameter arguments: without `syncctl`.
  package static func examples(_ arguments: [String]) -> String {
    arguments.map { "  syncctl \($0)" }.joined(separator: "\n")
  }
}
