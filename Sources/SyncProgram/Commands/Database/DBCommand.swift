import ArgumentParser
import SyncCore
import SyncPostgres

struct DBCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db",
    abstract: "Start, stop, find and upgrade the embedded PostgreSQL; query, back up and restore any database.",
    discussion: """
      It is used when no database is configured: the machine's own PostgreSQL server with a data folder of its \
      own, reachable through a Unix socket only, started on demand and left running.

      Examples:
        syncctl db status
        syncctl db psql
        syncctl db backup mirror.dump
      """,
    subcommands: [
      Start.self, Stop.self, Status.self, URL.self, DBPsqlCommand.self, DBUpgradeCommand.self, DBBackupCommand.self,
      DBRestoreCommand.self,
    ])

  static func withCluster<R>(
    _ common: CommonOptions, _ body: (EmbeddedCluster) async throws -> R
  ) async throws -> R {
    let configuration = try common.configuration()
    guard let cluster = Context(configuration: configuration).embeddedCluster else {
      throw SyncError(
        .configuration, "\(configuration.database.origin) names another database, so the embedded one is not used",
        hint: "unset it to use the embedded PostgreSQL")
    }
    do {
      return try await body(cluster)
    } catch let error as EmbeddedClusterError {
      throw SyncError(error)
    }
  }

  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start it, setting it up on first use.",
      discussion: """
        Example:
          syncctl db start
        """)
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await DBCommand.withCluster(common) { cluster in
        let endpoint = try await cluster.ensureRunning()
        if cluster.location.move != nil { StandardStreams().note("database: \(cluster.location.text)") }
        try StandardStreams().print(line: "running: \(endpoint.url)")
      }
    }
  }

  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop it. Sessions are ended, no committed row is lost.",
      discussion: """
        Example:
          syncctl db stop
        """)
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await DBCommand.withCluster(common) { cluster in
        let line =
          switch try await cluster.stop() {
          case .stopped: "stopped"
          case .wasNotRunning: "not running"
          case .notInitialized: "not set up: there is no database in \(cluster.location.folder)"
          }
        try StandardStreams().print(line: line)
      }
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show whether it runs, and where its data is.",
      discussion: """
        Example:
          syncctl db status --format json
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    func run() async throws {
      let listing = try await DBCommand.withCluster(common) { cluster in
        let state: String
        var version: Cell = .null
        var pid: Cell = .null
        var url: Cell = .text(cluster.endpoint.url)
        switch try await cluster.status() {
        case .notInitialized:
          state = "not set up"
          url = .null
        case .stopped(let major):
          state = "stopped"
          version = .int(Int64(major))
        case .running(let server):
          state = server.isReady ? "running" : "starting"
          version = .int(Int64(server.majorVersion))
          pid = .int(Int64(server.pid))
        }
        return Listing(
          columns: [Column("state"), Column("version"), Column("pid"), Column("data"), Column("url")],
          rows: [[.text(state), version, pid, .text(cluster.location.folder), url]])
      }
      try StandardStreams().print(output.shape == .table ? listing.turned : listing, output)
    }
  }

  struct URL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "url", abstract: "Print its connection URL, for psql and other tools.",
      discussion: """
        Starts it if it does not run; sets nothing up.

        Example:
          psql "$(syncctl db url)" -c 'SELECT * FROM sync.stream_freshness'
        """)
    @OptionGroup var common: CommonOptions

    func run() async throws {
      let endpoint = try await DBCommand.withCluster(common) { try await $0.ensureRunning(for: .question) }
      try StandardStreams().print(line: endpoint.url)
    }
  }
}
