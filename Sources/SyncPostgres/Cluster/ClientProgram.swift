import LibPQ
import SyncCore

package enum ClientProgram {
  /// Also accepts a program that is newer than the server. An older program refuses the server.
  static func find(
    _ name: String, forServer version: Int, search: BinarySearch, in context: ServerProgram.Context
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
    let there = older.isEmpty ? "this machine does not have it" : "this machine has only version \(older.max() ?? 0)"
    throw EmbeddedClusterError(
      .binariesMissing, "\(name) of PostgreSQL \(version) or newer is needed, but \(there)",
      hint: "install the client programs of PostgreSQL \(version), or set SYNCCTL_PG_BINDIR to their folder")
  }

  package static func psql(_ database: Database, environment: [String: String]) async throws -> Invocation {
    let version = try await database.read { $0.serverVersion / 10_000 }
    let settings = database.link.settings
    var variables = environment
    if let password = settings.password { variables["PGPASSWORD"] = password.reveal() }
    let search = BinarySearch(environment: environment)
    let context = ServerProgram.Context(environment: environment, clock: ContinuousClock())
    let path = try await EmbeddedClusterError.asSyncError {
      try await find("psql", forServer: version, search: search, in: context)
    }
    return Invocation(path: path, arguments: ["--dbname", settings.withoutSecrets], environment: variables)
  }

  package struct Invocation: Sendable {
    package let path: String
    /// The arguments contain no secrets, because other users of the machine can see them.
    package let arguments: [String]
    package let environment: [String: String]
  }
}
