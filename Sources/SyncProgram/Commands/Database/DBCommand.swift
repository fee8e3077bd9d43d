import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct DBCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db",
    abstract: "Start, stop, find and upgrade the embedded PostgreSQL; query, back up and restore any database.",
    discussion: """
      The embedded PostgreSQL is used if no database is configured. It is the machine's PostgreSQL server with a \
      separate data folder; it listens only on a Unix socket, starts on demand and keeps running.

      Examples:
        syncctl db status
        syncctl db psql
        syncctl db backup mirror.dump
      """,
    subcommands: [
      Start.self, Stop.self, Status.self, URL.self, DBPsqlCommand.self, DBUpgradeCommand.self, DBBackupCommand.self,
      DBRestoreCommand.self,
    ], defaultSubcommand: Status.self)

  static func withCluster<R>(_ common: CommonOptions, _ body: (EmbeddedCluster) async throws -> R) async throws -> R {
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
      abstract: "Start the embedded PostgreSQL, and set it up on first use.",
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
      abstract: "Stop the embedded PostgreSQL; sessions end, committed rows are kept.",
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
      abstract: "Show whether the embedded PostgreSQL runs, and where its data is.",
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
          // Rows that a client writes during an upgrade are lost, so the URL is hidden until the server is ready.
          if !server.isReady { url = .null }
        }
        return Listing(
          columns: [Column("state"), Column("version"), Column("pid"), Column("data"), Column("url")],
          rows: [[.text(state), version, pid, .text(cluster.location.folder), url]])
      }
      try StandardStreams().print(listing.inTables(\.turned), output)
    }
  }

  struct URL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "url", abstract: "Print the embedded PostgreSQL's connection URL, for psql and other tools.",
      discussion: """
        Starts the embedded PostgreSQL if necessary, but does not set it up.

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

struct DBPsqlCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "psql", abstract: "Open psql on the mirror; the embedded PostgreSQL is started if it does not run.",
    usage: "syncctl db psql [--owner] [<query>|<arguments of psql>]",
    discussion: """
      Connects to the embedded PostgreSQL or the configured database, with syncctl's own password. Other \
      arguments are passed to psql.

      The session in the embedded PostgreSQL has the rights of syncctl_user: it reads the mirror, and no statement \
      can change the mirror. Transactions are read-only; after SET default_transaction_read_only = off, favorites \
      can be changed. With --owner, the session has all rights. A configured database applies the rights of the \
      login in its address.

      Examples:
        syncctl db psql
        syncctl db psql --owner
        syncctl db psql -c 'SELECT * FROM sync.stream_freshness'
        syncctl db psql 'SELECT * FROM sync.stream_freshness'
      """)

  @Flag(name: [.long, .customLong("write")], help: "Open a session with all rights in the embedded PostgreSQL.")
  var owner = false

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var arguments: [String] = []

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let context = try common.context()
    let limited = owner ? nil : context.embeddedCluster
    let psql = try await context.withDatabase { database in
      var environment = ProcessInfo.processInfo.environment
      guard let limited else { return try await ClientProgram.psql(database, environment: environment) }
      environment["PGOPTIONS"] = "-c default_transaction_read_only=on"
      if try await !PsqlLogin.isReady(database) {
        try await context.expectMirror(in: database)
        try await PsqlLogin.create(in: database)
      }
      let settings = try await PsqlLogin.settings(for: database, in: limited)
      return try await ClientProgram.psql(database, as: settings, environment: environment)
    }
    let streams = StandardStreams()
    if limited != nil, streams.error.isTerminal {
      streams.note("this session only reads; syncctl db psql --owner opens one with all rights")
    }
    // psql replaces this process and inherits its signal handling. This process ignores SIGPIPE, and this thread blocks
    // signals, so both settings are reset.
    signal(SIGPIPE, SIG_DFL)
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let words = [psql.path] + psql.arguments + Self.withQuery(arguments)
    var argv = words.map { strdup($0) } + [nil]
    var environment = psql.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    execve(psql.path, &argv, &environment)
    throw SyncError(
      .database, "\(psql.path) cannot be run: \(SystemTerminal.reason())",
      hint: "reinstall PostgreSQL's client")
  }
}

extension DBPsqlCommand {
  /// Returns the arguments of psql. The words before the first option are one query, because the database is known.
  static func withQuery(_ arguments: [String]) -> [String] {
    let query = arguments.prefix { !$0.hasPrefix("-") }
    guard !query.isEmpty else { return arguments }
    return ["-c", query.joined(separator: " ")] + arguments.dropFirst(query.count)
  }
}

struct DBUpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Move the embedded PostgreSQL's data to the newest major version that is installed.",
    discussion: """
      Both server versions must be installed. The data is dumped and restored; meanwhile no other command can \
      use it. The old database is kept until --remove-old removes it. Set SYNCCTL_PG_BINDIR to the folder of the \
      new server's programs to choose a version, or if it is not found automatically; OLD/bin:NEW/bin names two.

      Examples:
        syncctl db upgrade
        syncctl db upgrade --remove-old
      """)

  @Flag(name: .long, help: "Remove the databases that earlier upgrades have kept; upgrade nothing.")
  var removeOld = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    try await DBCommand.withCluster(common) { cluster in
      if removeOld {
        let removed = try await cluster.removeKept()
        if removed.isEmpty { streams.note("no old database is kept in \(cluster.location.folder)") }
        for folder in removed { try streams.print(line: "removed \(folder)") }
        return
      }
      let (upgrade, _) = try await Signals.stopping(
        onFirst: { streams.note("stopping: the old database is not changed …") }, { try await cluster.upgrade() })
      guard let upgrade else {
        return try streams.print(line: "nothing to do: no PostgreSQL newer than the data's version is installed")
      }
      try streams.print(line: "upgraded from PostgreSQL \(upgrade.from) to \(upgrade.to)")
      streams.note("the old database is kept in \(upgrade.kept); syncctl db upgrade --remove-old removes it")
      let folder = cluster.location.cluster
      streams.note("to go back to it: syncctl db stop, rename \(folder) to postgres.new, and that folder to postgres")
    }
  }
}
