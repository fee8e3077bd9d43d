import LibPQ
package import SyncCore

/// What the ledger and the stream states answer.
package enum Runs {
  /// Every stream: when it was last seen whole, and how its latest run ended.
  package static func status(_ database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("status"))
  }

  /// How a run of a stream ended.
  package struct Ended: Sendable {
    package let status: RunStatus
    /// The mirror is as fresh as the run, or fresher.
    package let isFresh: Bool
  }

  /// How far the streams have come for this run of a job, by whatever worker: how their latest runs ended.
  package static func latest(of job: JobRunKey, in database: Database) async throws -> [StreamID: Ended] {
    try await database.read { connection in
      let rows = try connection.query(
        QuerySQL.text("job_runs"), [.text(job.job), .double(Double(job.nominalAt)), .text(KnownIndex.stream)]
      ).map { row in
        let stream = StreamID(source: SourceID(rawValue: try row.text(0) ?? ""), name: try row.text(1) ?? "")
        let status = RunStatus(rawValue: try row.text(2) ?? "") ?? .failed
        return (stream, Ended(status: status, isFresh: try row.bool(3) ?? false))
      }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The requests that streams of a source need, by their last whole walks or what their lists claim; without those of
  /// which nothing is known.
  package static func costs(
    of streams: [String], of source: SourceID, resumedWithin age: Duration, in database: Database
  ) async throws -> [String: Int] {
    try await database.read { connection in
      let rows = try connection.query(
        QuerySQL.text("run_costs"), [.text(source.rawValue), .texts(streams), .double(age / .seconds(1))]
      ).map { row in (try row.text(0) ?? "", Int(clamping: try row.int(1) ?? 0)) }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The latest runs, newest first.
  ///
  /// - Parameter onlyFailed: also includes runs that have an error, or lack pages or documents.
  package static func list(
    _ database: Database, limit: Int?, onlyFailed: Bool = false, source: String? = nil, streams: [String] = [],
    job: String? = nil, since: Moment? = nil
  ) async throws -> RowSet {
    try await database.read { connection in
      let time = try since?.resolved(connection)
      let texts = [source, job, time].map { text in text.map { PGParameter.text($0) } ?? .null }
      return try RowSet(
        connection.query(
          QuerySQL.text("runs"),
          [.limit(limit), .bool(onlyFailed), texts[0], streams.isEmpty ? .null : .texts(streams), texts[1], texts[2]]))
    }
  }

  /// The run whose id begins with `prefix`, or all runs of the invocation whose id does, with every column; the runs of
  /// the latest invocation if nil.
  ///
  /// - Throws: `SyncError` `.missing` if there is none, `.usage` if there are several.
  package static func show(_ database: Database, prefix: String?) async throws -> RowSet {
    var found = RowSet(columns: [], rows: [])
    if let prefix { found = try await database.rows(QuerySQL.text("run"), [.text(prefix)]) }
    let isInvocation = found.rows.isEmpty
    if isInvocation {
      found = try await database.rows(QuerySQL.text("invocation"), [prefix.map { .text($0) } ?? .null])
    }
    if found.rows.isEmpty {
      throw SyncError(
        .missing, prefix.map { "no run whose id begins with \(Excerpt.of($0, scalars: 40))" } ?? "no run yet",
        hint: "syncctl runs lists them")
    }
    let isOne = found.rows.count == 1 || isInvocation && Set(found.values(of: "invocation_id")).count == 1
    guard isOne else {
      throw SyncError(
        .usage, "several runs begin with \(Excerpt.of(prefix ?? "", scalars: 40))", hint: "give more of the id")
    }
    return found
  }
}

extension Runs {
  /// The items in quarantine that the runs of `show` met, as the quarantine has them now.
  package static func quarantine(_ database: Database, prefix: String?) async throws -> RowSet {
    let runs = try await show(database, prefix: prefix).values(of: "id").compactMap(\.self)
    return try await database.rows(QuerySQL.text("run_quarantine"), [.texts(runs)])
  }
}

extension RowSet {
  fileprivate func values(of name: String) -> [String?] {
    guard let place = columns.firstIndex(where: { $0.name == name }) else { return [] }
    return rows.map { $0[place] }
  }
}
