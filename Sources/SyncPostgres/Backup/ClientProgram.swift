package import LibPQ
import SyncCore

/// The client programs of PostgreSQL on this machine, such as psql and pg_dump.
package enum ClientProgram {
  /// Returns the folder that contains all these programs. Also accepts programs that are newer than the server. Older
  /// programs refuse the server. The usual folders are searched if no folder of `SYNCCTL_PG_BINDIR` has the programs.
  static func folder(
    of names: [String], forServer version: Int, search: BinarySearch, in context: ServerProgram.Context
  ) async throws -> String {
    var older: [Int] = []
    for search in search.override == nil ? [search] : [search, search.withoutOverride] {
      var best: ServerBinaries?
      for folder in try await search.folders(holding: names, in: context) {
        guard let found = try await ServerBinaries.majorVersion(of: names[0], in: folder, context) else { continue }
        if found == version { return folder }
        if found < version { older.append(found) }
        if found > version, found < best?.majorVersion ?? .max {
          best = ServerBinaries(folder: folder, majorVersion: found)
        }
      }
      if let best { return best.folder }
    }
    let there = older.isEmpty ? "this machine does not have it" : "this machine has only version \(older.max() ?? 0)"
    throw EmbeddedClusterError(
      .binariesMissing, "\(names[0]) of PostgreSQL \(version) or newer is needed, but \(there)",
      hint: "install the client programs of PostgreSQL \(version), or set SYNCCTL_PG_BINDIR to their folder")
  }

  /// Returns the program psql with the arguments and the environment to start it. Does not start it.
  /// - Parameters:
  ///   - settings: How psql connects. Without it, psql connects as `database` does.
  ///   - environment: The variables that psql gets. They also name the folders of programs.
  /// - Throws: `SyncError` `.database` if no psql of the server's major version or a newer one is installed.
  package static func psql(
    _ database: Database, as settings: ConnectionSettings? = nil, environment: [String: String]
  ) async throws -> Invocation {
    let version = try await database.read { $0.serverVersion / 10_000 }
    let settings = settings ?? database.link.settings
    var variables = environment
    if let password = settings.password { variables["PGPASSWORD"] = password.reveal() }
    let search = BinarySearch(environment: environment)
    let context = ServerProgram.Context(environment: environment, clock: ContinuousClock())
    let folder = try await EmbeddedClusterError.asSyncError {
      try await Self.folder(of: ["psql"], forServer: version, search: search, in: context)
    }
    return Invocation(path: folder + "/psql", arguments: ["--dbname", settings.withoutSecrets], environment: variables)
  }

  /// A program with its arguments and its whole environment, which can contain the password as `PGPASSWORD`.
  package struct Invocation: Sendable {
    package let path: String
    /// The arguments contain no secrets, because other users of the machine can see them.
    package let arguments: [String]
    package let environment: [String: String]
  }
}
