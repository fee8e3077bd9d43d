import ArgumentParser
import Foundation
import SyncCore
import SyncHTTP
import SyncPostgres

struct HealthCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "health", abstract: "Say whether the mirror is fresh, or a worker ready: a probe.",
      usage: "syncctl health [<options>]",
      discussion: """
        Exits with 0 if everything promised is fresh, 1 if not, 74 without a database. Each configured job is \
        a promise: its streams are complete again some time after each scheduled time (a quarter of the time \
        to the next one, from 15 minutes to a day). Paused jobs promise nothing.

        Streams without a job, for example where cron runs syncctl, are judged only if they are named: with \
        --stream, or, with --source, all streams that were run of that source. --max-age is then the limit, \
        also for streams of jobs. Searches and lookups of the command line are never judged.

        With --endpoint it probes a worker instead: 0 if it is healthy, 1 if not.

        Examples:
          syncctl health
          syncctl health --source \(Registry.names.first ?? "NAME") --max-age 8d
          syncctl health --endpoint 127.0.0.1:9464
        """)
  }

  @Option(help: ArgumentHelp("How old a named stream may be, e.g. 90m, 26h (the default), 8d.", valueName: "time"))
  var maxAge: String?

  @Option(help: "Only the streams of this source.", completion: .list(Registry.names))
  var source: String?

  @Option(
    help: ArgumentHelp("Only this stream; may be given several times.", valueName: "name"),
    completion: Completion.streams)
  var stream: [String] = []

  @Option(help: ArgumentHelp("Probe a worker at this address; /readyz unless it has a path.", valueName: "address"))
  var endpoint: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if let endpoint { return try await ask(endpoint) }
    if let source { _ = try Registry.source(source) }
    let configuration = try common.configuration()
    let limit = try maxAge.map { (text) throws(SyncError) in try Self.limit(text) }
    let figures = try await Context(configuration: configuration).withExistingMirror {
      try await MirrorFigures.read($0)
    }
    let verdicts = try judge(figures, Promises(configuration, figures).streams, configuration, limit)
    let columns = [
      Column("source"), Column("stream"), Column("fresh"), Column("age_seconds", title: "age (s)"),
      Column("stale_at", title: "stale at"), Column("job"),
    ]
    let rows = verdicts.map { verdict -> [Cell] in
      [
        .text(verdict.name.source), .text(verdict.name.name), .bool(!verdict.isStale(at: figures.now)),
        verdict.wholeAt.map { .int(Duration(clamping: figures.now - $0).components.seconds) } ?? .null,
        verdict.staleAt.map { JobTime.cell(Duration(clamping: $0).components.seconds) } ?? .null,
        verdict.job.map { .text($0) } ?? .null,
      ]
    }
    try StandardStreams().printUnlessClosed(Listing(columns: columns, rows: rows), output)
    let stale = verdicts.count { $0.isStale(at: figures.now) }
    guard stale > 0 else { return }
    StandardStreams().warn(
      "\(stale) of \(verdicts.count) streams are stale; syncctl runs shows how their last runs ended")
    throw ExitStatus(value: 1)
  }

  private struct Verdict {
    let name: StreamName
    let wholeAt: Double?
    /// Nil for one that was never whole.
    let staleAt: Double?
    let job: String?

    func isStale(at now: Double) -> Bool { staleAt.map { $0 < now } ?? true }
  }

  private static func limit(_ text: String) throws(SyncError) -> Duration {
    guard let limit = Duration(configured: text) else {
      throw SyncError(
        .usage, "--max-age \(Excerpt.of(text, scalars: 40)) is not a time", hint: "give one such as 90m, 26h or 8d")
    }
    return limit
  }

  /// - Parameter limit: of named streams; nil for what was promised of them, or 26 hours.
  private func judge(
    _ figures: MirrorFigures, _ promised: [Promises.Stream], _ configuration: Configuration, _ limit: Duration?
  ) throws(SyncError) -> [Verdict] {
    let isNamed = source != nil || !stream.isEmpty
    let names = Self.names(stream, configuration.sources.filter { source == nil || type(of: $0).name == source })
    func isAsked(_ name: StreamName) -> Bool {
      (source.map { $0 == name.source } ?? true) && (names.isEmpty || names.contains(name.name))
    }
    var verdicts = promised.filter { isAsked($0.name) }.map { promise in
      Verdict(name: promise.name, wholeAt: promise.wholeAt, staleAt: promise.staleAt, job: promise.job)
    }
    if isNamed {
      let age = (limit ?? .seconds(26 * 3600)) / .seconds(1)
      let named = figures.streams.map { ($0.wholeAt, StreamName(source: $0.source, name: $0.name)) }
        .filter { isAsked($0.1) && !Self.isOneOff($0.1, configuration.sources) }
      let aged = named.map { Verdict(name: $0.1, wholeAt: $0.0, staleAt: $0.0.map { $0 + age }, job: nil) }
      let others = aged.filter { one in limit != nil || !verdicts.contains { $0.name == one.name } }
      verdicts = verdicts.filter { one in !others.contains { $0.name == one.name } } + others
    }
    for name in names where !verdicts.contains(where: { $0.name.name == name }) {
      let shown = Excerpt.of(name, scalars: 60)
      guard let known = figures.streams.first(where: { $0.name == name }) else {
        throw SyncError(.missing, "the stream \(shown) was never run", hint: "syncctl status lists the streams")
      }
      throw SyncError(
        .usage, "the stream \(shown) was fetched once and is not kept",
        hint: "configure it (sources.\(known.source)) and a job that runs it")
    }
    if verdicts.isEmpty {
      let asked = figures.streams.filter { isAsked(StreamName(source: $0.source, name: $0.name)) }
      if asked.isEmpty {
        throw SyncError(.missing, "nothing has been mirrored yet", hint: "syncctl run fills the mirror")
      }
      if isNamed {
        let keys = Set(asked.map { "sources.\($0.source)" }).sorted().joined(separator: ", ")
        throw SyncError(
          .usage, "all that is there was fetched once and is not kept",
          hint: "configure what is to be kept (\(keys)) and a job that runs it")
      }
      if configuration.jobs.isEmpty {
        throw SyncError(
          .configuration, "no job is configured, so nothing is promised",
          hint: "name what is to be fresh: --source NAME or --stream NAME, with --max-age; or configure jobs")
      }
      StandardStreams().note("all jobs are paused, and promise nothing")
    }
    return verdicts.sorted { ($0.name.source, $0.name.name) < ($1.name.source, $1.name.name) }
  }

  /// The streams that the words stand for. The mirror may have one that no source knows any more.
  private static func names(_ words: [String], _ sources: [any Source]) -> [String] {
    words.flatMap { word in
      sources.first { $0.knowsStream(word) }.flatMap { try? $0.streamNames(word) } ?? [word]
    }.distinct()
  }

  private static func isOneOff(_ stream: StreamName, _ sources: [any Source]) -> Bool {
    sources.contains { type(of: $0).name == stream.source && !$0.keepsStream(stream.name) }
  }

  private func ask(_ endpoint: String) async throws {
    let given = endpoint.trimmingCharacters(in: .whitespacesAndNewlines)
    let address = given.contains("://") ? given : "http://\(given)"
    guard var url = try? Origin.checked(Setting(address, .flag("--endpoint")), "--endpoint", example: "") else {
      throw SyncError(
        .usage, "--endpoint \(Excerpt.of(endpoint, scalars: 60)) is no address",
        hint: "give one such as 127.0.0.1:9464; \(WebAddress.hint)")
    }
    if WebAddress(url)?.parts.path.isEmpty == true { url += "/readyz" }
    do {
      let response = try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(5)) {
        try await $0.fetch(UpstreamRequest(url: url))
      }
      let said = Excerpt.of(response.body, scalars: 200)
      guard response.status == 200 else {
        throw SyncError(.missing, "\(url) answered \(response.status): \(said)", hint: "look at the worker's log")
      }
      StandardStreams().note(said.trimmingCharacters(in: .whitespaces))
    } catch let error as SyncError where error.code == .upstream {
      throw SyncError(.missing, "no worker answers at \(url)", hint: "look whether it runs, and with --listen")
    }
  }
}
