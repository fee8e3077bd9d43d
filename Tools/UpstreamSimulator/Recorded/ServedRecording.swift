import Foundation
import SyncCore
import SyncHTTP

/// A recording of `syncctl run --record`, as an upstream for each recorded origin.
///
/// Each origin has a server of its own, because paths of several services can be equal, and relative links must stay
/// valid.
package struct ServedRecording: Sendable {
  /// The upstreams, in the order of `origins`.
  package let upstreams: [RecordedUpstream]
  private let manifest: RecordingManifest
  private let origins: [String]
  /// Whether the recorded run ended by itself.
  private let isWhole: Bool

  /// Reads the recording's manifest and index. Throws ``SimulatorError`` if the folder has no recording or a damaged
  /// recording.
  /// - Parameter report: Called for each request without a recorded answer.
  package init(folder path: String, report: @escaping @Sendable (String) -> Void = { _ in }) throws {
    do throws(SyncError) {
      let folder = RecordingFolder(path)
      let manifest = try RecordingManifest(of: folder)
      let answers = try RecordedAnswers(of: folder)
      // Base URLs without a recorded request have a server too, so that no request leaves this machine.
      let sources = manifest.sources.sorted { $0.key < $1.key }.map(\.value)
      let origins = (sources.flatMap { Self.origins(of: $0) } + answers.origins).distinct()
      self.manifest = manifest
      self.origins = origins
      isWhole = answers.isWhole
      upstreams = origins.map { origin in
        let links = sources.filter { Self.origins(of: $0).contains(origin) }.flatMap(\.nextLinks)
        return RecordedUpstream(answers: answers, origin: origin, nextLinks: links, report: report)
      }
    } catch {
      throw SimulatorError.recordingUnreadable(path: path, reason: error.message)
    }
  }

  /// The recorded run, for messages.
  package var summary: String {
    let time = manifest.startedAt.formatted(.iso8601)
    let version = Excerpt.of(manifest.version, scalars: 40)
    return "a run of \(time), recorded by syncctl \(version)" + (isWhole ? "" : "; the run was stopped")
  }

  /// Returns the variables with which a run of these sources sends its requests to the servers.
  /// - Parameter servers: The addresses of the servers, in the order of `upstreams`.
  package func environment(at servers: [String]) -> [String: String] {
    manifest.sources.values.reduce(into: [:]) { variables, source in
      variables.merge(environment(of: source, at: servers)) { first, _ in first }
    }
  }

  /// Returns a shell command for each source, which exports the variables of `environment`.
  package func exports(at servers: [String]) -> [String] {
    manifest.sources.sorted { $0.key < $1.key }.map { _, source in
      let variables = environment(of: source, at: servers).sorted { $0.key < $1.key }
      return "export " + variables.map { "\($0.key)=\($0.value.shellWord)" }.joined(separator: " ")
    }
  }

  private func environment(of source: RecordingManifest.Source, at servers: [String]) -> [String: String] {
    let served = Dictionary(zip(origins, servers)) { first, _ in first }
    return source.environment.mapValues { value in
      guard let address = try? HTTPAddress(value), let server = served[address.origin] else { return value }
      return server + address.description.dropFirst(address.origin.count)
    }
  }

  private static func origins(of source: RecordingManifest.Source) -> [String] {
    source.environment.sorted { $0.key < $1.key }.compactMap { (try? HTTPAddress($0.value))?.origin }
  }
}
