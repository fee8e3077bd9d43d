import ArgumentParser
import LibPQ
import Logging
import SyncCore
import SyncPostgres
import SyncSources
import SyncTelemetry

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show every setting and where its value came from; passwords are left out.",
    discussion: """
      Flags beat the environment, the environment beats the file (--config, SYNCCTL_CONFIG, ./syncctl.yaml,
      ~/.config/syncctl/config.yaml), the file beats the defaults.

      Example:
        SYNCCTL_JIKAN_RATE_LIMITS=1/1s syncctl config
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func run() async throws {
    try StandardStreams().print(try common.configuration().listing(), as: output.format)
  }
}

extension Configuration {
  /// Every setting as a person should see it: no secrets.
  var shown: [(name: String, value: String, origin: SettingOrigin)] {
    return [
      ("file", file?.value ?? "none", file?.origin ?? .standard),
      ("database", Self.text(database.value), database.origin),
      ("runs.lease_ttl", "\(runs.leaseTTL.value.components.seconds)s", runs.leaseTTL.origin),
      ("runs.resume_within", "\(runs.resumeWithin.value.components.seconds)s", runs.resumeWithin.origin),
      ("runs.timeout", "\(runs.timeout.value.components.seconds)s", runs.timeout.origin),
      ("history.positions", "\(history.positions.value)", history.positions.origin),
      (
        "history.retention", history.retention.value.map { "\($0.components.seconds)s" } ?? "forever",
        history.retention.origin
      ),
      ("sources.jikan.provider", jikan.provider.value.rawValue, jikan.provider.origin),
      ("sources.jikan.base_url", jikan.baseURL.value, jikan.baseURL.origin),
      ("sources.jikan.rate_limits", Self.text(jikan.rateLimits.value), jikan.rateLimits.origin),
      ("sources.pokeapi.base_url", pokeapi.baseURL.value, pokeapi.baseURL.origin),
      ("sources.pokeapi.rate_limits", Self.text(pokeapi.rateLimits.value), pokeapi.rateLimits.origin),
      ("sources.pokeapi.concurrency", "\(pokeapi.concurrency.value)", pokeapi.concurrency.origin),
      ("sources.pokeapi.ttl", "\(pokeapi.ttl.value.components.seconds)s", pokeapi.ttl.origin),
      ("sources.pokeapi.page_size", "\(pokeapi.pageSize.value)", pokeapi.pageSize.origin),
      ("sources.itunes.base_url", itunes.baseURL.value, itunes.baseURL.origin),
      ("sources.itunes.charts_base_url", itunes.chartsBaseURL.value, itunes.chartsBaseURL.origin),
      ("sources.itunes.rate_limits", Self.text(itunes.rateLimits.value), itunes.rateLimits.origin),
      ("sources.itunes.searches", Self.text(itunes.searches.map(\.name)), file.map { .file($0.value) } ?? .standard),
      ("sources.itunes.lookups", Self.text(itunes.lookups.map(\.name)), file.map { .file($0.value) } ?? .standard),
      ("sources.itunes.charts", Self.text(itunes.charts.value.map(\.name)), itunes.charts.origin),
      ("jobs", Self.text(jobs.map(\.name)), file.map { .file($0.value) } ?? .standard),
      ("telemetry.listen", telemetry.listen.value?.description ?? "none", telemetry.listen.origin),
      ("telemetry.metrics_file", telemetry.metricsFile.value ?? "none", telemetry.metricsFile.origin),
      ("telemetry.log_format", telemetry.logFormat.value.map { "\($0)" } ?? "none", telemetry.logFormat.origin),
      ("telemetry.log_level", telemetry.logLevel.value.rawValue, telemetry.logLevel.origin),
      ("telemetry.heartbeat_url", telemetry.heartbeat?.shown ?? "none", telemetry.heartbeatOrigin),
    ]
  }

  private static func text(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

  private static func text(_ limits: [RateWindow]) -> String {
    limits.isEmpty ? "none (loopback)" : limits.map(\.description).joined(separator: ",")
  }

  fileprivate func listing() -> Listing {
    Listing(
      columns: [Column("setting"), Column("value", isFlexible: true), Column("from")],
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
