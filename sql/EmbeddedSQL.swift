import Synchronization

/// The SQL files of this folder, built into the program, and those of further sources.
package enum EmbeddedSQL {
  /// The text of a file by its path below `sql/`, e.g. `sources/name/write.sql`.
  package static func text(_ path: String) -> String? {
    files[path] ?? added.withLock { $0[path] }
  }

  /// The paths of all files in a folder below `sql/`, in order.
  package static func paths(in folder: String) -> [String] {
    (files.keys + added.withLock { Array($0.keys) }).filter { $0.hasPrefix(folder + "/") }.sorted()
  }

  /// Adds the files of a source that this folder does not have, by their paths. For the start of a program.
  package static func add(_ files: [String: String]) {
    added.withLock { $0.merge(files) { first, _ in first } }
  }

  private static let added = Mutex<[String: String]>([:])
}
