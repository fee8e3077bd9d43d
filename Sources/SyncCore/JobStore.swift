/// The seam to what workers share: which jobs there are, what is due, and who is at work on it.
package protocol JobStore: Sendable {
  /// Makes jobs known. The times of one that is new, or whose schedule is another, count from now on.
  ///
  /// - Parameter replacing: false leaves those as they are that are known otherwise.
  func register(_ jobs: [JobDescription], replacing: Bool) async throws

  func board(of jobs: [JobDescription]) async throws -> JobBoard

  /// Notes times that have come; those that another worker has noted, or that are not ours to note, are passed over.
  ///
  /// A run of the same job that has not begun yet is superseded.
  func record(_ firings: [JobFiring]) async throws

  /// Takes one run of these jobs that is due or whose worker has ended, the one with the oldest time; nil if there is
  /// none. No job is run twice at the same time.
  func take(_ jobs: [String]) async throws -> TakenJobRun?

  /// The heartbeat.
  ///
  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func renew(_ run: TakenJobRun) async throws

  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws

  /// Leaves a run to whoever takes it next.
  ///
  /// - Parameters:
  ///   - pause: before it may be taken.
  ///   - error: why it came to no end; nil for a run that was only stopped.
  ///   - isFailure: it counts as a try.
  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws

  /// Drops outcomes of runs that are older than the retention.
  func prune() async throws
}

/// Another worker has taken over a run: nothing more may be written of it.
package struct JobRunLost: Error, Sendable, CustomStringConvertible {
  package let key: JobRunKey

  package init(key: JobRunKey) { self.key = key }

  package var description: String {
    "job \(key.job): another worker has taken over its run, and resumes after the last committed page"
  }
}
