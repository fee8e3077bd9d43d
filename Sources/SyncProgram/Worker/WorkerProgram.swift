import Logging
import ServiceLifecycle
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTelemetry
import SyncWeb
import UnixSignals

struct WorkerProgram: Sendable {
  let current: CurrentConfiguration
  let reload: @Sendable () throws -> Configuration
  let telemetry: Telemetry
  let listen: ListenAddress?
  let clock: SystemClock
  private let health: WorkerHealth
  private let identity = WorkerIdentity(version: Version.text)

  init(
    _ configuration: Configuration, listen: ListenAddress?, telemetry: Telemetry, clock: SystemClock,
    reload: @escaping @Sendable () throws -> Configuration
  ) {
    current = CurrentConfiguration(configuration)
    self.reload = reload
    self.telemetry = telemetry
    self.listen = listen
    self.clock = clock
    health = WorkerHealth(now: clock.now)
  }

  /// - Returns: The exit status of a signal; `nil` without a signal.
  /// - Throws: `SyncError` if a permission or the schema is missing, or the address is not available.
  func run() async throws -> Int32? {
    func part(
      _ service: any ServiceLifecycle.Service, endsGroup: Bool = false
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
      .init(
        service: service, successTerminationBehavior: endsGroup ? .gracefullyShutdownGroup : .ignore,
        failureTerminationBehavior: .gracefullyShutdownGroup)
    }
    var services = [part(Service(body: reloadOnHangup))]
    let pages = try listen.flatMap { (address) throws(SyncError) in try servedPages(at: address) }
    if let pages { services.append(part(pages)) }
    if let listen { services.append(part(listener(at: listen, pages))) }
    // The group stops services in reverse order, so the work stops first.
    services.append(part(Service(body: work), endsGroup: true))
    let silent = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: services, logger: silent))
    return try await Signals.stopping(
      within: Limits.stopDeadline,
      onFirst: { [log = telemetry.log] in
        log.notice("stopping: runs keep their checkpoints and are resumed by the next worker")
        Task { await group.triggerGracefulShutdown() }
      }, cancels: false, { try await group.run() }
    ).exitStatus
  }

  private struct Service: ServiceLifecycle.Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
      try await cancelWhenGracefulShutdown {
        do { try await body() } catch is CancellationError {}
      }
    }
  }

  private func work() async throws {
    announce()
    let watch = WorkerWatch(telemetry: telemetry, health: health)
    var pause = Limits.workerPause
    var isNews = true
    while true {
      do {
        return try await session(watch)
      } catch let error as SyncError where error.code == .database || error.code == .tryLater {
        watch.note(.databaseAway(error, pause: pause, isNews: isNews))
        try await clock.sleep(for: pause)
        pause = min(pause * 2, Limits.workerPauseCap)
        isNews = false
      }
    }
  }

  private func announce() {
    let jobs = current.value.jobs
    telemetry.begin(jobs)
    telemetry.log.notice(
      "syncctl \(Version.text) started, \(jobs.count == 1 ? "1 job" : "\(jobs.count) jobs")",
      metadata: ["jobs": .array(jobs.map { .string($0.name) })])
    if jobs.isEmpty { telemetry.log.warning("no jobs are configured; add them under jobs in the configuration file") }
  }

  private func session(_ watch: WorkerWatch) async throws {
    let configuration = current.value
    let log = telemetry.log
    try await Context(configuration: configuration).withMirror(
      said: { log.info("\($0)") },
      adjusting: { options in
        options.reconnectDeadline = min(options.reconnectDeadline, Limits.workerReconnectDeadline)
        options.statementTimeout = Limits.workerStatementTimeout
      }
    ) { database in
      let store = try PostgresJobStore(database, leaseTTL: configuration.runs.leaseTTL.value, worker: identity)
      let worker = Worker(
        store: store, runner: JobExecution(current: current, telemetry: telemetry, clock: clock), clock: clock,
        chance: { Double.random(in: 0..<1) }, table: { current.table }, observer: watch.note)

      // Only a new session restarts a stopped embedded server, so this session waits only briefly for the database.
      let longestOutage = configuration.database.value.isEmbedded ? Limits.longestWorkerOutage : nil

      try await database.withAnother(statementTimeout: Limits.statementTimeout) { figures in
        try await withThrowingTaskGroup { group in
          group.addTask { await sample(figures) }
          defer { group.cancelAll() }
          try await worker.work(longestOutage: longestOutage)
        }
      }
    }

    try Task.checkCancellation()
    throw SyncError(.database, "the database was unreachable for too long; a new session begins")
  }

  private func sample(_ database: Database) async {
    while !Task.isCancelled {
      if let figures = try? await MirrorFigures.read(database) { telemetry.show(figures, current.value) }
      try? await clock.sleep(for: .seconds(15))
    }
  }

  private func reloadOnHangup() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup) {
      let before = current.value
      do {
        let configuration = try reload().with(database: before.database)
        try configuration.expectFile(of: before)
        current.replace(by: configuration)
        telemetry.begin(configuration.jobs)
        telemetry.log.notice("configuration reloaded, \(configuration.jobs.count) jobs")
        telemetry.log.info(
          "changes to declared sources, database, telemetry and the lease of jobs apply at the next start")
      } catch {
        telemetry.log.error("the configuration was not reloaded: \(error)")
      }
    }
  }

  private func servedPages(at address: ListenAddress) throws(SyncError) -> WebProgram? {
    guard current.value.web.isEnabled.value else { return nil }
    return try WebProgram(
      at: address, showsPictures: true, usesToken: current.value.web.usesToken.value, clock: clock,
      notice: { [current] in
        current.watch.hasChanged
          ? "The configuration file has changed. The worker uses the configuration that it has read; send it SIGHUP."
          : nil
      },
      said: { [log = telemetry.log] in log.warning("\($0)") },
      configuration: { [current] in current.value })
  }

  private func listener(at address: ListenAddress, _ pages: WebProgram?) -> HealthListener {
    HealthListener(
      address: address, metrics: { telemetry.exposition() }, health: { health.isAlive }, readiness: { health.isReady },
      pages: pages?.answers,
      onListening: { [log = telemetry.log] address in
        // The log has the address without the token. `syncctl web --url` prints it with the token.
        _ = pages?.announce(at: address, forBrowser: false)
        log.info("metrics at http://\(address)/metrics\(pages.map { ", pages at \($0.url(at: address))" } ?? "")")
      })
  }
}

extension Configuration {
  /// Rejects an empty or missing file, because another program can be rewriting the file at this moment.
  fileprivate func expectFile(of before: Configuration) throws(SyncError) {
    guard let path = before.file?.value, isFileEmpty || file == nil else { return }
    throw SyncError(
      .configuration, "\(path) is \(isFileEmpty ? "empty" : "missing")",
      hint: "restore it and send SIGHUP again; to run without it, restart the worker")
  }
}
