import ArgumentParser
import Foundation
import Logging
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTelemetry

struct LogOptions: ParsableArguments {
  @Option(help: "Write a log to standard error: text for people, json for machines.")
  var logFormat: LineLogHandler.Format?

  func format(_ configuration: TelemetryConfiguration) -> LineLogHandler.Format? {
    logFormat ?? configuration.logFormat.value
  }
}

extension LineLogHandler.Format: ExpressibleByArgument {}

struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run the configured jobs when they are due, until a signal arrives.",
    usage: "syncctl worker [<options>]",
    discussion: """
      Any number of workers, on any number of machines, can share a database: each scheduled run is started by \
      only one worker. A run that a worker leaves unfinished is resumed by another worker.

      A job's schedule is five cron fields (minute, hour, day of month, month, day of week; with names, lists, \
      ranges and steps), @hourly, @daily, @weekly, @monthly or @yearly, or a period such as every 30s, 15m, 6h or \
      1d. Times are UTC unless the job has a time_zone.

      SIGTERM and SIGINT stop the worker within ten seconds and keep checkpoints. SIGHUP reloads the configuration.

      --once runs the due jobs and exits, for cron and timers. A new job is due at its next time; syncctl jobs \
      trigger runs it now.

      Examples:
        syncctl worker --list
        syncctl worker --listen 127.0.0.1:9464 --log-format json
        syncctl worker --once
      """, aliases: ["schedule"])

  @Flag(help: "Run the due jobs, then exit.")
  var once = false

  @Flag(help: "List the jobs with their next three times, then exit.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Serve /metrics, /healthz and /readyz at this address, e.g. 127.0.0.1:9464.", valueName: "address"))
  var listen: String?

  @Option(help: ArgumentHelp("With --once: write the metrics to this file, for node_exporter.", valueName: "file"))
  var metricsFile: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if once && list { throw SyncError(.usage, "--once and --list cannot be combined", hint: "give one of them") }
    let configuration = try common.configuration()
    if list { return try StandardStreams().print(Self.listing(configuration), output) }
    // SIGHUP is ignored until the worker can handle it, because the signal would end the worker.
    signal(SIGHUP, SIG_IGN)
    let clock = SystemClock()
    let telemetry = Telemetry(
      configuration.telemetry, format: log.format(configuration.telemetry) ?? .text, clock: clock)
    do {
      let status =
        once ? try await runOnce(configuration, telemetry, clock) : try await work(configuration, telemetry, clock)
      if status != 0 { throw ExitStatus(value: status) }
    } catch let error as SyncError {
      telemetry.log.critical("\(error)")
      throw ExitStatus(value: error.code.exitStatus)
    }
  }

  private func work(
    _ configuration: Configuration, _ telemetry: Telemetry, _ clock: SystemClock
  ) async throws -> Int32 {
    if metricsFile != nil {
      throw SyncError(.usage, "--metrics-file requires --once", hint: "a worker serves its metrics with --listen")
    }
    let address = try listen.map { (text) throws(SyncError) in try ListenAddress(text) }
    let program = WorkerProgram(
      configuration, listen: address ?? configuration.telemetry.listen.value, telemetry: telemetry, clock: clock,
      reload: { [common] in try common.configuration() })
    return try await program.run() ?? 0
  }

  private func runOnce(
    _ configuration: Configuration, _ telemetry: Telemetry, _ clock: SystemClock
  ) async throws -> Int32 {
    guard !configuration.jobs.isEmpty else {
      throw SyncError(.configuration, "no jobs are configured", hint: "add them under jobs in the configuration file")
    }
    let current = CurrentConfiguration(configuration)
    let file = try MetricsFile(path: metricsFile, configuration.telemetry)
    let (tried, signal) = try await Signals.stopping(
      within: Limits.stopDeadline, onFirst: { telemetry.log.notice("stopping: checkpoints are kept") }
    ) {
      try await Context(configuration: configuration).withMirror(said: { telemetry.log.info("\($0)") }) { database in
        let worker = Worker(
          store: try PostgresJobStore(database, leaseTTL: configuration.runs.leaseTTL.value),
          runner: JobExecution(current: current, telemetry: telemetry, clock: clock), clock: clock,
          chance: { Double.random(in: 0..<1) }, table: { current.table },
          observer: WorkerWatch(telemetry: telemetry, health: WorkerHealth(now: clock.now)).note)
        let tried = try await worker.workOnce()
        try await file?.write(telemetry, configuration, database)
        return tried
      }
    }
    if tried.isEmpty, signal == nil { telemetry.log.info("nothing is due") }
    return signal ?? tried.lazy.map(\.exitStatus).first { $0 != 0 } ?? 0
  }

  static func listing(_ configuration: Configuration) -> Listing {
    let now = Int64(Date().timeIntervalSince1970)
    let rows = configuration.jobs.map { job -> [Cell] in
      let scheduled = job.scheduled
      var times: [Int64] = []
      while times.count < 3, let next = scheduled.schedule.next(after: times.last ?? now, in: scheduled.zone) {
        times.append(next)
      }
      return [
        .text(job.name), .text(scheduled.description.source),
        .text(scheduled.description.streams.joined(separator: " ")), .text(scheduled.description.schedule),
        .text(scheduled.description.timeZone),
      ] + (0..<3).map { $0 < times.count ? JobTime.cell(times[$0]) : .null }
        + [times.first.map { .text(JobTime.text($0, in: scheduled.zone)) } ?? .null]
    }
    return Listing(
      columns: [
        Column("job"), Column("source"), Column("streams", fit: .text), Column("schedule"),
        Column("time_zone", title: "time zone"), Column("next", isExact: true), Column("second", isExact: true),
        Column("third", isExact: true), Column("next_local", title: "next, there"),
      ], rows: rows, emptyMessage: "No jobs are configured; add them under jobs in the configuration file."
    ).laidOut(leaving: ["third"], ["second"], ["next_local"], ["time_zone"], ["source"], ["streams"])
  }
}

enum JobTime {
  static func cell(_ instant: Int64) -> Cell { .time(text(instant, in: UTCRules())) }

  static func text(_ instant: Int64, in zone: any ZoneRules) -> String {
    let offset = zone.offset(at: instant)
    let local = LogTimestamp.text(Date(timeIntervalSince1970: TimeInterval(instant + Int64(offset)))).prefix(19)
    guard offset != 0 else { return local + "Z" }
    let minutes = abs(offset) / 60
    let parts = [minutes / 60, minutes % 60].map { HumanFormat.twoDigits($0) }
    return "\(local)\(offset < 0 ? "-" : "+")\(parts.joined(separator: ":"))"
  }
}

extension Worker.AttemptedRun {
  fileprivate var exitStatus: Int32 {
    switch disposition {
    case .end(let ending): Int32(ending.exitStatus)
    case .release: SyncError.Code.tryLater.exitStatus
    }
  }
}
