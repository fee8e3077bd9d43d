import Synchronization

/// The SQL files of this folder, which are built into the program, and the files that additional sources add.
package enum EmbeddedSQL {
  /// The text of a file by its path below `sql/`, e.g. `sources/name/write.sql`.
  package static func text(_ path: String) -> String? {
    files[path] ?? added.withLock { $0[path] }
  }

  /// The sorted paths of all files in a folder below `sql/`.
  package static func paths(in folder: String) -> [String] {
    let paths = Set(files.keys).union(added.withLock { Array($0.keys) })
    return paths.filter { $0.hasPrefix(folder + "/") }.sorted()
  }

  /// Adds the files of sources that are not built in. A built-in file with the same path takes precedence.
  ///
  /// - Parameter files: texts by path, e.g. `sources/NAME/write.sql`.
  package static func add(_ files: [String: String]) {
    added.withLock { $0.merge(files) { _, new in new } }
  }

  private static let added = Mutex<[String: String]>([:])
}
