import Foundation
import SyncCore

/// A path of a file in a declaration.
enum DeclaredPath {
  /// - Parameter folder: The folder that a path without a slash at its beginning belongs to.
  static func full(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }
}

/// The file of a secret, or another file that a declaration names.
enum SecretFile {
  /// The most bytes of a file with a secret. A larger file is another file by mistake.
  private static let longestSecret = 64 << 10

  /// Returns the file's text, or `nil` if the file cannot be read, is not regular, is too long, or is not UTF-8. Never
  /// waits, as the opening of a pipe would.
  /// - Parameters:
  ///   - folder: As in `DeclaredPath.full`.
  ///   - longest: The most bytes of the file.
  static func text(_ path: String, in folder: String, longest: Int = longestSecret) -> String? {
    let descriptor = open(DeclaredPath.full(path, in: folder), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= longest,
      let data = try? file.read(upToCount: longest + 1) ?? Data(), data.count <= longest
    else { return nil }
    return String(data: data, encoding: .utf8)
  }
}

/// Reads the texts of a declaration that are secrets.
struct SecretReader: Sendable {
  let id: SourceID
  let environment: [String: String]
  /// The folder of the configuration file, to which the paths of secrets are relative.
  let folder: String

  /// - Throws: `SyncError` `.configuration` if a secret is missing or unusable. The error never contains the text.
  func read(_ text: DeclaredText, canBeShort: Bool = false) throws(SyncError) -> String {
    do throws(SyncError) {
      return try text.read(environment, canBeShort: canBeShort) { path in SecretFile.text(path, in: folder) }
    } catch {
      throw SyncError(.configuration, "\(id): \(error.message)", hint: error.hint, disposition: error.disposition)
    }
  }
}
