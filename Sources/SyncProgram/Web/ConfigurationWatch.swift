import Foundation

/// Notices that the configuration file differs from the file that a server has read.
struct ConfigurationWatch: Sendable {
  private let path: String?
  private let content: Data?
  private let stamp: Stamp?

  /// The properties that change with each write of a file.
  private struct Stamp: Equatable {
    let modifiedAt: Date?
    let size: Int?

    init?(_ path: String) {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
      modifiedAt = attributes[.modificationDate] as? Date
      size = attributes[.size] as? Int
    }
  }

  /// Remembers the file as it is now. `path` is `nil` if the server has read no file.
  init(_ path: String?) {
    self.path = path
    stamp = path.flatMap(Stamp.init)
    content = path.flatMap { FileManager.default.contents(atPath: $0) }
  }

  /// Whether the file has another content, or can no longer be read.
  var hasChanged: Bool {
    guard let path else { return false }
    guard Stamp(path) != stamp else { return false }
    return FileManager.default.contents(atPath: path) != content
  }
}
