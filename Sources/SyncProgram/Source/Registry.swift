import ArgumentParser
import SyncCore
import SyncPostgres

package enum Registry {
  /// Runs and lists use the sources in this order.
  @TaskLocal package static var sources: [any Source.Type] = []

  static var names: [String] { sources.map { $0.name } }
  static var firstRun: String { "syncctl run --source \(names.first ?? StreamChoice.allSources)" }
  static var refreshable: [String] { sources.filter { $0.canRefresh }.map { $0.name } }

  static var sourceHelp: ArgumentHelp {
    ArgumentHelp(
      "\(names.joined(separator: ", ")), or all (the default); repeatable.", valueName: "name")
  }

  static func source(_ name: String) throws(SyncError) -> any Source.Type {
    guard let source = sources.first(where: { $0.name == name }) else {
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(name, scalars: 40))", hint: Suggestion.hint(for: name, among: names))
    }
    return source
  }

  static func chosen(_ names: [String]) throws(SyncError) -> [any Source.Type] {
    for name in names where name != StreamChoice.allSources { _ = try source(name) }
    let isAll = names.isEmpty || names.contains(StreamChoice.allSources)
    return sources.filter { isAll || names.contains($0.name) }
  }

  package static func examples(_ arguments: [String]) -> String {
    arguments.map { "  syncctl \($0)" }.joined(separator: "\n")
  }
}

enum StoredDocuments {
  static func rederivation(in database: Database) async throws -> Rederivation {
    var mappings: [any DocumentMapping] = []
    for source in Registry.sources { mappings += try await source.mappings(in: database) }
    return Rederivation(database, mappings)
  }
}
