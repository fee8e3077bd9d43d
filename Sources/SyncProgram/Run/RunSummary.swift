import Foundation
package import SyncCore
import SyncPostgres

/// The table, the messages and the exit status of streams that have ended.
package enum RunSummary {
  static func listing(_ reports: [RunReport]) -> Listing {
    let names = [
      "id", "source", "stream", "status", "pages", "requests", "retries", "not_modified", "identical", "rows_seen",
      "inserted", "updated", "documents_updated", "unchanged", "duplicates", "quarantined", "repaired", "vanished",
      "fresh", "bytes", "wal_bytes", "duration_seconds", "not_understood", "certificate", "error", "warning", "held",
    ]
    return Listing(
      columns: names.map { Column($0, title: tableTitles[$0]) }, rows: reports.map(row),
      emptyMessage: "", envelope: "runs"
    ).laidOut(
      hiding: Set(reports.map(\.stream.source)).count > 1 ? untold : untold.union(["source"]),
      leaving: ["pages"], ["duplicates"], ["duration_seconds"], ["rows_seen"], ["source"])
  }

  /// The summary omits these columns, so that it fits 80 characters. Messages report quarantined items and errors.
  private static let untold: Set<String> = [
    "id", "requests", "retries", "not_modified", "identical", "documents_updated", "quarantined", "repaired",
    "vanished", "fresh", "bytes", "wal_bytes", "not_understood", "certificate", "error", "warning", "held",
  ]

  static let tableTitles = [
    "rows_seen": "rows", "inserted": "new", "updated": "changed", "unchanged": "same", "duplicates": "repeats",
    "duration_seconds": "seconds", "certificate": "proof",
  ]

  private static func row(_ report: RunReport) -> [Cell] {
    let counters = report.counters
    let numbers = [
      counters.pages, counters.requests, counters.retries, counters.notModified, counters.identical, counters.rowsSeen,
      counters.inserted, counters.updated, counters.documentsUpdated, counters.unchanged, counters.duplicates,
      counters.quarantined, counters.repaired, counters.vanished, counters.fresh, counters.bytes, report.walBytes,
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let certificate = report.certificate.flatMap { try? encoder.encode($0) }
    return [
      report.id == DryRunStore.runID ? .null : .text(report.id), .text(report.stream.source.rawValue),
      .text(report.stream.name), .text(report.status.rawValue),
    ] + numbers.map { .int(Int64($0)) } + [
      .number(seconds(report.duration)),
      counters.notUnderstood.json.map { .json($0) } ?? .null,
      certificate.map { .json(String(decoding: $0, as: UTF8.self)) } ?? .null,
      report.error.map { .text($0.description) } ?? .null, report.warning.map { .text($0) } ?? .null,
      .bool(report.isHeld),
    ]
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = duration.components.seconds * 10 + duration.components.attoseconds / 100_000_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Tells the user about the errors and warnings of runs. Equal errors of several streams become one message.
  /// - Parameters:
  ///   - isPlanned: Whether the runs were dry.
  ///   - quiet: The streams whose lists are often empty.
  package static func explain(
    _ reports: [RunReport], isPlanned: Bool, quiet: Set<StreamID> = [], to announcer: Announcer
  ) {
    explain(reports.compactMap { report in report.error.map { (report.stream, $0) } }, to: announcer)
    for report in reports {
      explain(report, isPlanned: isPlanned, isQuiet: quiet.contains(report.stream), to: announcer)
    }
  }

  static func explain(_ errors: [(stream: StreamID?, error: SyncError)], to announcer: Announcer) {
    // The hint of a held lease contains a time, so equal causes would have different hints.
    let causes = errors.gathered { stream, error -> [String?] in
      let hint = error.code == .leaseHeld ? nil : error.hint?.withoutPaths
      // All streams that a pause stopped have this hint, but their messages differ.
      let message = hint == SyncError.resumesThen ? "" : general(stream, error).withoutPaths
      return [stream?.source.rawValue, message, hint]
    }
    for same in causes {
      let (stream, error) = same[0]
      guard let stream, same.count > 1 || !error.message.hasPrefix("\(stream)") else {
        announcer.fail(error.message, error.hint)
        continue
      }
      let subject = same.count == 1 ? stream.name : "\(same.count) streams of \(stream.source)"
      announcer.fail("\(subject): \(same.count == 1 ? error.message : general(stream, error))", error.hint)
    }
  }

  private static func general(_ stream: StreamID?, _ error: SyncError) -> String {
    let name = stream?.description ?? "\n"
    return error.message.replacing("\(name): ", with: "").replacing(name, with: "each")
  }

  private static func explain(_ report: RunReport, isPlanned: Bool, isQuiet: Bool, to announcer: Announcer) {
    let name = report.stream.name
    if let warning = report.warning { announcer.warn("\(name): \(warning)") }
    if let sentence = report.counters.notUnderstood.sentence { announcer.warn("\(name): \(sentence)") }
    if isPlanned { return explainPlanned(report, name, to: announcer) }
    if let certificate = report.certificate { explain(report, certificate, name, isQuiet: isQuiet, to: announcer) }
    if report.counters.fresh > 0 {
      let count = HumanFormat.count(report.counters.fresh)
      announcer.note(
        "\(name): \(count) documents are younger than the time to live and were not fetched again (--full fetches all)")
    }
    if report.counters.vanished > 0 {
      announcer.note(
        "\(name): \(report.counters.vanished == 1 ? "1 item was" : "\(report.counters.vanished) items were") removed "
          + "upstream; their rows are kept, with vanished_at")
    }
    if report.counters.quarantined > 0 {
      let items = report.counters.quarantined == 1 ? "1 item is" : "\(report.counters.quarantined) items are"
      announcer.warn(
        "\(name): \(items) in quarantine: syncctl runs show \(report.id.prefix(8)) --quarantine lists them with the reasons"
      )
    }
    if report.counters.repaired > 0 {
      let items = report.counters.repaired == 1 ? "1 item" : "\(report.counters.repaired) items"
      announcer.note(
        "\(name): \(items) contained characters that cannot be stored (replaced by U+FFFD) or a repeated member (the "
          + "last one is kept)")
    }
  }

  private static func explainPlanned(_ report: RunReport, _ name: String, to announcer: Announcer) {
    if report.status == .interrupted {
      announcer.note("\(name): interrupted")
    } else if let certificate = report.certificate, !report.status.isWhole, report.error == nil {
      announcer.note(
        "\(name): a run would be \(report.status.rawValue): \(CertificateText(certificate: certificate).sentence)")
    }
    if report.counters.quarantined > 0 {
      let count = report.counters.quarantined
      announcer.warn("\(name): \(count) \(count == 1 ? "item" : "items") would go into quarantine")
    }
  }

  private static func explain(
    _ report: RunReport, _ certificate: Certificate, _ name: String, isQuiet: Bool, to announcer: Announcer
  ) {
    let text = CertificateText(certificate: certificate)
    switch report.status {
    case .complete where certificate.lists?.total == 0: break
    case .complete where certificate.distinctKeys == 0 && report.warning == nil && !isQuiet:
      announcer.warn("\(name): the service returned no items; if that is unexpected, check the stream's configuration")
    case .inconsistent:
      let kept = certificate.lists == nil ? "no item is" : "no item of an inconsistent list is"
      announcer.warn(
        "\(name): \(text.findings.joined(separator: "; ")); published, and flagged as inconsistent; \(kept) "
          + "marked as removed")
    case .partial where certificate.endedBy == .loop: announcer.warn("\(name): \(text.sentence); it is not published")
    case .partial where !certificate.holes.isEmpty:
      announcer.warn("\(name): unavailable: \(text.missingPages); the list is not published")
    case .partial where certificate.endedBy == .lists:
      announcer.warn(
        "\(name): \(text.findings.joined(separator: "; ")); the places of partial lists are those of an earlier run")
    case .partial where !certificate.unavailable.isEmpty:
      announcer.warn("\(name): unavailable: \(text.missingDocuments); the next run requests them again")
    case .partial where certificate.endedBy == .ignored:
      // An answer after the last item is the end of most lists.
      let hint = certificate.distinctKeys == 0 ? "" : "; if the list ends with this answer, declare action: end"
      announcer.note("\(name): \(text.ending), so the published list stays as it is\(hint)")
    case .partial where certificate.endedBy == .pageCap:
      announcer.warn("\(name): \(text.sentence); the pages that were read are published, and flagged as inconsistent")
    case .partial:
      announcer.note("\(name): stopped by --max-pages; run it again to resume; the list is published at its end")
    case .interrupted where report.error == nil:
      announcer.note("\(name): interrupted; run it again to resume after the last committed page")
    default: break
    }
  }

  private static func isMissingPages(_ certificate: Certificate) -> Bool {
    !certificate.holes.isEmpty || !certificate.unavailable.isEmpty || certificate.endedBy == .loop
      || (certificate.lists?.partial ?? 0) > 0
  }

  static func gravest(_ results: RunResults) -> SyncError? {
    results.errors.first(where: isGrave) ?? results.errors.first
  }

  private static func isGrave(_ error: SyncError) -> Bool { error.code == .guarded || error.disposition == .stopRun }

  /// Returns the exit status of a grave error, or of the first error if all streams failed. Otherwise, returns 1 if
  /// a stream failed or pages are missing, else 0.
  static func exitStatus(_ results: RunResults) -> Int32 {
    if let first = gravest(results) {
      if isGrave(first) { return first.code.exitStatus }
      let well = results.reports.count { $0.error == nil && $0.stream.name != StoredIndex.stream }
      return well == 0 ? first.code.exitStatus : 1
    }
    return results.reports.contains { $0.certificate.map(isMissingPages) ?? false } ? 1 : 0
  }
}
