import Foundation
import Logging
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTelemetry

struct WorkerWatch: Sendable {
  let telemetry: Telemetry
  let health: WorkerHealth

  func note(_ event: WorkerEvent) {
    health.note(event)
    let registry = telemetry.registry
    switch event {
    case .looked(let board):
      registry.set(.workerLastTick, to: board.now)
      registry.set(.databaseUp, to: 1)
    case .otherwiseConfigured(let job):
      telemetry.log.warning(
        "another worker has a different configuration of job \(job), which applies; reload this worker (SIGHUP)")
    case .neverDue(let job):
      telemetry.log.error(
        """
        job \(job) is not run: scheduled_until of its row in sync.job is later than any time of its schedule; \
        syncctl jobs pause \(job) and syncctl jobs resume \(job) set it to now
        """)
    case .took(let run):
      if run.isTakeover { registry.count(.jobTakeovers, [run.key.job]) }
      log(
        .notice, run, run.isTakeover ? "taken over from a worker that has ended" : "taken",
        [
          "late_seconds": "\((run.lateness / .milliseconds(100)).rounded() / 10)", "attempt": "\(run.attempts)",
          "skipped": "\(run.skipped)",
        ])
    case .ended(let run, let ending):
      registry.count(.jobRuns, [run.key.job, ending.outcome.rawValue])
      log(
        ending.outcome == .done ? .notice : .error, run,
        ending.error.map { "\(ending.outcome.rawValue): \($0)" } ?? ending.outcome.rawValue,
        ["exit_status": "\(ending.exitStatus)", "certified": "\(ending.isCertified)"])
    case .released(let run, let pause, let error):
      log(
        error == nil ? .notice : .warning, run, error.map { "\($0); retrying" } ?? "left to the next worker",
        ["pause_seconds": "\(pause.components.seconds)"])
    case .lost(let run, let error): log(.warning, run, "\(error)")
    case .databaseAway(let error, let pause, let isNews):
      registry.set(.databaseUp, to: 0)
      if isNews { registry.count(.databaseOutages) }
      telemetry.log.warning(
        "\(error); retrying", metadata: ["pause_seconds": "\((pause / .milliseconds(100)).rounded() / 10)"])
    case .databaseBack: telemetry.log.notice("the database is back")
    }
  }

  private func log(_ level: Logger.Level, _ run: TakenJobRun, _ text: String, _ metadata: Logger.Metadata = [:]) {
    var metadata = metadata
    metadata["job"] = "\(run.key.job)"
    metadata["nominal"] = "\(LogTimestamp.text(Date(timeIntervalSince1970: TimeInterval(run.key.nominalAt))))"
    telemetry.log.log(level: level, "job \(run.key.job): \(text)", metadata: metadata)
  }
}
