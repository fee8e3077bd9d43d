import Synchronization

/// The SQL files of this folder, which are built into the program, and the files that additional sources add.
package enum EmbeddedSQL {
  /// The text of a file by its path below `sql/`, such as `sources/name/write.sql`.
  package static func text(_ path: String) -> String? {
    files[path] ?? added.withLock { $0[path] }
  }

  package static func paths(in folder: String) -> [String] {
    let prefix = folder + "/"
    let others = added.withLock { $0.keys.filter { files[$0] == nil && $0.hasPrefix(prefix) } }
    return (files.keys.filter { $0.hasPrefix(prefix) } + others).sorted()
  }

  package static func hasFiles(in folder: String) -> Bool {
    let prefix = folder + "/"
    return files.keys.contains { $0.hasPrefix(prefix) } || added.withLock { $0.keys.contains { $0.hasPrefix(prefix) } }
  }

  /// A built-in file with the same path takes precedence.
  package static func add(_ files: [String: String]) {
    added.withLock { $0.merge(files) { _, new in new } }
  }

  private static let added = Mutex<[String: String]>([:])
}
