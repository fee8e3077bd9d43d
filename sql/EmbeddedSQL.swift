/// The SQL files of this folder, built into the program.
package enum EmbeddedSQL {
  /// The text of a file by its path below `sql/`, e.g. `sources/jikan/write.sql`.
  package static func text(_ path: String) -> String? {
    files[path]
  }

  /// The paths of all files in a folder below `sql/`, in order.
  package static func paths(in folder: String) -> [String] {
    files.keys.filter { $0.hasPrefix(folder + "/") }.sorted()
  }
}
