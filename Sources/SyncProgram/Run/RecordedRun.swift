import Foundation
import SyncCore
import SyncHTTP

struct RecordedRun: Codable, Sendable {
  private static let knownFormat = 1

  private let format: Int
  let syncctl: String
  let startedAt: Date
  let full: Bool
  let refresh: Bool
  let maxPages: Int?
  private let historyPositions: Int
  private let sources: [String: Source]

  private struct Source: Codable {
    let streams: [String]?
    let settings: [String: RecordedSetting]
  }

  init(_ configuration: Configuration, _ choice: StreamChoice, full: Bool, refresh: Bool, maxPages: Int?) {
    format = Self.knownFormat
    syncctl = Version.text
    startedAt = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    self.full = full
    self.refresh = refresh
    self.maxPages = maxPages
    historyPositions = configuration.history.positions.value
    var sources: [String: Source] = [:]
    for (source, selection) in choice.of(configuration.sources) {
      let streams: [String]? =
        switch selection {
        case .all: source.defaultStreams
        case .named(let names): names
        }
      var settings = configuration.written[source.id] ?? [:]
      // Default values are recorded too, because another version can have other defaults.
      for setting in source.settings {
        let key = setting.name.split(separator: ".").last.map(String.init)
        if let key, let text = setting.text { settings[key] = .text(text) }
      }
      sources[source.name] = Source(streams: streams, settings: settings)
    }
    self.sources = sources
  }

  init(of folder: RecordingFolder) throws(SyncError) {
    let bytes = Data(try folder.manifest())
    struct Header: Decodable {
      let format: Int
      let syncctl: String?
    }
    let path = Excerpt.of(folder.manifestPath)
    guard let header = try? Self.decoder.decode(Header.self, from: bytes) else {
      throw SyncError(.configuration, "\(path) is not the manifest of a recording", hint: "copy the folder again")
    }
    guard header.format == Self.knownFormat else {
      let version = header.syncctl.map { " (syncctl \(Excerpt.of($0, scalars: 40)))" } ?? ""
      throw SyncError(
        .configuration, "\(path) has format \(header.format)\(version), and this program reads \(Self.knownFormat)",
        hint: "replay it with the version of syncctl that recorded it")
    }
    try Self.checkNumbers(bytes, path)
    do {
      self = try Self.decoder.decode(RecordedRun.self, from: bytes)
    } catch {
      throw SyncError(
        .configuration, "\(path): a member is missing or has the wrong type", hint: "copy the folder again")
    }
  }

  /// Checks numbers before decoding, because the decoder's error does not name the member that is out of range.
  private static func checkNumbers(_ bytes: Data, _ path: String) throws(SyncError) {
    struct Numbers: Decodable {
      let historyPositions: Decimal?
      let maxPages: Decimal?
      let startedAt: Date?
    }
    guard let numbers = try? decoder.decode(Numbers.self, from: bytes) else { return }
    let members: [(String, Decimal?, ClosedRange<Int>)] = [
      ("history_positions", numbers.historyPositions, 1...Limits.mostHistoryPositions),
      ("max_pages", numbers.maxPages, 1...Int.max),
      ("started_at (seconds since 1970)", numbers.startedAt.map { Decimal($0.timeIntervalSince1970) }, 0...lastSecond),
    ]
    for (name, value, bounds) in members {
      guard let value, value < Decimal(bounds.lowerBound) || value > Decimal(bounds.upperBound) else { continue }
      throw SyncError(
        .configuration, "\(path): \(name) is \(Excerpt.of("\(value)", scalars: 40)), which is out of range",
        hint: "give \(bounds.lowerBound) to \(bounds.upperBound), or copy the folder again")
    }
  }

  /// The end of the year 9999, in seconds since 1970.
  private static let lastSecond = 253_402_300_799

  func manifest() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  func configuration(over local: Configuration, path: String) throws(SyncError) -> Configuration {
    guard !sources.isEmpty else {
      throw SyncError(.configuration, "\(Excerpt.of(path)): it has no source", hint: "copy the folder again")
    }
    for name in sources.keys.sorted() where !Registry.names.contains(name) {
      throw SyncError(
        .configuration, "\(Excerpt.of(path)): this version has no source \(Excerpt.of(name, scalars: 40))",
        hint: "replay it with the program that recorded it")
    }
    var history = local.history
    history.positions = Setting(historyPositions, .file(path))
    let file = ConfigurationFile(path: path, sources: sources.mapValues { .members($0.settings) })
    var recorded: [any SyncProgram.Source] = []
    for source in Registry.sources where sources[source.name] != nil {
      recorded.append(try source.source(SourceSettings(source, history, file, [:])))
    }
    return local.with(sources: recorded, history: history)
  }

  func choice(_ given: StreamFilterOptions, _ configuration: Configuration) throws(SyncError) -> StreamChoice {
    let all = try StreamChoice(sources.mapValues(\.streams), among: configuration.sources)
    for name in given.source where name != StreamChoice.allSources {
      guard try !sources.keys.contains(Registry.source(name).name) else { continue }
      throw SyncError(
        .usage, "the recording has no source \(name)", hint: "it has \(sources.keys.sorted().joined(separator: ", "))")
    }
    return try all.narrowed(to: StreamChoice(sources: given.source, names: given.stream, among: configuration.sources))
  }
}
