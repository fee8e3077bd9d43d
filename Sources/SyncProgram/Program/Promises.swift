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
    /// Seconds since 1970; nil for one that was never whole, of a job that no worker has met: it is stale already.
    let staleAt: Double?
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
        let since = [wholeAt, known[job.name]?.registeredAt].compactMap(\.self).max()
        let staleAt = since.flatMap { job.scheduled.staleAt(wholeAt: $0) }
        // A job that never runs again promises nothing.
        guard staleAt != nil || since == nil else { continue }
        if let other = found[name], other.staleAt ?? -.infinity <= staleAt ?? -.infinity { continue }
        found[name] = Stream(name: name, job: job.name, wholeAt: wholeAt, staleAt: staleAt)
      }
    }
    streams = found.values.sorted { ($0.name.source, $0.name.name) < ($1.name.source, $1.name.name) }
  }
}
