import Foundation

enum Repository {
  struct SourceFile: CustomStringConvertible {
    let path: String
    let lines: [String]

    /// The name of the folder directly below `Sources`, `Tools` or `Tests/Support`.
    var target: String {
      String(path.replacing("Tests/Support/", with: "Support/").split(separator: "/").dropFirst().first ?? "")
    }
    var description: String { path }
  }

  static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    repeat {
      folder.deleteLastPathComponent()
    } while folder.path != "/"
      && !FileManager.default.fileExists(atPath: folder.appendingPathComponent("sql/migrations").path)
    return folder
  }()

  static func files(_ folder: String, _ extensions: [String] = []) throws -> [SourceFile] {
    let start = root.appendingPathComponent(folder)
    let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    var files: [SourceFile] = []
    while let url = found?.nextObject() as? URL {
      guard extensions.isEmpty || extensions.contains(url.pathExtension), !url.hasDirectoryPath,
        let text = try? String(contentsOf: url, encoding: .utf8)
      else { continue }
      files.append(SourceFile(path: relative(url), lines: text.components(separatedBy: "\n")))
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Whether a file, or a folder, has this path from the root. The last part can end with a pattern (`verify_*.sql`).
  static func has(_ path: String) -> Bool {
    let url = root.appendingPathComponent(path)
    let parts = url.lastPathComponent.components(separatedBy: "*")
    guard parts.count == 2 else { return FileManager.default.fileExists(atPath: url.path) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    return names.contains { $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1]) }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func file(_ path: String) throws -> SourceFile {
    SourceFile(path: path, lines: try text(path).components(separatedBy: "\n"))
  }

  private static func relative(_ url: URL) -> String {
    let path = url.standardizedFileURL.path
    let prefix = root.standardizedFileURL.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
