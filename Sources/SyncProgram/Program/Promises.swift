import SyncCore
import SyncEngine
import SyncPostgres

struct StreamName: Hashable, Sendable {
  let source: String
  let name: String
}

/// What the jobs of a configuration promise of the mirror: their streams are whole again some time after each time of
/// the schedule. Of all others, searches and look-ups that somebody once fetched among them, nothing is promised.
struct Promises: Sendable {
  struct Stream: Sendable {
    let name: StreamName
    /// The job that makes the stream late first; `nil` without a job.
    let job: String?
    /// `nil` for a stream that never ran.
    let stored: MirrorFigures.Stream?
    /// Seconds since 1970; nil for one that was never whole, of a job that no worker has met: it is stale already.
    /// Infinite if nothing is promised.
    let staleAt: Double?
    var jobError: String?

    func isStale(at now: Double) -> Bool { staleAt.map { $0 < now } ?? true }

    static func precedes(_ one: Stream, _ other: Stream) -> Bool {
      (one.name.source, one.name.name) < (other.name.source, other.name.name)
    }
  }

  let streams: [Stream]
  /// All streams, also those without a job.
  let all: [Stream]

  /// - Parameter figures: what there is. A job that no worker has met yet is held to its word all the same.
  init(_ configuration: Configuration, _ figures: MirrorFigures) {
    let stored = Dictionary(
      figures.streams.map { (StreamName(source: $0.source, name: $0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    let known = Dictionary(figures.jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [StreamName: Stream] = [:]
    for job in configuration.jobs where !(known[job.name]?.isPaused ?? false) {
      let kept = stored.keys.filter { job.choice.includes($0, among: configuration.sources) }
      for name in Set(kept).union(job.choice.streams(among: configuration.sources)) {
        // A job that is younger than the stream has promised nothing before.
        let since = [stored[name]?.wholeAt, known[job.name]?.registeredAt].compactMap(\.self).max()
        let staleAt = since.flatMap { job.scheduled.staleAt(wholeAt: $0) }
        // A job that never runs again promises nothing.
        guard staleAt != nil || since == nil else { continue }
        if let other = found[name], other.staleAt ?? -.infinity <= staleAt ?? -.infinity { continue }
        found[name] = Stream(
          name: name, job: job.name, stored: stored[name], staleAt: staleAt, jobError: known[job.name]?.error)
      }
    }
    streams = found.values.sorted(by: Stream.precedes)
    let others = stored.filter { found[$0.key] == nil }.map { name, stream in
      // How a question's own stream ended says nothing of the mirror.
      Stream(name: name, job: nil, stored: configuration.isOneOff(name) ? nil : stream, staleAt: .infinity)
    }
    all = (streams + others).sorted(by: Stream.precedes)
  }
}

extension Configuration {
  /// Whether a stream was fetched by a question, and no run keeps it fresh.
  func isOneOff(_ stream: StreamName) -> Bool {
    sources.contains { type(of: $0).name == stream.source && !$0.keepsStream(stream.name) }
  }
}

struct MirrorState: Sendable {
  let figures: MirrorFigures
  let promises: Promises
  let standings: [StreamStanding]
  /// Whether nothing was mirrored yet, and nothing failed.
  let isEmpty: Bool
  private let hasJobs: Bool
  /// `no worker since …`; `nil` if a worker is at work or no job needs one.
  let workerAbsence: String?

  static func read(_ database: Database, _ configuration: Configuration) async throws -> MirrorState {
    let figures = try await MirrorFigures.read(database)
    let indexes = try await MirrorFigures.failedIndexes(database).map { index in
      Promises.Stream(
        name: StreamName(source: index.source, name: index.name), job: nil, stored: index, staleAt: .infinity)
    }
    let absence = configuration.jobs.isEmpty ? nil : try await Workers.absence(in: database)
    let promises = Promises(configuration, figures)
    return MirrorState(
      figures: figures, promises: promises,
      standings: (promises.all + indexes).map { StreamStanding($0, now: figures.now) },
      isEmpty: figures.streams.isEmpty && indexes.isEmpty, hasJobs: !configuration.jobs.isEmpty,
      workerAbsence: absence?.sentence)
  }

  func verdict(_ standings: [StreamStanding]) -> String {
    StreamStanding.verdict(standings, hasJobs: hasJobs, hasWorker: workerAbsence == nil)
  }

  func attention(_ standings: [StreamStanding]) -> [AttentionLine] {
    let worker = workerAbsence.map { AttentionLine(subject: "worker", text: $0, action: "syncctl worker") }
    return [worker].compactMap(\.self) + StreamStanding.attention(standings)
  }
}
