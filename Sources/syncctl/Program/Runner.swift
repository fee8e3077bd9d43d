import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncSources

/// Puts the parts of a run together: database, transport, limits, one stream after the other.
struct Runner: Sendable {
  let configuration: Configuration
  let lists: [JikanTopList]
  let maxPages: Int?
  let isFull: Bool
  let adoptsOrigin: Bool
  let streams: StandardStreams
  let progress: ProgressReporter
  let clock: SystemClock

  /// - Returns: the runs that were opened, in order; a stream that stops the whole run is the last one.
  func run() async throws -> [RunReport] {
    let jikan = configuration.jikan
    streams.note(announcement(jikan))
    return try await Context(configuration: configuration).withMirror(said: { streams.note($0) }) { database in
      try await HTTPTransport.with(userAgent: Version.userAgent) { transport in
        let fetcher = Fetcher(
          transport: transport, limiter: RateLimiter(windows: jikan.rateLimits.value, clock: clock), clock: clock,
          chance: { Double.random(in: 0..<1) })
        let store = PostgresWalkStore(database, adoptsOrigin: adoptsOrigin)
        return try await runAll(fetcher, store)
      }
    }
  }

  private func runAll(_ fetcher: Fetcher, _ store: PostgresWalkStore) async throws -> [RunReport] {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    options.isFull = isFull
    var reports: [RunReport] = []
    for list in lists where !Task.isCancelled {
      let stream = JikanTopStream(
        list: list, provider: configuration.jikan.provider.value, baseURL: configuration.jikan.baseURL.value)
      let report = try await StreamRun(
        stream: stream, fetcher: fetcher, store: store, clock: clock,
        observer: { event in ProgressEvent(event).map(progress.report) }
      ).run(options)
      reports.append(report)
      if report.error?.disposition == .stopRun { break }
    }
    return reports
  }

  private func announcement(_ jikan: JikanConfiguration) -> String {
    let limits = jikan.rateLimits.value.map(\.description).joined(separator: ", ")
    return "jikan: \(jikan.provider.value.rawValue) at \(jikan.baseURL.value), "
      + (limits.isEmpty ? "no rate limit (loopback)" : "at most \(limits)")
  }
}

extension ProgressEvent {
  fileprivate init?(_ event: RunEvent) {
    switch event {
    case .opened(let stream, let pages):
      self.init(stream: stream.name, kind: .started(page: pages, rows: 0))
    case .page(let stream, let number, let advertised, let counters):
      self.init(
        stream: stream.name,
        kind: .pageDone(page: number, lastPage: advertised, rows: counters.rowsSeen))
    case .retrying(let stream, let error, let delay):
      self.init(stream: stream.name, kind: .waiting(duration: delay, reason: error.message))
    case .finished(let report):
      self.init(stream: report.stream.name, kind: .finished(status: report.status.rawValue))
    }
  }
}
