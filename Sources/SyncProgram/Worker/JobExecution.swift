import Logging
import SyncCore
import SyncEngine
import SyncPostgres

/// Runs a job like `syncctl run`, but waits if another process holds a lease.
struct JobExecution: JobRunner {
  let current: CurrentConfiguration
  let telemetry: Telemetry
  let clock: SystemClock

  func run(_ job: ScheduledJob, _ run: TakenJobRun) async -> JobResult {
    let configuration = current.value
    guard let configured = configuration.jobs.first(where: { $0.name == job.name }) else {
      let error = SyncError(
        .configuration, "job \(job.name) is no longer in the configuration",
        hint: "reload the worker's configuration (SIGHUP)")
      return JobResult(exitStatus: error.code.exitStatus, error: error, isCertified: false)
    }

    var settings = RunSettings(configuration.runs)
    settings.isFull = configured.isFull
    settings.waitsForLease = true
    settings.refreshes = configured.refreshes
    settings.job = run.key

    let runner = Runner(
      configuration: configuration, choice: configured.choice, settings: settings,
      reporter: telemetry.reporter(job: run.key), clock: clock)
    do {
      let outcome = try await runner.runAll()
      let isVerified = configured.verifies ? await verify(configured, configuration, run) : true
      let isCertified = outcome.isFresh && isVerified

      if isCertified, let heartbeat = configured.heartbeat {
        if let problem = await Heartbeat.beat(heartbeat, clock: clock) { log(run).warning("\(problem)") }
      }

      for (_, error) in outcome.refusals { log(run).error("\(error)") }

      return JobResult(
        exitStatus: RunSummary.exitStatus(outcome), error: RunSummary.gravest(outcome), isCertified: isCertified)
    } catch {
      let error = (error as? SyncError) ?? SyncError(.tryLater, "\(error)", hint: "the next attempt resumes it")
      return JobResult(exitStatus: error.code.exitStatus, error: error, isCertified: false)
    }
  }

  private func verify(_ job: ConfiguredJob, _ configuration: Configuration, _ run: TakenJobRun) async -> Bool {
    let log = log(run)
    let work = VerificationWork(
      configuration: configuration, choice: job.choice, isPartial: true,
      announcer: telemetry.reporter(job: run.key).announcer, clock: clock)
    do {
      let differences = try await work.run { _ in }.reduce(0) { $0 + $1.outcome.differences }
      if differences > 0 {
        log.warning("the mirror differs from its documents or runs; number of differences: \(differences)")
      }
      return differences == 0
    } catch {
      log.warning("the mirror could not be verified: \(error)")
      return false
    }
  }

  private func log(_ run: TakenJobRun) -> Logger {
    var log = telemetry.log
    log[metadataKey: "job"] = "\(run.key.job)"
    return log
  }
}
