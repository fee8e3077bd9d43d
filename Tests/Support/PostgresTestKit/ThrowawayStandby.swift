import Foundation
import SyncTestKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A standby that streams from a temporary server until `promote()` makes it a primary.
package struct ThrowawayStandby: Sendable {
  package let port: Int
  private let folder: String

  init(primaryPort: Int) async throws {
    let folder = try ThrowawayFolders.make() + "/standby"
    try await Self.shell(
      """
      mkdir '\(folder)' && chmod 700 '\(folder)' && if [ "$(id -u)" = 0 ]; then chown postgres '\(folder)'; fi
      as_server "$bin/pg_basebackup" --host 127.0.0.1 --port \(primaryPort) --username \(ThrowawayPostgres.tcpUser) \
        --pgdata '\(folder)' --write-recovery-conf --wal-method stream --checkpoint fast
      """)
    var attempt = 0
    while true {
      attempt += 1
      let port = try ThrowawayPostgres.freePort()
      do {
        // The standby has a copy of the primary's configuration, but it must not use the primary's socket.
        try await Self.shell(
          """
          as_server "$bin/pg_ctl" --pgdata '\(folder)' --wait --log '\(folder)/server.log' \
            --options "-p \(port) -c unix_socket_directories=''" start > /dev/null
          """)
        self.port = port
        self.folder = folder
        return
      } catch is StandbyFailed where attempt < 5 {
        continue
      }
    }
  }

  package func sql(_ statement: String, database: String) async throws -> String {
    try await Self.shell(
      """
      psql -X -q -A -t -v ON_ERROR_STOP=1 --host 127.0.0.1 --port \(port) --username \(ThrowawayPostgres.tcpUser) \
        --dbname \(database) <<'SQL'
      \(statement)
      SQL
      """
    ).trimmingCharacters(in: .newlines)
  }

  package func promote() async throws {
    try await Self.shell("as_server \"$bin/pg_ctl\" --pgdata '\(folder)' --wait promote > /dev/null")
  }

  package func stop() async throws {
    try await Self.shell("as_server \"$bin/pg_ctl\" --pgdata '\(folder)' --wait --mode immediate stop > /dev/null")
  }

  @discardableResult
  private static func shell(_ line: String) async throws -> String {
    let result = try await ProgramUnderTest(path: "/bin/sh").run(
      [
        "-ec",
        """
        as_server() {
          if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --init-groups "$@"; else "$@"; fi
        }
        bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -n 1)
        if [ -z "$bin" ]; then bin=$(dirname "$(command -v pg_basebackup)"); fi
        \(line)
        """,
      ], environment: ["PGPASSWORD": ThrowawayPostgres.tcpPassword], in: "/")
    guard result.end == .exit(0) else { throw StandbyFailed(said: result.standardError) }
    return result.standardOutput
  }
}

package struct StandbyFailed: Error, CustomStringConvertible {
  let said: String

  package var description: String { "the standby: \(said)" }
}
