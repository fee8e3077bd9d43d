import Foundation
import LibPQ
import Logging
import SyncCore
import SyncPostgres
import SyncTelemetry

struct Telemetry: Sendable {
  let log: Logger
  let registry = PrometheusRegistry(version: Version.text)
  private let runMetrics: RunMetrics
  private let clock: SystemClock

  init(_ configuration: TelemetryConfiguration, format: LineLogHandler.Format, clock: SystemClock) {
    let writer = LineWriter(descriptor: 2)
    let level = configuration.logLevel.value
    log = Logger(label: "syncctl") { label in
      LineLogHandler(
        label: label, format: format, level: level, safe: TerminalText.safe, write: writer.write, now: { Date() })
    }
    runMetrics = RunMetrics(registry)
    self.clock = clock
  }

  func reporter(job: JobRunKey? = nil) -> RunReporter {
    var log = log
    if let job { log[metadataKey: "job"] = "\(job.job)" }
    let runLog = RunLog(log, clock: clock)
    return counting(RunReporter(announcer: Announcer(log, level: job == nil ? .info : .debug), observe: runLog.observe))
  }

  func counting(_ reporter: RunReporter) -> RunReporter {
    RunReporter(
      announcer: reporter.announcer,
      observe: { [runMetrics] event in
        runMetrics.observe(event)
        reporter.observe(event)
      }, metered: metered, progress: reporter.progress)
  }

  private func metered(_ transport: any Transport) -> any Transport {
    MeteredTransport(transport, registry, clock: clock)
  }

  func begin(_ jobs: [ConfiguredJob]) {
    for job in jobs {
      registry.begin(.jobTakeovers, [job.name])
      for outcome in JobEnding.FinalState.allCases { registry.begin(.jobRuns, [job.name, outcome.rawValue]) }
    }
  }

  func show(_ figures: MirrorFigures, _ configuration: Configuration) {
    let configured = Set(configuration.jobs.map(\.name))
    let jobs = figures.jobs.filter { configured.contains($0.name) }
    typealias Sample = (labels: [String], value: Double)

    func streams(_ value: KeyPath<MirrorFigures.Stream, Double?>) -> [Sample] {
      figures.streams.compactMap { stream in stream[keyPath: value].map { ([stream.source, stream.name], $0) } }
    }

    registry.replace(family: .streamLastComplete, samples: streams(\.wholeAt))
    registry.replace(family: .streamAge, samples: streams(\.age))

    let deadlines = StreamDeadlines(configuration, figures)
    registry.replace(
      family: .streamStaleAt,
      samples: deadlines.streams.map { ([$0.name.source, $0.name.name], $0.staleAt ?? figures.now) })
    registry.replace(family: .streams, samples: Self.states(deadlines.all.map { StreamStanding($0, now: figures.now) }))
    registry.replace(
      family: .streamEntries,
      samples: figures.streams.compactMap { stream in
        stream.entries.map { ([stream.source, stream.name], Double($0)) }
      })

    func verified(_ value: (MirrorFigures.Verified) -> Double) -> [Sample] {
      figures.verified.map { ([$0.source, $0.mode], value($0)) }
    }
    registry.replace(family: .verificationDifferences, samples: verified { Double($0.differences) })
    registry.replace(family: .verificationTimestamp, samples: verified(\.at))

    registry.replace(family: .jobLag, samples: jobs.map { ([$0.name], $0.lag) })
    registry.replace(family: .jobRunning, samples: jobs.map { ([$0.name], $0.isRunning ? 1 : 0) })
    registry.replace(
      family: .jobLastSuccess, samples: jobs.compactMap { job in job.lastSuccessAt.map { ([job.name], $0) } })
  }

  /// Each source has a sample for every state, so that an alert ends with a 0 instead of a missing sample.
  private static func states(_ standings: [StreamStanding]) -> [(labels: [String], value: Double)] {
    standings.gathered(by: \.name.source).flatMap { same in
      StreamStanding.StreamCondition.allCases.filter { $0 != .onTime }.map { state in
        ([same[0].name.source, state.rawValue], Double(same.count { $0.condition == state }))
      }
    }
  }

  func exposition(includingProcess: Bool = true) -> String {
    registry.set(.databaseConnections, to: Double(LiveHandles.connectionCount))
    return registry.exposition(includingProcess: includingProcess)
  }
}
