import Foundation
import SyncCore
import SyncEngine

struct ConfiguredJob: Sendable {
  let scheduled: ScheduledJob
  let choice: StreamChoice
  let isFull: Bool
  let refreshes: Bool
  let verifies: Bool
  let heartbeat: HeartbeatURL?

  var name: String { scheduled.name }

  /// - Parameter faults: receives the errors of invalid jobs, which are not returned.
  static func all(
    of file: ConfigurationFile?, _ runs: RunsConfiguration, _ telemetry: TelemetryConfiguration,
    _ sources: [any Source], _ faults: inout ConfigurationFaults
  ) -> [ConfiguredJob] {
    guard let file else { return [] }
    var jobs: [ConfiguredJob] = []
    for entry in file.jobs {
      faults.reading { () throws(SyncError) in
        let job = try JobReading(file: file.path, entry: entry).job(runs, telemetry, sources)
        guard !jobs.contains(where: { $0.name == job.name }) else {
          throw SyncError(
            .configuration, "\(file.path): \(entry.path) has the name \(job.name), which an earlier job already has",
            hint: "give each job a unique name")
        }
        jobs.append(job)
      }
    }
    return jobs
  }
}

private struct JobReading {
  let file: String
  let entry: ConfigurationFile.Job

  func job(
    _ runs: RunsConfiguration, _ telemetry: TelemetryConfiguration, _ sources: [any Source]
  ) throws(SyncError) -> ConfiguredJob {
    let name = try name()
    guard let text = entry.values["schedule"] else {
      throw fault("has no schedule", hint: #"give one such as "15 3 * * *", "@daily" or every 6h"#)
    }
    let zone = try zone()
    let schedule = try schedule(text)
    let choice = try choice(among: sources)
    if entry.refreshes { try checkRefresh(choice, sources) }
    return ConfiguredJob(
      scheduled: ScheduledJob(
        JobDescription(
          name: name, source: choice.onlySource?.rawValue ?? StreamChoice.allSources, streams: entry.streams,
          schedule: text, timeZone: zone.name),
        schedule: schedule, zone: zone, jitter: try duration("jitter", Limits.longestJobJitter) ?? .zero,
        timeout: try duration("timeout", Limits.longestTimeout) ?? runs.timeout.value, makesUp: try makesUp(),
        retries: try retries()),
      choice: choice, isFull: entry.isFull, refreshes: entry.refreshes, verifies: try verifies(),
      heartbeat: try heartbeat() ?? telemetry.heartbeat)
  }

  private func verifies() throws(SyncError) -> Bool {
    guard let mode = entry.values["verify"] else { return false }
    guard mode == "local" else {
      throw fault(
        "has verify: \(Excerpt.of(mode, scalars: 40))",
        hint: "write verify: local, which requests nothing; syncctl run --full --dry-run compares with the service")
    }
    return true
  }

  private func name() throws(SyncError) -> String {
    let hint = "give a name of letters, digits, - and _, e.g. daily"
    guard let name = entry.values["name"] else { throw fault("has no name", hint: hint) }
    let isPlain = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }
    guard isPlain, (1...63).contains(name.utf8.count), name.utf8.first != 0x2D else {
      throw fault("\(Excerpt.of(name, scalars: 40)) is not a name for a job", hint: hint)
    }
    return name
  }

  private func schedule(_ text: String) throws(SyncError) -> Schedule {
    do {
      return try Schedule(text)
    } catch {
      throw SyncError(
        .configuration, "\(file): \(entry.path).schedule: \(error.message)", hint: error.hint,
        exhibit: error.caret.split(separator: "\n").map(String.init))
    }
  }

  private func zone() throws(SyncError) -> TimeZoneRules {
    let name = entry.values["time_zone"] ?? "UTC"
    if let zone = TimeZoneRules(name) { return zone }
    let near = TimeZoneRules.suggestion(for: name).map { "did you mean \($0)?" }
    throw fault(
      "time_zone: there is no time zone \(Excerpt.of(name, scalars: 60))",
      hint: near ?? "give one such as Europe/Berlin or UTC")
  }

  private func choice(among sources: [any Source]) throws(SyncError) -> StreamChoice {
    do {
      return try StreamChoice(sources: entry.values["source"].map { [$0] } ?? [], names: entry.streams, among: sources)
    } catch {
      throw fault(error.message, hint: error.hint)
    }
  }

  private func checkRefresh(_ choice: StreamChoice, _ sources: [any Source]) throws(SyncError) {
    guard !choice.canRefresh(sources) else { return }
    let names = Registry.refreshable
    throw fault("refresh works only for \(names.joinedByOr)", hint: "give source: \(names.first ?? "")")
  }

  private func duration(_ key: String, _ most: Duration) throws(SyncError) -> Duration? {
    guard let text = entry.values[key] else { return nil }
    guard let value = Duration(configured: text), value <= most else {
      throw fault(
        "\(key): \(Excerpt.of(text, scalars: 40)) is not a valid time",
        hint: "give 1s to \(most.components.seconds)s, e.g. 90s, 15m, 6h")
    }
    return value
  }

  private func makesUp() throws(SyncError) -> Bool {
    switch entry.values["catch_up"] {
    case nil, "once": true
    case "never": false
    case .some(let text):
      throw fault(
        "catch_up: \(Excerpt.of(text, scalars: 40)) is not known",
        hint: "once: one run makes up for all missed times; never: missed times are skipped")
    }
  }

  private func retries() throws(SyncError) -> Int {
    guard let text = entry.values["retries"] else { return Limits.jobRetries }
    if text == "0" { return 0 }
    guard let count = Int(configured: text), count <= Limits.mostJobRetries else {
      throw fault(
        "retries: \(Excerpt.of(text, scalars: 40)) is not a valid number", hint: "give 0 to \(Limits.mostJobRetries)")
    }
    return count
  }

  private func heartbeat() throws(SyncError) -> HeartbeatURL? {
    guard let text = entry.values["heartbeat_url"] else { return nil }
    guard let url = HeartbeatURL(text) else {
      throw fault("heartbeat_url: \(HeartbeatURL.fault)", hint: HeartbeatURL.hint)
    }
    return url
  }

  private func fault(_ problem: String, hint: String?) -> SyncError {
    SyncError(.configuration, "\(file): \(entry.path): \(problem)", hint: hint)
  }
}

/// A time zone of the tz database. Its rules come from this program and not from the operating system.
struct TimeZoneRules: ZoneRules {
  let name: String
  private let zone: TimeZone

  init(_ zone: TimeZone) { (name, self.zone) = (zone.identifier, zone) }

  /// Returns `nil` for an unknown name and for offsets such as `GMT+3`. The signs of such offsets in the tz database
  /// mean the opposite of common usage.
  init?(_ name: String) {
    let isOffset = ["GMT+", "GMT-", "UTC+", "UTC-"].contains { name.uppercased().hasPrefix($0) }
    guard !isOffset, let zone = TimeZone(identifier: name) else { return nil }
    self.name = name
    self.zone = zone
  }

  func offset(at instant: Int64) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))) }

  static func suggestion(for name: String) -> String? {
    Suggestion.nearest(to: name, among: TimeZone.knownTimeZoneIdentifiers + ["UTC"])
  }
}
