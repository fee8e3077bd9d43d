import ArgumentParser
import Foundation
import SyncCore
import SyncEngine
import SyncPostgres

struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List the jobs that workers run; pause, resume and trigger them.",
    discussion: """
      Examples:
        syncctl jobs list
        syncctl jobs pause daily
        syncctl jobs resume daily
        syncctl jobs trigger daily
      """, subcommands: [List.self, Pause.self, Resume.self, Trigger.self], defaultSubcommand: List.self)

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the jobs with their next time and their latest run.",
      discussion: """
        A configured job that no worker has registered yet is listed as new. A job that only other workers \
        have in their configuration has no next time here. A job is late if it was due more than a minute ago.

        Example:
          syncctl jobs list --format json
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    func listing() async throws -> Listing {
      let configuration = try common.configuration()
      let (stored, now, absence) = try await Context(configuration: configuration).withExistingMirror(
        hint: "syncctl worker creates it"
      ) { database in
        (
          try await Jobs.list(database), try await Jobs.now(in: database),
          try await Workers.absence(in: database, hasJobs: !configuration.jobs.isEmpty)
        )
      }
      if let absence { StandardStreams().warn("\(absence.sentence); syncctl worker starts one") }
      return Self.listing(stored, configuration.jobs, at: now)
    }

    /// - Parameter now: The database's time in seconds since 1970.
    static func listing(_ stored: RowSet, _ jobs: [ConfiguredJob], at now: Int64) -> Listing {
      cells(stored, jobs, at: now).laidOut(
        hiding: [
          "streams", "time_zone", "open_nominal_at", "due_at", "attempts", "worker", "last_nominal_at", "last_seconds",
          "last_error", "paused_at", "scheduled_until", "late_seconds", "held",
        ], ifEmpty: ["error", "run_id"], below: "error", leaving: ["source"], ["last_ended_at"], ["schedule"])
    }

    private static func cells(_ stored: RowSet, _ jobs: [ConfiguredJob], at now: Int64) -> Listing {
      let known = Set(stored.namedRows.compactMap { $0["job"] })
      let new = jobs.filter { !known.contains($0.name) }.map { job -> [String?] in
        let description = job.scheduled.description
        let streams = try? JSONEncoder().encode(description.streams)
        let own = [
          "job": job.name, "source": description.source, "schedule": description.schedule,
          "time_zone": description.timeZone, "state": "new",
          "streams": streams.map { String(decoding: $0, as: UTF8.self) } ?? "[]",
        ]
        return stored.columns.map { own[$0.name] }
      }
      let rows = RowSet(columns: stored.columns, rows: stored.rows + new)
      let listing = Listing(
        rows, emptyMessage: "No jobs are configured; add them under jobs in the configuration file.", cut: ["streams"])
      let listed = rows.namedRows.map { row in (row: row, job: jobs.first { $0.name == row["job"] }?.scheduled) }
      let next = listed.map { row, job -> Cell in
        guard let job, row["state"] != "paused", let time = job.schedule.next(after: now, in: job.zone) else {
          return .null
        }
        return JobTime.cell(time)
      }
      let late = listed.map { row, job in lateness(of: row, job, at: now).map { Cell.int($0) } ?? .null }
      return listing.with(Column("next_at", title: "next"), next, after: "state")
        .with(Column("late_seconds"), late, after: "run_id")
        .inTables { $0.shortening("run_id").showingLateness }
    }

    /// Returns the seconds since the job was due; `nil` if the job is running, paused, or less than a minute late.
    /// Without a worker, `due_at` is empty, so the due time is computed from the schedule.
    private static func lateness(of row: NamedRow, _ job: ScheduledJob?, at now: Int64) -> Int64? {
      guard ["idle", "waiting"].contains(row["state"]) else { return nil }
      let isOurs = job?.description.schedule == row["schedule"] && job?.description.timeZone == row["time_zone"]
      let missed = row["scheduled_until"].flatMap(Timestamp.seconds).flatMap { seen in
        isOurs ? job.flatMap { $0.schedule.next(after: seen, in: $0.zone) } : nil
      }
      let due = [row["due_at"].flatMap(Timestamp.seconds), missed].compactMap(\.self).min()
      return due.map { now - $0 }.flatMap { $0 >= Limits.jobLateness.components.seconds ? $0 : nil }
    }
  }

  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pause a job: scheduled runs are skipped, a running one continues.",
      discussion: """
        Example:
          syncctl jobs pause daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let isNews = try await job.withMirror { database, _ in try await Jobs.pause(job.name, in: database) }
      StandardStreams().note("\(job.name): \(isNews ? "paused" : "was already paused")")
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Resume a paused job at its next time; missed runs are not made up.",
      discussion: """
        Example:
          syncctl jobs resume daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let isNews = try await job.withMirror { database, _ in try await Jobs.resume(job.name, in: database) }
      StandardStreams().note("\(job.name): \(isNews ? "resumed" : "was not paused")")
    }
  }

  struct Trigger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a job now, regardless of its schedule.",
      discussion: """
        A free worker starts it within two seconds; without a worker, syncctl worker --once does.

        Example:
          syncctl jobs trigger daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let time = try await job.withMirror { database, configuration in
        try await Self.trigger(job.name, configuration, in: database)
      }
      let answer = time.map { "will be run for \($0)" } ?? "has already been triggered and waits for a worker"
      StandardStreams().note("\(job.name): \(answer)")
    }

    /// Queues a run of a job, and registers a configured job that no worker has registered yet.
    /// - Returns: The run's nominal time; `nil` if a triggered run already waits.
    /// - Throws: `SyncError` `.missing` if the job is neither registered nor configured.
    static func trigger(
      _ name: String, _ configuration: Configuration, in database: Database
    ) async throws -> String? {
      if let configured = configuration.jobs.first(where: { $0.name == name }) {
        try await PostgresJobStore(database, leaseTTL: Limits.leaseTTL).register(
          [configured.scheduled.description], replacing: false)
      }
      return try await Jobs.trigger(name, in: database)
    }
  }

  struct JobOption: ParsableArguments {
    @Argument(help: "Name of the job.", completion: Completion.jobs)
    var name: String

    @OptionGroup var common: CommonOptions

    func withMirror<R: Sendable>(_ body: (Database, Configuration) async throws -> R) async throws -> R {
      let configuration = try common.configuration()
      return try await Context(configuration: configuration).withExistingMirror(
        .edit, hint: "syncctl worker creates it"
      ) { try await body($0, configuration) }
    }
  }
}

extension WorkerAbsence {
  var sentence: String {
    guard let since else { return "no worker has ever run" }
    let times = [since, now].map { Date(timeIntervalSince1970: $0) }
    return "no worker since \(HumanFormat.clock(times[0], now: times[1]))"
  }
}

extension Listing {
  /// Shows in words that a job is late, or that a guard stopped its last run.
  fileprivate var showingLateness: Listing {
    mapping("state", beside: "late_seconds") { state, late in
      if case .int(let seconds) = late { .text("late \(HumanFormat.span(seconds))") } else { state }
    }.mapping("last_outcome", beside: "held") { outcome, held in held == .bool(true) ? .text("held") : outcome }
  }
}
