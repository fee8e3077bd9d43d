import LibPQ
import SyncCore

enum Confirmation {
  static func hint(for walk: OpenWalk) -> String {
    let id = walk.runID.prefix(8)
    return "check the upstream (syncctl runs show \(id) lists the items); if they are really gone: "
      + command(for: walk)
  }

  static func command(for walk: OpenWalk) -> String { "syncctl confirm \(walk.runID.prefix(8))" }

  /// Returns the walk to confirm. Throws if a later run has a result, because the confirmation would undo that result.
  static func walk(of prefix: String, stream: StreamID, _ connection: borrowing PGConnection) throws -> Int64 {
    let run = try run(beginning: prefix, connection)
    guard run.source == stream.source.rawValue, run.stream == stream.name else {
      throw SyncError(
        .usage, "run \(run.id) belongs to \(run.source)/\(run.stream), not to \(stream)",
        hint: "give --source \(run.source) --stream \(run.stream)")
    }
    guard run.isGuarded, let walkID = run.walkID else {
      throw isNotHeld(run.id)
    }
    if let refusal = try refusal(of: run, stream: stream, connection) { throw refusal }
    return walkID
  }

  static func isNotHeld(_ id: String) -> SyncError {
    SyncError(
      .usage, "run \(id) was not stopped by the guard, so there is nothing to confirm",
      hint: "syncctl runs show \(id) shows how it ended")
  }

  private static func refusal(
    of run: Run, stream: StreamID, _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    let later = try connection.query(
      """
      SELECT later.id, later.guarded FROM sync.run later JOIN sync.run r USING (source, stream)
      LEFT JOIN sync.publication p ON p.source = later.source AND p.run_id = later.id
      WHERE r.id = $1::uuid AND later.started_at > r.started_at
        AND (later.status IN ('complete', 'unproven') OR later.guarded OR p.run_id IS NOT NULL)
      ORDER BY later.started_at DESC LIMIT 1
      """, [.text(run.id)]
    ).first { row in (id: try row.text(0) ?? "", isGuarded: try row.bool(1) ?? false) }

    guard let later else { return nil }
    guard later.isGuarded else {
      return SyncError(
        .usage, "run \(run.id) is out of date: run \(later.id) of \(stream) has completed since",
        hint: "syncctl runs show \(later.id) shows its result; there is nothing left to confirm")
    }

    return SyncError(
      .usage, "run \(run.id) is out of date: run \(later.id) of \(stream) is newer, and was stopped by the guard too",
      hint: "check what it found; if it is right: syncctl confirm \(later.id.prefix(8))")
  }

  struct Run: Sendable {
    let id: String
    let source: String
    let stream: String
    let walkID: Int64?
    let isGuarded: Bool
    let isHeld: Bool
    let error: String
  }

  static func run(beginning prefix: String, _ connection: borrowing PGConnection) throws -> Run {
    let runs = try connection.query(
      """
      SELECT id, source, stream, walk_id, guarded, sync.run_held(status, guarded, error), error FROM sync.run
      WHERE $1::text <> '' AND starts_with(id::text, sync.lower($1::text)) LIMIT 2
      """, [.text(prefix)]
    ).map { row in
      Run(
        id: try row.text(0) ?? "", source: try row.text(1) ?? "", stream: try row.text(2) ?? "",
        walkID: try row.int(3), isGuarded: try row.bool(4) ?? false, isHeld: try row.bool(5) ?? false,
        error: try row.text(6) ?? "")
    }
    guard let run = runs.first else { throw Runs.unknown(prefix) }
    guard runs.count == 1 else { throw Runs.ambiguous(prefix) }
    return run
  }
}
