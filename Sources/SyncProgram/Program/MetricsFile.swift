import Foundation
import SyncCore
import SyncPostgres
import SyncTelemetry

/// Where a run that ends leaves its metrics, for the textfile collector of node_exporter.
struct MetricsFile: Sendable {
  private let file: TextFile

  /// Nil if none is requested.
  ///
  /// - Throws: `SyncError` for a place that cannot be written.
  init?(path: String?, _ configuration: TelemetryConfiguration) throws(SyncError) {
    guard let path = path ?? configuration.metricsFile.value else { return nil }
    file = try TextFile(path: path)
    // Said before the work, and not after it.
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw SyncError(
        .configuration, "the metrics file \(path) cannot be written: its folder is not there, or closed to this user",
        hint: "make \(folder), or name another file")
    }
  }

  func write(_ telemetry: Telemetry, _ configuration: Configuration, _ database: Database) async throws {
    telemetry.show(try await MirrorFigures.read(database), configuration)
    // The process is over when it is read, and node_exporter has a process of its own to tell of.
    try file.write(telemetry.exposition(includingProcess: false))
  }
}
