import Foundation
import SyncCore
import SyncPostgres

/// Replaces a file of metrics as a whole, because node_exporter's textfile collector can read it at any moment:
/// <https://github.com/prometheus/node_exporter#textfile-collector>.
struct MetricsFile: Sendable {
  let path: String

  init?(path: String?, _ configuration: TelemetryConfiguration) throws(SyncError) {
    guard let path = path ?? configuration.metricsFile.value else { return nil }
    try self.init(path: path)
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw SyncError(
        .configuration,
        "the metrics file \(path) cannot be written: its folder does not exist, or this user cannot write there",
        hint: "create \(folder), or choose another file")
    }
  }

  init(path: String) throws(SyncError) {
    guard path.hasSuffix(".prom"), !path.hasSuffix("/.prom"), path != ".prom", !path.utf8.contains(0) else {
      throw SyncError(
        .usage, "metrics cannot be written to \(Excerpt.of(path))",
        hint: "choose a file that ends in .prom; node_exporter reads no others")
    }
    self.path = path
  }

  func write(_ telemetry: Telemetry, _ configuration: Configuration, _ database: Database) async throws {
    telemetry.show(try await MirrorFigures.read(database), configuration)
    // Process metrics are omitted, because node_exporter has its own.
    try write(telemetry.exposition(includingProcess: false))
  }

  func write(_ text: String) throws(SyncError) {
    do throws(OutputError) {
      try WholeFile.write(text, to: path, overwrites: true, ignoresUmask: true)
    } catch {
      let message = "the metrics file \(Excerpt.of(path)) cannot be written: \(error.reason)"
      switch error.code {
      case EACCES, EPERM, EROFS:
        throw SyncError(.permission, message, hint: "allow this user to write to its folder, or choose another file")
      case ENOSPC, EDQUOT, EIO, EMFILE, ENFILE:
        throw SyncError(.tryLater, message, hint: "free space or descriptors; the next run writes it again")
      default: throw SyncError(.configuration, message, hint: "choose a file in an existing folder")
      }
    }
  }
}
