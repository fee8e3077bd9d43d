import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct HealthCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "health", abstract: "Probe whether the mirror is fresh, or a worker ready.",
      usage: "syncctl health [<options>]",
      discussion: """
        Exits with 0 if the streams of all jobs are fresh, 1 if not, 74 without a database. Each scheduled time of \
        a job sets a deadline for its streams to be complete again: a quarter of the time to the next one, at \
        least 15 minutes and at most a day. Paused jobs have no deadline.

        Streams without a job, for example if cron runs syncctl, are checked only if they are given: with \
        --stream, or all streams of a --source that have run. --max-age is then the limit, also for streams of \
        jobs. Searches and look-ups on the command line are never checked.

        A terminal shows only the streams that need attention, as in syncctl status; --all, a pipe and the other \
        formats show every stream.

        A stream that a guard stopped (held) stays fresh until its deadline, so it is only a warning; --strict exits \
        with 86 while a stream is held.

        --endpoint probes a worker instead: 0 if it is healthy, 1 if not.

        Examples:
          syncctl health
          syncctl health --source \(Registry.names.first ?? "NAME") --max-age 8d
          syncctl health --strict
          syncctl health --endpoint 127.0.0.1:9464
        """)
  }

  @Option(help: ArgumentHelp("Maximum age of a named stream, e.g. 90m or 8d (default: 26h).", valueName: "time"))
  var maxAge: String?

  @OptionGroup var choice: StreamFilterOptions

  @Option(help: ArgumentHelp("Probe a worker at this address; /readyz unless it has a path.", valueName: "address"))
  var endpoint: String?

  @Flag(help: "Exit with status 86 while a guard holds a stream.")
  var strict = false

  @Flag(help: "List fresh streams on a terminal, too.")
  var all = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if let endpoint { return try await ask(endpoint) }
    let configuration = try common.configuration()
    let filter = try choice.filter(configuration)
    let limit = try maxAge.map { (text) throws(SyncError) in try Self.limit(text) }
    let state = try await Context(configuration: configuration).withExistingMirror {
      try await MirrorState.read($0, configuration)
    }
    let now = state.figures.now
    let judged = try judge(state, filter, configuration, limit) + state.indexes.filter { filter.includes($0.name) }
    let standings = judged.map { StreamStanding($0, now: now) }
    let columns = [
      Column("source"), Column("stream"), Column("fresh"), Column("age_seconds", title: "age (s)"),
      Column("stale_at", title: "stale at"), Column("job"), Column("state"), Column("reason", fit: .wrapped),
    ]
    let rows = zip(judged, standings).map { stream, standing -> [Cell] in
      [
        .text(stream.name.source), .text(stream.name.name), .bool(!stream.isStale(at: now)),
        stream.stored?.wholeAt.map { .int(Duration(clamping: now - $0).components.seconds) } ?? .null,
        stream.staleAt.flatMap { $0 == .infinity ? nil : JobTime.cell(Duration(clamping: $0).components.seconds) }
          ?? .null,
        stream.job.map { .text($0) } ?? .null, .text(standing.condition.rawValue),
        standing.reason.map { .text($0) } ?? .null,
      ]
    }
    if state.isEmpty, output.shape == .table, !all { throw state.emptiness }
    let listing = Listing(columns: columns, rows: rows).laidOut(hiding: ["reason"])
    let problems = StreamStanding.attention(standings)
    let hasWorker = state.workerAbsence == nil
    // `hasJobs` is always true, because a stream that the user names can be late without a job.
    let verdict = StreamStanding.summary(standings, hasJobs: true, hasWorker: hasWorker)
    let style: TextStyle = problems.isEmpty ? hasWorker ? .green : .yellow : .bold
    let short = listing.summarized(inPipes: false) {
      [StyledLine(verdict, style)] + AttentionLine.lines(problems, width: $0)
    }
    try StandardStreams().printUnlessClosed(all ? listing : short, output)
    if let absence = state.workerAbsence { StandardStreams().warn("\(absence); syncctl worker starts one") }
    let held = standings.filter { $0.condition == .held }
    for standing in held {
      StandardStreams().warn("\(standing.line.subject) is held by a guard; syncctl status shows what to do")
    }
    if strict, !held.isEmpty { throw ExitStatus(value: SyncError.Code.guarded.exitStatus) }
    let stale = judged.count { $0.isStale(at: now) }
    guard stale > 0 else { return }
    StandardStreams().warn(
      "\(stale) of \(judged.count) streams \(stale == 1 ? "is" : "are") stale; syncctl runs shows how their last runs ended"
    )
    throw ExitStatus(value: 1)
  }

  private static func limit(_ text: String) throws(SyncError) -> Duration {
    guard let limit = Duration(configured: text) else {
      throw SyncError(
        .usage, "--max-age \(Excerpt.of(text, scalars: 40)) is not a time", hint: "give one such as 90m, 26h or 8d")
    }
    return limit
  }

  private func judge(
    _ state: MirrorState, _ filter: StreamFilter, _ configuration: Configuration, _ limit: Duration?
  ) throws(SyncError) -> [StreamDeadlines.Stream] {
    var judged = state.deadlines.streams.filter { filter.includes($0.name) }
    if filter.isNamed {
      let age = (limit ?? .seconds(26 * 3600)) / .seconds(1)
      let aged = state.figures.streams.map { stream in
        StreamDeadlines.Stream(
          name: StreamName(source: stream.source, name: stream.name), job: nil, stored: stream,
          staleAt: stream.wholeAt.map { $0 + age })
      }.filter { filter.includes($0.name) && !configuration.isOneOff($0.name) }
      let others = aged.filter { one in limit != nil || !judged.contains { $0.name == one.name } }
      judged = judged.filter { one in !others.contains { $0.name == one.name } } + others
    }
    for name in filter.names where !judged.contains(where: { $0.name.name == name }) {
      guard let known = state.figures.streams.first(where: { $0.name == name }) else {
        throw filter.neverRun(name)
      }
      throw SyncError(
        .usage, "the stream \(Excerpt.of(name, scalars: 60)) was fetched once and is not kept fresh",
        hint: "configure it (sources.\(known.source)) and a job that runs it")
    }
    if judged.isEmpty {
      let asked = state.figures.streams.filter { filter.includes(StreamName(source: $0.source, name: $0.name)) }
      if asked.isEmpty {
        throw SyncError(.missing, "nothing has been mirrored yet", hint: "syncctl run fills the mirror")
      }
      if filter.isNamed {
        let keys = Set(asked.map { "sources.\($0.source)" }).sorted().joined(separator: ", ")
        throw SyncError(
          .usage, "everything in the mirror was fetched once and is not kept fresh",
          hint: "configure what to keep fresh (\(keys)) and a job that runs it")
      }
      if configuration.jobs.isEmpty {
        throw SyncError(
          .configuration, "no job is configured, so no stream has a deadline",
          hint: "give --source NAME or --stream NAME, with --max-age; or configure jobs")
      }
      StandardStreams().note("all jobs are paused, so no stream has a deadline")
    }
    return judged.sorted(by: StreamDeadlines.Stream.precedes)
  }

  private func ask(_ endpoint: String) async throws {
    let given = endpoint.trimmingCharacters(in: .whitespacesAndNewlines)
    let address = given.contains("://") ? given : "http://\(given)"
    guard var url = try? Origin.checked(Setting(address, .flag("--endpoint")), "--endpoint", example: "") else {
      throw SyncError(
        .usage, "--endpoint \(Excerpt.of(endpoint, scalars: 60)) is not an address",
        hint: "give one such as 127.0.0.1:9464; \(WebAddress.hint)")
    }
    if WebAddress(url)?.parts.path.isEmpty == true { url += "/readyz" }
    do {
      let response = try await Inquiry.response(to: UpstreamRequest(url: url), within: .seconds(5))
      let said = Excerpt.of(response.body, scalars: 200)
      guard response.status == 200 else {
        throw SyncError(.missing, "\(url) answered \(response.status): \(said)", hint: "see the worker's log")
      }
      StandardStreams().note(said.trimmingCharacters(in: .whitespaces))
    } catch let error as SyncError where error.code == .upstream {
      throw SyncError(.missing, "no worker answers at \(url)", hint: "check that it runs, with --listen")
    }
  }
}
