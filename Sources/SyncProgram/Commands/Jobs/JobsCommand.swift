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
      """,
    subcommands: [List.self, Pause.self, Resume.self, Trigger.self], defaultSubcommand: List.self)

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the jobs with their next time and their latest run.",
      discussion: """
        A configured job that no worker has registered yet is listed as new. A job that only other workers \
        have configured has no next time here.

        Example:
          syncctl jobs list --format json
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    func listing() async throws -> Listing {
      let configuration = try common.configuration()
      let stored = try await Context(configuration: configuration).withExistingMirror(
        hint: "syncctl worker makes it"
      ) { try await Jobs.list($0) }
      return Self.listing(stored, configuration.jobs).laidOut(
        hiding: [
          "streams", "time_zone", "open_nominal_at", "due_at", "attempts", "worker", "last_nominal_at", "last_seconds",
          "last_error", "paused_at", "scheduled_until",
        ], leaving: ["source"], ["last_ended_at"], ["schedule"])
    }

    private static func listing(_ stored: RowSet, _ jobs: [ConfiguredJob]) -> Listing {
      let now = Int64(Date().timeIntervalSince1970)
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
        rows, emptyMessage: "No jobs are configured: name them in the file, under jobs.", cut: ["streams"])
      // The configuration alone has the rules of a schedule.
      let next = rows.namedRows.map { row -> Cell in
        guard let job = jobs.first(where: { $0.name == row["job"] })?.scheduled, row["state"] != "paused",
          let time = job.schedule.next(after: now, in: job.zone)
        else { return .null }
        return JobTime.cell(time)
      }
      return listing.with(Column("next_at", title: "next"), next, after: "state")
    }
  }

  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pause a job: its next times are skipped, and a running one continues.",
      discussion: """
        Example:
          syncctl jobs pause daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let isNews = try await job.withMirror { try await Jobs.pause(job.name, in: $0) }
      StandardStreams().note("\(job.name): \(isNews ? "paused" : "was paused already")")
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Resume a paused job at its next time; missed times are not run.",
      discussion: """
        Example:
          syncctl jobs resume daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let isNews = try await job.withMirror { try await Jobs.resume(job.name, in: $0) }
      StandardStreams().note("\(job.name): \(isNews ? "resumed" : "was not paused")")
    }
  }

  struct Trigger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a job now, whatever its schedule says.",
      discussion: """
        A free worker starts it within two seconds; without a worker, syncctl worker --once does.

        Example:
          syncctl jobs trigger daily
        """)

    @OptionGroup var job: JobOption

    func run() async throws {
      let time = try await job.withMirror { database in
        if let configured = try job.common.configuration().jobs.first(where: { $0.name == job.name }) {
          // No worker may have met it yet.
          try await PostgresJobStore(database, leaseTTL: Limits.leaseTTL).register(
            [configured.scheduled.description], replacing: false)
        }
        return try await Jobs.trigger(job.name, in: database)
      }
      let answer = time.map { "will be run for \($0)" } ?? "was triggered already, and waits for a worker"
      StandardStreams().note("\(job.name): \(answer)")
    }
  }

  struct JobOption: ParsableArguments {
    @Argument(help: "Name of the job.", completion: Completion.jobs)
    var name: String

    @OptionGroup var common: CommonOptions

    func withMirror<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
      try await common.context().withExistingMirror(
        .edit, writing: { StandardStreams().note($0) }, hint: "syncctl worker makes it", body)
    }
  }
}
