import Foundation
import SyncCore
import SyncHTTP

extension RecordingManifest {
  /// The manifest of a run with these settings and options, which starts now.
  init(_ configuration: Configuration, _ choice: StreamChoice, isFull: Bool, refreshes: Bool, maxPages: Int?) {
    var sources: [String: Source] = [:]
    for (source, selection) in choice.of(configuration.sources) {
      let streams: [String]? =
        switch selection {
        case .all: source.defaultStreams
        case .named(let names): names
        }
      sources[source.name] = Source(
        streams: streams, environment: Self.environment(of: source), nextLinks: source.definition.nextLinks)
    }
    self.init(
      version: Version.text, startedAt: Date(), isFull: isFull, refreshes: refreshes, maxPages: maxPages,
      sources: sources)
  }

  /// Returns the variables with which a run on a server of the recording sends the same requests. Default values are
  /// included, because another version can have other defaults.
  private static func environment(of source: any SyncProgram.Source) -> [String: String] {
    let keys = SourceSettings.keys(of: source.definition)
    func variable(_ key: String) -> String { SourceSettings.variable(of: source.id, key) }
    var environment: [String: String] = [:]
    for setting in source.settings {
      guard let key = setting.name.split(separator: ".").last.map(String.init), keys.contains(key) else { continue }
      environment[variable(key)] = setting.text
    }
    // A server of the recording needs neither limits nor secrets.
    for key in ["rate_limits", SourceSettings.secretsKey] where keys.contains(key) {
      environment[variable(key)] = "none"
    }
    return environment
  }
}

extension AnswerRecording {
  /// Runs `body` and ends the recording, also after an error. Announces the number of recorded requests.
  /// - Parameters:
  ///   - recording: The recording of the run; `nil` for a run that is not recorded.
  ///   - body: Returns its result and the exit status of a signal that stopped it.
  static func ending<R: Sendable>(
    _ recording: AnswerRecording?, _ announcer: Announcer, _ body: () async throws -> (result: R, exitStatus: Int32?)
  ) async throws -> (result: R, exitStatus: Int32?) {
    guard let recording else { return try await body() }
    do {
      let ended = try await body()
      let count = try recording.finish(isWhole: ended.exitStatus == nil)
      let requests = count == 1 ? "1 request is" : "\(HumanFormat.count(count)) requests are"
      announcer.note(count == 0 ? "no request was sent, so there is no recording" : "\(requests) recorded")
      return ended
    } catch {
      _ = try? recording.finish(isWhole: false)
      throw error
    }
  }
}
