import Foundation
import SyncCore
import SyncPostgres

/// The choices of a user or a job for a run, which hold for all its sources and streams.
struct RunSettings: Sendable {
  /// The largest number of pages, or of batches of documents, in each stream; `nil` without a limit.
  var maxPages: Int?
  /// Whether streams start new walks and fetch everything.
  var isFull = false
  /// Whether streams wait for a lease that another process holds.
  var waitsForLease = false
  /// Whether rows that came from another base URL are taken over.
  var adoptsOrigin = false
  /// Whether all mirrored items are fetched again, in sources that support it.
  var refreshes = false
  /// The beginning of the id of a run that a guard stopped; the user confirms its changes. `nil` for other runs.
  var confirms: String?
  /// The run of a job; `nil` for other runs.
  var job: JobRunKey?
  /// The time limit of each stream.
  let timeout: Duration
  /// The greatest age of an unfinished walk that a stream resumes.
  let resumeWithin: Duration
  let leaseTTL: Duration
  /// The id of this run in the ledger's rows of all its streams.
  let invocation = UUID().uuidString.lowercased()

  init(_ configured: RunsConfiguration) {
    timeout = configured.timeout.value
    resumeWithin = configured.resumeWithin.value
    leaseTTL = configured.leaseTTL.value
  }

  var storeOptions: PostgresWalkStore.Options {
    PostgresWalkStore.Options(
      adoptsOrigin: adoptsOrigin, leaseTTL: leaseTTL, resumeAge: resumeWithin, job: job, invocation: invocation)
  }
}
