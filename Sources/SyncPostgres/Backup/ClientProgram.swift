/// PostgreSQL's client programs.
enum ClientProgram {
  /// The program that fits a server best: of the same major version, else the next newer one. An older one refuses, and
  /// a newer one may write what the server does not know.
  static func find(
    _ name: String, forServer version: Int, search: BinarySearch, in context: Program.Context
  ) async throws -> String {
    var best: ServerBinaries?
    var older: [Int] = []
    for folder in try await search.folders(holding: [name], in: context) {
      guard let found = try await ServerBinaries.majorVersion(of: name, in: folder, context) else { continue }
      if found == version { return "\(folder)/\(name)" }
      if found < version { older.append(found) }
      if found > version, found < best?.majorVersion ?? .max {
        best = ServerBinaries(folder: folder, majorVersion: found)
      }
    }
    if let best { return best.path(name) }
    let there =
      older.isEmpty ? "no folder of this machine holds it" : "this machine has that of PostgreSQL \(older.max() ?? 0)"
    throw EmbeddedClusterError(
      .binariesMissing, "\(name) of PostgreSQL \(version) or newer is needed, and \(there)",
      hint: "install the client programs of PostgreSQL \(version), or name their folder in SYNCCTL_PG_BINDIR")
  }
}
