import LibPQ
package import SyncCore

/// The ledger of runs: the state and outcome of runs, and the items that they put into quarantine.
package enum Runs {
  /// Returns a row for each stream with its latest run, publication and verification, sorted by source and stream. The
  /// columns are those of `sql/shared/queries/status.sql`.
  package static func status(_ database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("status"))
  }

  /// Returns the runs that are in progress, oldest first. Omits runs whose lease has expired. The columns are those of
  /// `sql/shared/queries/running_runs.sql`.
  package static func running(_ database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("running_runs"))
  }

  /// Returns the latest runs of each job, sorted by job, the latest first. The columns are those of
  /// `sql/shared/queries/recent_job_runs.sql`.
  package static func recentOfJobs(_ database: Database, limit: Int) async throws -> RowSet {
    try await database.rows(QuerySQL.text("recent_job_runs"), [.limit(limit)])
  }

  /// Returns the latest runs of streams that no job started, the latest first. The columns are those of
  /// `sql/shared/queries/recent_runs.sql`.
  package static func recent(_ database: Database, limit: Int) async throws -> RowSet {
    try await database.rows(QuerySQL.text("recent_runs"), [.limit(limit)])
  }

  /// A run's status. `isFresh` means that this run or a later run of the stream was complete.
  package typealias Ended = (status: RunStatus, isFresh: Bool)

  /// Returns the outcome of each stream's latest run in one run of a job, which can have several attempts. Omits
  /// streams that have not begun, and the source's index, the list of its streams.
  package static func latest(of job: JobRunKey, in database: Database) async throws -> [StreamID: Ended] {
    try await database.read { connection in
      let rows = try connection.query(
        QuerySQL.text("job_runs"), [.text(job.job), .double(Double(job.nominalAt)), .text(StoredIndex.stream)]
      ).map { row -> (StreamID, Ended) in
        let stream = StreamID(source: SourceID(rawValue: try row.text(0) ?? ""), name: try row.text(1) ?? "")
        let status = RunStatus(rawValue: try row.text(2) ?? "") ?? .failed
        return (stream, (status, try row.bool(3) ?? false))
      }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Estimates the number of requests of each stream's next run, at least 1, from its last complete walk or from the
  /// list's claimed number of pages. Omits streams without an estimate.
  /// - Parameter age: The longest time since a walk's last page for which a run resumes the walk. The requests that
  ///   were already sent for such a walk are subtracted.
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

  /// Returns a page of runs, latest first. Empty `sources` and `streams` select all. The columns are those of
  /// `sql/shared/queries/runs.sql`.
  /// - Parameters:
  ///   - limit: The number of runs on the page; `nil` for all.
  ///   - onlyFailed: Whether to select only runs that failed, have an error or lack pages or documents.
  ///   - job: The job whose runs are selected; `nil` for all runs.
  ///   - since: The earliest start of a run.
  /// - Throws: `.usage` if `after` is an id, or a cursor of another listing.
  package static func list(
    _ database: Database, limit: Int?, onlyFailed: Bool = false, sources: [String] = [], streams: [String] = [],
    job: String? = nil, since: Moment? = nil, after: PageStart? = nil
  ) async throws -> ListPage {
    let listing = "runs"
    let start: [PGParameter] =
      switch after {
      case nil, .offset: [.null, .null]
      case .id(let id): throw SyncError(.usage, "--after \(id) is not a cursor", hint: "give --page, or a cursor")
      case .cursor(let cursor): try cursor.parameters(of: listing, [.time, .text])
      }
    return try await database.read { connection in
      let time = try since?.resolved(connection)
      let lists = [sources, streams].map { $0.isEmpty ? PGParameter.null : .texts($0) }
      let rows = try RowSet(
        QuerySQL.text("runs"),
        [.pageLimit(limit), .bool(onlyFailed)] + lists + [.text(job), .text(time)] + start + [.offset(after)],
        connection)
      return ListPage(rows, limit: limit, listing: listing)
    }
  }

  /// Returns the run whose id begins with `prefix`, or else the runs of the invocation whose id does, oldest first. An
  /// invocation is one execution of a command or job; `nil` selects the latest. The columns are those of
  /// `sql/shared/queries/run.sql`.
  /// - Parameter start: The command that the hint names if there are no runs.
  /// - Throws: `SyncError` `.missing` if there is no such run, `.usage` if several ids begin with `prefix`.
  package static func show(
    _ database: Database, prefix: String?, start: String = "syncctl run"
  ) async throws -> RowSet {
    var found = RowSet(columns: [], rows: [])
    if let prefix { found = try await database.rows(QuerySQL.text("run"), [.text(prefix)]) }
    let isInvocation = found.rows.isEmpty
    if isInvocation {
      found = try await database.rows(QuerySQL.text("invocation"), [.text(prefix)])
    }
    if found.rows.isEmpty {
      throw prefix.map(unknown) ?? SyncError(.missing, "no run yet", hint: "\(start) starts one")
    }
    let isOne = found.rows.count == 1 || isInvocation && Set(found.values(of: "invocation_id")).count == 1
    guard isOne else { throw ambiguous(prefix ?? "") }
    return found
  }

  /// Returns the error `.missing` for a prefix that no run id begins with.
  package static func unknown(_ prefix: String) -> SyncError {
    SyncError(
      .missing, "no run whose id begins with \(Excerpt.of(prefix, scalars: 40))", hint: "syncctl runs lists them")
  }

  static func ambiguous(_ prefix: String) -> SyncError {
    SyncError(
      .usage, "several run ids begin with \(Excerpt.of(prefix, scalars: 40))", hint: "give more characters of the id")
  }
}

extension Runs {
  /// Returns the number of items in quarantine for each stream and reason, latest first. The columns are those of
  /// `sql/shared/queries/quarantine_reasons.sql`.
  package static func quarantineReasons(_ database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("quarantine_reasons"))
  }

  /// Returns items in quarantine, those last received first, with the number of all of them as the total. Empty
  /// `sources` and `streams` select all. The columns are those of `sql/shared/queries/quarantine.sql`.
  /// - Parameters:
  ///   - reason: The kind of fault; `nil` for all.
  ///   - offset: The number of items before the page.
  package static func quarantined(
    _ database: Database, limit: Int, sources: [String] = [], streams: [String] = [], reason: String? = nil,
    offset: Int = 0
  ) async throws -> RowSet {
    let lists = [sources, streams].map { $0.isEmpty ? PGParameter.null : .texts($0) }
    return try await database.rows(
      QuerySQL.text("quarantine"), lists + [.text(reason), .limit(limit), .int(Int64(offset))])
  }

  /// Returns the items that the run or invocation of `show` put into quarantine. Throws the errors of `show`. The
  /// columns are those of `sql/shared/queries/run_quarantine.sql`.
  package static func quarantine(_ database: Database, prefix: String?) async throws -> RowSet {
    try await quarantine(of: show(database, prefix: prefix), in: database)
  }

  /// Returns the items that the runs put into quarantine. Their counts and times also include other runs. The columns
  /// are those of `sql/shared/queries/run_quarantine.sql`.
  /// - Parameter runs: rows with a column `id`, such as the result of `show`. Without this column, the result is empty.
  package static func quarantine(of runs: RowSet, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("run_quarantine"), [.texts(runs.values(of: "id").compactMap(\.self))])
  }
}

extension RowSet {
  fileprivate func values(of name: String) -> [String?] {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return [] }
    return rows.map { $0[index] }
  }
}
