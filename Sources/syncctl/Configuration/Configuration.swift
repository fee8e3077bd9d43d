import Foundation
import SyncCore
import SyncPostgres

/// Everything that is configured, each value with its origin.
struct Configuration: Sendable {
  enum Database: Sendable, Equatable {
    case url(String)
    /// libpq's own variables, service file and defaults.
    case libpq
    /// The machine's own PostgreSQL with its data in this folder.
    case embedded(dataDirectory: String)

    var isEmbedded: Bool { if case .embedded = self { true } else { false } }
  }

  let file: Setting<String>?
  /// A file was read in which nothing is configured.
  let isFileEmpty: Bool
  private(set) var database: Setting<Database>
  let runs: RunsConfiguration
  let history: HistoryConfiguration
  let jikan: JikanConfiguration
  let pokeapi: PokeAPIConfiguration
  let itunes: ITunesConfiguration
  let telemetry: TelemetryConfiguration
  let jobs: [ConfiguredJob]

  /// The same with another database.
  func with(database: Setting<Database>) -> Configuration {
    var copy = self
    copy.database = database
    return copy
  }

  /// - Throws: `SyncError` `.configuration`.
  static func load(configFlag: String?, environment: [String: String]) throws(SyncError) -> Configuration {
    let located = ConfigurationFile.locate(flag: configFlag, environment: environment)
    let file: ConfigurationFile?
    if let located {
      file = try ConfigurationFile(path: located.value)
    } else {
      file = nil
    }
    let runs = try RunsConfiguration(file, environment)
    let itunes = try ITunesConfiguration(file, environment)
    let telemetry = try TelemetryConfiguration(file, environment)
    return Configuration(
      file: located, isFileEmpty: file?.isEmpty ?? false, database: database(file, environment), runs: runs,
      history: try HistoryConfiguration(file, environment), jikan: try JikanConfiguration(file, environment),
      pokeapi: try PokeAPIConfiguration(file, environment), itunes: itunes, telemetry: telemetry,
      jobs: try JobsConfiguration(file, runs, telemetry, itunes).jobs)
  }

  private static func database(_ file: ConfigurationFile?, _ environment: [String: String]) -> Setting<Database> {
    for name in ["SYNCCTL_DATABASE_URL", "DATABASE_URL"] {
      if let url = environment[name], !url.isEmpty { return Setting(.url(url), .environment(name)) }
    }
    // The environment beats the file, libpq's variables included.
    for name in ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE", "PGPORT", "PGUSER"] {
      if let value = environment[name], !value.isEmpty { return Setting(.libpq, .environment(name)) }
    }
    if let file, let url = file.databaseURL {
      return Setting(.url(url), .file(file.path))
    }
    let folder = EmbeddedCluster.defaultDataDirectory(environment: environment)
    let origin = environment["SYNCCTL_DATA_DIR"].map { _ in SettingOrigin.environment("SYNCCTL_DATA_DIR") }
    return Setting(.embedded(dataDirectory: folder), origin ?? .standard)
  }
}
