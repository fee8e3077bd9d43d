import ArgumentParser
import SyncCore
import SyncPostgres

/// The sources and the kinds of declared sources that this program has.
///
/// The executable binds `sources` and `kinds` before it calls `Program.main()`. Without these bindings, both are empty.
package enum Registry {
  /// The sources of the current task, and of the tasks that it starts. A detached task has none.
  ///
  /// Bind them with `$sources.withValue`. Runs and lists use the sources in this order: first the compiled ones, then
  /// those that the configuration declares.
  @TaskLocal package static var sources: [SourceDefinition] = []
  /// The kinds of declared sources. A task-local value like `sources`.
  @TaskLocal package static var kinds: [any SourceKind.Type] = []
  /// The error of an invalid declaration. Commands that read the configuration throw it.
  @TaskLocal static var fault: SyncError?

  /// Runs `body` with the sources that the configuration file declares.
  static func withDeclared<R>(
    _ arguments: [String], _ environment: [String: String], _ body: () async throws -> R
  ) async rethrows -> R {
    let index = arguments.firstIndex { $0 == "--config" || $0.hasPrefix("--config=") }
    let flag = index.flatMap { index in
      arguments[index] == "--config"
        ? arguments.dropFirst(index + 1).first : String(arguments[index].dropFirst("--config=".count))
    }
    guard let path = ConfigurationFile.locate(flag: flag, environment: environment)?.value else {
      return try await body()
    }
    let declared: [SourceDefinition]
    do throws(SyncError) {
      declared = try ConfigurationFile.declaredSources(at: path)
    } catch {
      return try await $fault.withValue(error) { try await body() }
    }
    return try await $sources.withValue(sources + declared) { try await body() }
  }

  package static var names: [String] { sources.map(\.name) }
  static var firstRun: String { "syncctl run --source \(names.first ?? StreamChoice.allSources)" }
  static var refreshable: [String] { sources.filter(\.canRefresh).map(\.name) }

  static var sourceHelp: ArgumentHelp {
    ArgumentHelp("\(names.joined(separator: ", ")), or all (the default); repeatable.", valueName: "name")
  }

  static func source(_ name: String) throws(SyncError) -> SourceDefinition {
    guard let source = sources.first(where: { $0.name == name }) else {
      if let fault { throw fault }
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(name, scalars: 40))", hint: Suggestion.hint(for: name, among: names))
    }
    return source
  }

  static func chosen(_ names: [String]) throws(SyncError) -> [SourceDefinition] {
    for name in names where name != StreamChoice.allSources { _ = try source(name) }
    let isAll = names.isEmpty || names.contains(StreamChoice.allSources)
    return sources.filter { isAll || names.contains($0.name) }
  }

  /// Returns the lines of examples for a help text. Each line is the program's name with the given arguments, indented.
  package static func examples(_ arguments: [String]) -> String {
    arguments.map { "  syncctl \($0)" }.joined(separator: "\n")
  }
}

enum StoredDocuments {
  static func rederivation(in database: Database) async throws -> Rederivation {
    var mappings: [any DocumentMapping] = []
    for source in Registry.sources { mappings += try await source.mappings(database) }
    return Rederivation(database, mappings)
  }
}
