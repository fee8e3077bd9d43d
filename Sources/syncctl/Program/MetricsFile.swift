import SyncCore
import SyncPostgres
import SyncTelemetry

/// Where a run that ends leaves its metrics, for the textfile collector of node_exporter.
struct MetricsFile: Sendable {
  private let file: TextFile

  /// Nil if none is asked for.
  ///
  /// - Throws: `SyncError` for a place that cannot be written.
  init?(path: String?, _ configuration: TelemetryConfiguration) throws(SyncError) {
    guard let path = path ?? configuration.metricsFile.value else { return nil }
    file = try TextFile(path: path)
  }

  func write(_ telemetry: Telemetry, _ database: Database) async throws {
    telemetry.show(try await MirrorFigures.read(database))
    // The process is over when it is read, and node_exporter has a process of its own to tell of.
    try file.write(telemetry.exposition(includingProcess: false))
  }
}
