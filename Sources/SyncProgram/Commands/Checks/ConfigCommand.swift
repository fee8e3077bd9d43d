import ArgumentParser
import LibPQ
import Logging
import SyncCore
import SyncPostgres
import SyncTelemetry

struct ConfigCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show every setting and where its value came from; passwords are omitted.",
    discussion: """
      Flags override the environment, the environment overrides the file (--config, SYNCCTL_CONFIG, \
      ./syncctl.yaml, ~/.config/syncctl/config.yaml), the file overrides the defaults.

      Example:
        SYNCCTL_RUN_TIMEOUT=2h syncctl config
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func listing() throws -> Listing { try common.configuration().listing() }
}

extension Configuration {
  var shown: [ShownSetting] {
    [
      ShownSetting("file", file?.value ?? "not set", file?.origin ?? .standard),
      ShownSetting("database", Self.text(database.value), database.origin),
      ShownSetting("runs.lease_ttl", runs.leaseTTL), ShownSetting("runs.resume_within", runs.resumeWithin),
      ShownSetting("runs.timeout", runs.timeout),
      ShownSetting("history.positions", "\(history.positions.value)", history.positions.origin),
      ShownSetting("history.retention", keptFor: history.retention),
    ] + retention.settings.map { ShownSetting("retention.\($0.kept.rawValue)", keptFor: $0.time) }
      + sources.flatMap(\.settings) + [
        ShownSetting("jobs", names: jobs.map(\.name), file.map { .file($0.value) } ?? .standard),
        ShownSetting("telemetry.listen", telemetry.listen.value?.description ?? "not set", telemetry.listen.origin),
        ShownSetting("telemetry.metrics_file", telemetry.metricsFile.value ?? "not set", telemetry.metricsFile.origin),
        ShownSetting(
          "telemetry.log_format", telemetry.logFormat.value.map { "\($0)" } ?? "not set", telemetry.logFormat.origin),
        ShownSetting("telemetry.log_level", telemetry.logLevel.value.rawValue, telemetry.logLevel.origin),
        ShownSetting("telemetry.heartbeat_url", telemetry.heartbeat?.shown ?? "not set", telemetry.heartbeatOrigin),
        ShownSetting("web.enabled", "\(web.isEnabled.value)", web.isEnabled.origin),
        ShownSetting("web.hosts", names: web.hosts.value, web.hosts.origin),
        ShownSetting("web.path", web.path.value.isEmpty ? "/" : web.path.value, web.path.origin),
        ShownSetting("web.token", "\(web.usesToken.value)", web.usesToken.origin),
        ShownSetting("web.pictures", "\(web.showsPictures.value)", web.showsPictures.origin),
        ShownSetting("web.writable", "\(web.isWritable.value)", web.isWritable.origin),
        ShownSetting("web.password_file", web.passwordFile.value ?? "not set", web.passwordFile.origin),
      ]
  }

  fileprivate func listing() -> Listing {
    Listing(
      columns: [Column("setting"), Column("value", fit: .wrapped), Column("from", fit: .wrapped)],
      rows: shown.map { [.text($0.name), .text($0.value), .text($0.origin.description)] })
  }

  private static func text(_ database: Database) -> String {
    switch database {
    case .url(let url): (try? ConnectionSettings.parse(url: url).redactedDescription) ?? "a URL that cannot be read"
    case .libpq: "libpq's own settings (PG* variables, service file)"
    case .embedded(let folder): "embedded PostgreSQL in \(folder)"
    }
  }
}
