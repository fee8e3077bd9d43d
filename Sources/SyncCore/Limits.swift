/// Every bound of a run in one place. Units come last in the names.
package enum Limits {
  // Upstream answers.
  package static let responseBodyBytes = 32 << 20
  package static let requestDeadline: Duration = .seconds(60)
  package static let connectDeadline: Duration = .seconds(10)
  package static let excerptScalars = 200

  // Retries of one request (one layer only; cron is the outer loop).
  package static let requestAttempts = 4
  package static let backoffBase: Duration = .milliseconds(500)
  package static let backoffCap: Duration = .seconds(30)
  /// A longer `Retry-After` ends the run with "try later" instead of sleeping through it.
  package static let retryAfterCap: Duration = .seconds(15 * 60)

  // Walks.
  package static let itemsPerPage = 10_000
  package static let itemDepth = 128
  package static let itemBytes = 8 << 20
  /// A walk may ask for this many times the advertised pages, plus the slack, before it is taken for a loop.
  package static let pagesPerAdvertisedPage = 2
  package static let pageSlack = 10
  /// Bound for lists that advertise no last page.
  package static let pagesWithoutAdvertisement = 100_000
  package static let walkResumeAge: Duration = .seconds(6 * 3600)
  /// Pages of walks that ended before that are dropped.
  package static let walkRetention: Duration = .seconds(7 * 86_400)

  /// So many missing pages in a row end a walk: the list is not there any more, or the service is broken.
  package static let consecutiveHoles = 20

  // Leases, by the database's clock. Renewed by every page, so longer than the longest wait between two pages: the
  // cap of Retry-After and four deadlines. A holder that is gone on the same boot is replaced at once all the same.
  package static let leaseTTL: Duration = .seconds(20 * 60)

  // Database statements.
  package static let statementTimeout: Duration = .seconds(60)
  package static let lockTimeout: Duration = .seconds(5)
  package static let idleInTransactionTimeout: Duration = .seconds(60)
}
