import Foundation
import SyncCore
import SyncPostgres

/// What a user needs to know to judge a run that a safety guard stopped.
struct HeldFindings: Sendable {
  let run: HeldRun
  /// The items that the list or catalogue would lose, the best known first.
  let items: RowSet
  /// What `syncctl confirm` does with the run.
  let consequence: String

  /// - Throws: `SyncError` as `HeldRun.read`.
  static func read(_ id: String, _ configuration: Configuration, in database: Database) async throws -> HeldFindings {
    let run = try await HeldRun.read(id, in: database)
    let source = configuration.sources.first { $0.name == run.source }
    guard let source, let stream = source.description(of: run.stream) else {
      return HeldFindings(
        run: run, items: RowSet(columns: [], rows: []),
        consequence: "\(run.source)/\(run.stream) is not configured, so the run cannot be confirmed")
    }
    let items = try await run.leavingItems(of: stream, in: database)
    return HeldFindings(
      run: run, items: items, consequence: consequence(of: run, items.rows.count, source, stream.absence))
  }

  private static func consequence(
    of run: HeldRun, _ count: Int, _ source: any Source, _ absence: Absence
  ) -> String {
    guard run.isConfirmable else { return "the unusable items cannot be confirmed; look for a newer syncctl" }
    if run.losesColumn { return "confirming stores the items as they came, which erases the column's stored values" }
    switch absence {
    case .provesNothing: return "confirming continues the run without the guard"
    case .leavesWindow where count == 0: return "confirming publishes the empty list"
    case .endsEntry, .leavesWindow:
      let entries = HumanFormat.counted(count, "entry", many: "entries")
      return "confirming publishes the list without these \(entries); the items' rows stay in the mirror"
    case .questionsItem:
      let time = source.services.map { RunCost.time(for: count, within: $0.limits) }.max() ?? .zero
      let duration = time < Limits.shortestReportedRunTime ? "" : ", about \(HumanFormat.estimate(time))"
      return "confirming asks the service for each of the \(HumanFormat.count(count))\(duration), and marks only those "
        + "as removed that answer 404"
    }
  }

  /// The number of items, the best known, and the numbers by type and year; `nil` without items.
  var summary: String? {
    guard !items.rows.isEmpty else { return nil }
    let rows = items.namedRows
    let names = rows.prefix(Self.named).map { $0["title"] ?? "id \($0["id"] ?? "")" }
    let rest = rows.count - names.count
    let more = rest > 0 ? ", and \(HumanFormat.count(rest)) more (--all lists them)" : ""
    let counts = [("by type", "type"), ("by year", "year")].compactMap { title, column in
      Self.counts(rows, column).map { "; \(title): \($0)" }
    }
    return "\(HumanFormat.counted(rows.count, "item")): \(names.joined(separator: ", "))\(more)\(counts.joined())"
  }

  private static func counts(_ rows: [NamedRow], _ column: String) -> String? {
    let groups = rows.filter { $0[column] != nil }.gathered { $0[column] ?? "" }
      .map { (value: $0[0][column] ?? "", count: $0.count) }
      .sorted { ($1.count, $0.value) < ($0.count, $1.value) }
    guard !groups.isEmpty else { return nil }
    let shown = groups.prefix(named).map { "\($0.value) \(HumanFormat.count($0.count))" }
    return (shown + (groups.count > named ? ["…"] : [])).joined(separator: ", ")
  }

  private static let named = 6

  /// The items as JSON, for the column `would_remove`.
  var json: String {
    let listing = Listing(items, emptyMessage: "")
    var text = ""
    listing.render(as: .json, options: .piped) { text += $0 }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  var listing: Listing {
    Listing(items, emptyMessage: "The run would remove no item.", titles: ["members": "members"])
      .laidOut(ifEmpty: ["type", "year", "members"])
  }
}
