import SyncCore
import SyncEngine
import SyncPostgres

/// A stream as the mirror names it.
struct StreamName: Hashable, Sendable {
  let source: String
  let name: String
}

/// What the jobs of a configuration promise of the mirror: their streams are whole again some time after each time of
/// the schedule. Of all others, searches and look-ups that somebody once fetched among them, nothing is promised.
struct Promises: Sendable {
  struct Stream: Sendable {
    let name: StreamName
    /// The job that has it stale first.
    let job: String
    /// Seconds since 1970; nil if it was never whole.
    let wholeAt: Double?
    /// Seconds since 1970.
    let staleAt: Double
  }

  let streams: [Stream]

  /// - Parameter figures: what there is. A job that no worker has met yet is held to its word all the same.
  init(_ configuration: Configuration, _ figures: MirrorFigures) {
    let whole = Dictionary(
      figures.streams.map { (StreamName(source: $0.source, name: $0.name), $0.wholeAt) },
      uniquingKeysWith: { first, _ in first })
    let known = Dictionary(figures.jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [StreamName: Stream] = [:]
    for job in configuration.jobs where !(known[job.name]?.isPaused ?? false) {
      let kept = whole.keys.filter { job.choice.includes($0, among: configuration.sources) }
      for name in Set(kept).union(job.choice.streams(among: configuration.sources)) {
        let wholeAt = whole[name] ?? nil
        // A job that is younger than the stream has promised nothing before.
        let since = max(wholeAt ?? 0, known[job.name]?.registeredAt ?? 0)
        guard let staleAt = job.scheduled.staleAt(wholeAt: since), staleAt < found[name]?.staleAt ?? .infinity
        else { continue }
        found[name] = Stream(name: name, job: job.name, wholeAt: wholeAt, staleAt: staleAt)
      }
    }
    streams = found.values.sorted { ($0.name.source, $0.name.name) < ($1.name.source, $1.name.name) }
  }
}
