import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct DBPsqlCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "psql",
    abstract: "Open psql on the mirror; the embedded PostgreSQL is started if it does not run.",
    usage: "syncctl db psql [<arguments of psql>]",
    discussion: """
      The embedded PostgreSQL or the configured database, with the password that syncctl would use. Arguments \
      that syncctl does not know are passed to psql.

      Examples:
        syncctl db psql
        syncctl db psql -c 'SELECT * FROM sync.stream_freshness'
      """)

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var arguments: [String] = []

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let psql = try await common.context().withDatabase { database in
      try await ClientProgram.psql(database, environment: ProcessInfo.processInfo.environment)
    }
    // In place of this process, so that the terminal and its signals belong to psql. What is ignored here would stay
    // so, and this thread is one of a pool that blocks signals.
    signal(SIGPIPE, SIG_DFL)
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let words = [psql.path] + psql.arguments + arguments
    var argv = words.map { strdup($0) } + [nil]
    var environment = psql.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    execve(psql.path, &argv, &environment)
    throw SyncError(
      .database, "\(psql.path) cannot be run: \(String(cString: strerror(errno)))",
      hint: "reinstall PostgreSQL's client")
  }
}
