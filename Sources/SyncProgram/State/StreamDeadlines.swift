import SyncCore
import SyncEngine
import SyncPostgres

/// The time when each stream becomes stale. A job's stream becomes stale if it is not complete within a grace period
/// after a scheduled time. A stream without a job, such as a search that a user ran once, is never stale.
struct StreamDeadlines: Sendable {
  struct Stream: Sendable {
    let name: StreamName
    let job: String?
    let stored: MirrorFigures.Stream?
    /// The time when the stream becomes stale, in seconds since 1970. Infinite if the stream has no job. `nil` if the
    /// stream was never complete and no worker has registered its job; the stream is then stale.
    let staleAt: Double?
    var jobError: String?
    var sourcePause: Double?

    /// The end of the service's pause, in seconds since 1970. A stream that is not in the database uses its source's
    /// pause.
    var pausedUntil: Double? { stored == nil ? sourcePause : stored?.pausedUntil }

    func isStale(at now: Double) -> Bool { staleAt.map { $0 < now } ?? true }

    static func precedes(_ one: Stream, _ other: Stream) -> Bool {
      (one.name.source, one.name.name) < (other.name.source, other.name.name)
    }
  }

  let streams: [Stream]
  let all: [Stream]

  init(_ configuration: Configuration, _ figures: MirrorFigures, failedIndexes: [MirrorFigures.Stream] = []) {
    let stored = Dictionary(
      figures.streams.map { (StreamName(source: $0.source, name: $0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    let storedJobs = Dictionary(figures.jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    let pauses = (figures.streams + failedIndexes).compactMap { stream in
      configuration.isOneOff(StreamName(source: stream.source, name: stream.name))
        ? nil : stream.pausedUntil.map { (stream.source, $0) }
    }
    let sourcePauses = Dictionary(pauses, uniquingKeysWith: max)

    var found: [StreamName: Stream] = [:]
    for job in configuration.jobs where !(storedJobs[job.name]?.isPaused ?? false) {
      let kept = stored.keys.filter { job.choice.includes($0, among: configuration.sources) }
      let unread = job.choice.unreadIndexes(among: configuration.sources, stored: kept)
      for name in Set(kept).union(job.choice.streams(among: configuration.sources)).union(unread) {
        let since = [stored[name]?.wholeAt, storedJobs[job.name]?.registeredAt].compactMap(\.self).max()
        let staleAt = since.flatMap { job.scheduled.staleAt(wholeAt: $0) }
        guard staleAt != nil || since == nil else { continue }
        if let other = found[name], other.staleAt ?? -.infinity <= staleAt ?? -.infinity { continue }
        // An index that was never read is listed only if the job's first run is late.
        if unread.contains(name), let staleAt, staleAt >= figures.now { continue }

        let index = failedIndexes.first { $0.source == name.source && $0.name == name.name }
        found[name] = Stream(
          name: name, job: job.name, stored: stored[name] ?? index, staleAt: staleAt,
          jobError: storedJobs[job.name]?.error, sourcePause: sourcePauses[name.source])
      }
    }

    streams = found.values.sorted(by: Stream.precedes)
    let others = stored.filter { found[$0.key] == nil }.map { name, stream in
      Stream(name: name, job: nil, stored: configuration.isOneOff(name) ? nil : stream, staleAt: .infinity)
    }
    all = (streams + others).sorted(by: Stream.precedes)
  }
}

extension Configuration {
  func isOneOff(_ stream: StreamName) -> Bool {
    sources.contains { $0.name == stream.source && !$0.keepsStream(stream.name) }
  }
}
