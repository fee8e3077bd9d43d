import SyncCore
import SyncEngine
import SyncPostgres

struct MirrorState: Sendable {
  let figures: MirrorFigures
  let deadlines: StreamDeadlines
  let indexes: [StreamDeadlines.Stream]
  let standings: [StreamStanding]
  let isEmpty: Bool
  private let hasJobs: Bool
  /// A sentence that begins with `no worker`; `nil` if a worker is active or no job needs one.
  let workerAbsence: String?

  static func read(_ database: Database, _ configuration: Configuration) async throws -> MirrorState {
    let figures = try await MirrorFigures.read(database)
    let failed = try await MirrorFigures.failedIndexes(database, configuration.budgets)
    let deadlines = StreamDeadlines(configuration, figures, failedIndexes: failed)
    let indexes = failed.map { index in
      StreamDeadlines.Stream(
        name: StreamName(source: index.source, name: index.name), job: nil, stored: index, staleAt: .infinity)
    }.filter { index in !deadlines.streams.contains { $0.name == index.name } }
    let absence = try await Workers.absence(in: database, hasJobs: !configuration.jobs.isEmpty)
    let isLate = deadlines.streams.contains { $0.staleAt != nil && $0.isStale(at: figures.now) }
    return MirrorState(
      figures: figures, deadlines: deadlines, indexes: indexes,
      standings: (deadlines.all + indexes).map { StreamStanding($0, now: figures.now) },
      isEmpty: figures.streams.isEmpty && failed.isEmpty && !isLate, hasJobs: !configuration.jobs.isEmpty,
      workerAbsence: absence?.sentence)
  }

  var emptiness: SyncError {
    SyncError(.missing, "nothing has been mirrored yet" + (workerAbsence.map { ", and \($0)" } ?? ""), hint: start)
  }
  var start: String { hasJobs ? "syncctl worker runs the jobs" : "start with syncctl run" }
  var hasActiveWorker: Bool { hasJobs && workerAbsence == nil }

  func summary(_ standings: [StreamStanding]) -> String {
    StreamStanding.summary(standings, hasJobs: hasJobs, hasWorker: workerAbsence == nil)
  }

  func attention(_ standings: [StreamStanding]) -> [AttentionLine] {
    let worker = workerAbsence.map { AttentionLine(subject: "worker", text: $0, action: "syncctl worker") }
    return [worker].compactMap(\.self) + StreamStanding.attention(standings)
  }
}
