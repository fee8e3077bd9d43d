import Foundation
package import SyncCore
import SyncPostgres

/// The checked settings of the program, which `load` reads from the file and the environment.
package struct Configuration: Sendable {
  enum Database: Sendable, Equatable {
    case url(String)
    case libpq
    case embedded(dataDirectory: String)

    var isEmbedded: Bool { if case .embedded = self { true } else { false } }
  }

  let file: Setting<String>?
  let isFileEmpty: Bool
  private(set) var database: Setting<Database>
  let runs: RunsConfiguration
  let history: HistoryConfiguration
  let retention: RetentionConfiguration
  package let sources: [any Source]
  let telemetry: TelemetryConfiguration
  let web: WebConfiguration
  let jobs: [ConfiguredJob]
  /// The sources that the file, a variable or a job names, and all declared sources.
  private let named: Set<SourceID>

  /// The sources that messages about the whole configuration speak of. If the file declares a source, a compiled source
  /// that is neither named nor mirrored is none of the user's. Without a declared source, all sources are the default.
  /// - Parameter mirrored: The sources whose streams the mirror holds.
  func used(mirrored: Set<SourceID>) -> [any Source] {
    guard sources.contains(where: { !($0 is any CompiledSource) }) else { return sources }
    return sources.filter { named.contains($0.id) || mirrored.contains($0.id) }
  }

  func with(database: Setting<Database>) -> Configuration {
    var copy = self
    copy.database = database
    return copy
  }

  static func load(configFlag: String?, environment: [String: String]) throws(SyncError) -> Configuration {
    var faults = ConfigurationFaults(EnvironmentVariables(values: environment).faults())
    let located = ConfigurationFile.locate(flag: configFlag, environment: environment)
    if let fault = Registry.fault { faults.add(fault) }
    // Without the declared sources or the file, the other settings cannot be judged.
    try faults.check()

    let file = try located.map { (found) throws(SyncError) in try ConfigurationFile(path: found.value) }
    let runs = faults.reading { () throws(SyncError) in try RunsConfiguration(file, environment) }
    let history = faults.reading { () throws(SyncError) in try HistoryConfiguration(file, environment) }

    var sources: [any Source] = []
    var written: Set<SourceID> = []
    // Without a valid history, the defaults serve to check the settings of the sources.
    let standard = try HistoryConfiguration(nil, [:])
    let usable = history ?? standard
    for source in Registry.sources {
      faults.reading { () throws(SyncError) in
        let settings = try SourceSettings(source, usable, file, environment)
        sources.append(try source.source(settings))
        if settings.hasVariable { written.insert(source.id) }
      }
    }

    let telemetry = faults.reading { () throws(SyncError) in try TelemetryConfiguration(file, environment) }
    let retention = faults.reading { () throws(SyncError) in try RetentionConfiguration(file, environment) }
    let web = faults.reading { () throws(SyncError) in try WebConfiguration(file, environment) }

    var jobs: [ConfiguredJob] = []
    // A job that names a source whose settings are wrong would be one more error.
    if let runs, let telemetry, sources.count == Registry.sources.count {
      jobs = ConfiguredJob.all(of: file, runs, telemetry, sources, &faults)
    }

    try faults.check()
    guard let runs, let history, let telemetry, let retention, let web else {
      throw SyncError(.configuration, "the settings cannot be read", hint: "this is a bug in syncctl; please report it")
    }

    var named = Set(jobs.flatMap { $0.choice.of(sources).map { $0.source.id } })
    for source in sources {
      let isWritten = file?.sources[source.name] != nil || written.contains(source.id)
      if isWritten || !(source is any CompiledSource) { named.insert(source.id) }
    }

    return Configuration(
      file: located, isFileEmpty: file?.isEmpty ?? false, database: database(file, environment), runs: runs,
      history: history, retention: retention, sources: sources, telemetry: telemetry, web: web,
      jobs: jobs, named: named)
  }

  /// Returns the configured source of this type.
  ///
  /// - Throws: `SyncError` `.configuration` if the program does not have the source.
  package func source<S: CompiledSource>(_ type: S.Type = S.self) throws(SyncError) -> S {
    for case let source as S in sources { return source }
    throw SyncError(
      .configuration, "this program has no source \(S.name)", hint: "it has \(Registry.names.joined(separator: ", "))")
  }

  fileprivate static let ownDatabaseVariable = "SYNCCTL_DATABASE_URL"

  private static func database(_ file: ConfigurationFile?, _ environment: [String: String]) -> Setting<Database> {
    let choice = SettingChoice(file: file, environment: environment)
    if let url = choice.setting(ownDatabaseVariable, file?.databaseURL) { return url.map { .url($0) } }
    // The file takes precedence over these variables, because other programs use them too.
    if let url = choice.setting("DATABASE_URL", nil) { return url.map { .url($0) } }
    for name in ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE", "PGPORT", "PGUSER"] {
      if let value = choice.setting(name, nil) { return value.map { _ in .libpq } }
    }
    let folder = EmbeddedCluster.defaultDataDirectory(environment: environment)
    let origin = environment["SYNCCTL_DATA_DIR"].map { _ in SettingOrigin.environment("SYNCCTL_DATA_DIR") }
    return Setting(.embedded(dataDirectory: folder), origin ?? .standard)
  }
}

extension Setting<Configuration.Database> {
  /// The environment variable that selected the database, if other programs use the variable too (`DATABASE_URL`).
  var sharedVariable: String? {
    guard case .environment(let name) = origin, !value.isEmbedded, name != Configuration.ownDatabaseVariable
    else { return nil }
    return name
  }
}
