package import Foundation
package import SyncCore

/// The manifest of a recording: the version, options of the recorded command, and for each source the streams and the
/// environment of a run against a server of the recording. Read it with `init(of:)`, which checks it.
package struct RecordingManifest: Codable, Sendable, Equatable {
  /// A source of the recorded run.
  package struct Source: Codable, Sendable, Equatable {
    /// The recorded streams. `nil` for all streams of a source whose streams only the service knows.
    package let streams: [String]?
    /// Variables of the environment by name. With them, a run sends the requests of the recorded run. The base URLs are
    /// those of the recorded services.
    package let environment: [String: String]
    /// The paths of the members that have the address of the next page, from the root of an answer.
    package let nextLinks: [[String]]

    /// The keys of `environment` are names of variables; `init(of:)` accepts only `SYNCCTL_…`. Each element of
    /// `nextLinks` is a path of member names. A `nil` for `streams` means all streams of a source that names them
    /// itself.
    package init(streams: [String]?, environment: [String: String], nextLinks: [[String]] = []) {
      self.streams = streams
      self.environment = environment
      self.nextLinks = nextLinks
    }

    private enum CodingKeys: String, CodingKey {
      case streams
      case environment
      case nextLinks = "next_links"
    }
  }

  private static let knownFormat = 2

  private let format: Int
  /// The version of the program that recorded the run.
  package let version: String
  package let startedAt: Date
  package let isFull: Bool
  package let refreshes: Bool
  package let maxPages: Int?
  /// The sources by name.
  package let sources: [String: Source]

  private enum CodingKeys: String, CodingKey {
    case format
    case version = "syncctl"
    case startedAt = "started_at"
    case isFull = "full"
    case refreshes = "refresh"
    case maxPages = "max_pages"
    case sources
  }

  /// Creates the manifest of a run that begins. `isFull`, `refreshes` and `maxPages` are the recorded command's options
  /// `--full`, `--refresh` and `--max-pages`. The keys of `sources` are names of sources.
  package init(
    version: String, startedAt: Date, isFull: Bool = false, refreshes: Bool = false, maxPages: Int? = nil,
    sources: [String: Source]
  ) {
    format = Self.knownFormat
    self.version = version
    self.startedAt = startedAt
    self.isFull = isFull
    self.refreshes = refreshes
    self.maxPages = maxPages
    self.sources = sources
  }

  /// Reads the manifest of a recording.
  ///
  /// Throws `.usage` if the folder has no recording, `.permission` if the user has no right to read it, and
  /// `.configuration` if it is damaged or has another format.
  package init(of folder: RecordingFolder) throws(SyncError) {
    struct Header: Decodable {
      let format: Int
      let syncctl: String?
    }
    let bytes = Data(try folder.manifest())
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let header = try? decoder.decode(Header.self, from: bytes) else {
      throw folder.damaged(.manifest, "it is not the manifest of a recording")
    }
    guard header.format == Self.knownFormat else {
      let version = header.syncctl.map { " of syncctl \(Excerpt.of($0, scalars: 40))" } ?? ""
      throw SyncError(
        .configuration,
        "the recording\(version) has format \(header.format), and this program reads \(Self.knownFormat)",
        hint: "serve it with the version that recorded it, or record another run")
    }
    guard let manifest = try? decoder.decode(RecordingManifest.self, from: bytes) else {
      throw folder.damaged(.manifest, "a member is missing or has the wrong type")
    }
    let variables = manifest.sources.values.flatMap(\.environment)
    guard variables.allSatisfy({ Self.isVariable($0.key) && Self.isPrintable($0.value) }) else {
      throw folder.damaged(.manifest, "it has a variable that is not a setting of syncctl")
    }
    self = manifest
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// Whether the text is a name that a shell can export without another effect.
  private static func isVariable(_ name: String) -> Bool {
    name.hasPrefix("SYNCCTL_") && name.wholeMatch(of: /[A-Z0-9_]+/) != nil
  }

  /// Whether a terminal can show the text.
  private static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
