/// All limits of the program. Names end with their unit.
package enum Limits {
  // Upstream responses.
  package static let responseBodyBytes = 32 << 20
  /// Memory reserved before a body arrives; a page of 50 anime takes half of it.
  package static let usualBodyBytes = 512 << 10
  /// Large bodies that are not committed yet. A body and its items take about three times its bytes.
  package static let bodyBytesInFlight = 2 * responseBodyBytes
  package static let bodyRoomPoll: Duration = .milliseconds(10)
  package static let requestDeadline: Duration = .seconds(60)
  package static let connectDeadline: Duration = .seconds(10)
  package static let excerptScalars = 200
  package static let misfitScalars = 60
  /// The least number of stored items that a page must have to be checked for renamed members.
  package static let guardedItems = 20
  package static let toldMisfits = 5
  package static let problemBytes = 64 << 10

  // Retries of one request. No other layer retries; cron is the outer loop.
  package static let requestAttempts = 4
  package static let backoffBase: Duration = .milliseconds(500)
  package static let backoffCap: Duration = .seconds(30)
  /// A longer wait ends the run with status 75.
  package static let retryAfterCap: Duration = .seconds(15 * 60)
  /// The first wait after "too many requests" without `Retry-After`.
  package static let throttleBase: Duration = .seconds(5)
  /// Retries of a run: at least `freeRetries`, or one per `requestsPerRetry` requests if that is more.
  package static let freeRetries = 20
  package static let requestsPerRetry = 10

  // Permits.
  /// Windows with more permits count permits per 64th of the window instead of remembering each.
  package static let rememberedPermits = 64
  package static let longestPermitWait = retryAfterCap
  /// The shortest reported wait. Shorter waits for a permit are ordinary spacing.
  package static let toldWait: Duration = .seconds(2)
  /// Long enough for a budget of one minute to have room again.
  package static let longestPermitWaitOfAPerson: Duration = .seconds(65)
  /// After this many permits in a row were used too late, their delay may be this machine's normal latency.
  package static let stalePermits = 3
  package static let longestPause: Duration = .seconds(86_400)
  package static let idleConnection: Duration = .seconds(10)

  package static let toldRunTime: Duration = .seconds(10)

  // The breaker of an origin.
  package static let failuresThatOpen = 5
  package static let breakerPause: Duration = .seconds(60)
  package static let breakerOpenings = 3

  // Walks.
  package static let itemsPerPage = 10_000
  package static let itemDepth = 128
  /// The largest real documents are below 1 MiB. Decoding takes up to twenty times the bytes.
  package static let itemBytes = 4 << 20
  package static let storedDocumentBytes = 32 << 20
  /// A walk that requests more than this many times the advertised pages, plus the slack, is a loop.
  package static let pagesPerAdvertisedPage = 2
  /// The same limit for the claims of the first `pageSlack` pages, because claims can grow with every page.
  package static let pagesPerFirstAdvertisedPage = 4
  package static let pageSlack = 10
  /// A walk ends as a loop after this many pages with this many items, all seen before.
  package static let echoedPages = 2
  package static let echoedItems = 10
  package static let runTimeout: Duration = .seconds(86_400)
  package static let longestTimeout: Duration = .seconds(7 * 86_400)
  /// Timeouts sleep in these steps, because on Linux a cancelled sleep keeps its memory until its end.
  package static let timeoutStep: Duration = .seconds(60)
  /// The wait before an empty filtered list is published. Less than a day, so that two daily runs suffice.
  package static let emptyListConfirmation: Duration = .seconds(20 * 3600)
  /// Pages read again because a list moved: `rewalkPages` plus one per `pagesPerRewalkPage` pages.
  package static let rewalkPages = 10
  package static let pagesPerRewalkPage = 20
  package static let rewalkRounds = 2
  package static let lookupsPerCommit = 25
  /// Limits of read but uncommitted pages, including those in the current commit. About half of them share a commit.
  package static let pagesPerCommit = 32
  package static let pageBytesPerCommit = 3 << 20
  /// Limits of a batch of documents. The next batch is fetched while one is committed.
  package static let documentsPerCommit = 25
  package static let documentBytesPerCommit = 1 << 20
  package static let pagesWithoutAdvertisement = 100_000
  package static let concurrency = 4
  package static let mostConcurrency = 32
  /// Younger documents are not fetched again. Less than a day, so that a daily run skips none.
  package static let documentTTL: Duration = .seconds(20 * 3600)
  package static let walkResumeAge: Duration = .seconds(6 * 3600)
  package static let longestWalkResumeAge: Duration = .seconds(7 * 86_400)
  package static let walkRetention: Duration = .seconds(7 * 86_400)

  package static let indexedStreams = 1000

  /// The pages of a search, because a service could return new results forever.
  package static let samplePages = 50
  /// After this number of holes, the list no longer exists or the service is broken.
  package static let consecutiveHoles = 20

  /// The interval of checks for another process's pause without a rate limit.
  package static let pauseReading: Duration = .milliseconds(100)

  package static let validatorBytes = 256
  /// The minimum age of a usable `Last-Modified`, in seconds.
  package static let validatorAge = 60
  package static let knownPages = 100
  /// The number of known pages per query, and the number that must be loaded ahead of a page before it is requested.
  /// Small, so that commits do not wait.
  package static let knownPagesAhead = 25
  /// A walk that changed more items requests no further page conditionally.
  package static let knownPagesChanges = 50_000

  package static let toldRejects = 10

  // Programs of PostgreSQL.
  /// For `--version` calls. Long, because starting a program takes seconds on a busy machine.
  package static let programDeadline: Duration = .seconds(60)
  package static let backupDeadline: Duration = .seconds(86_400)
  package static let programOutputBytes = 1 << 20
  package static let programExcerptScalars = 400
  package static let serverLogBytes: Int64 = 8 << 20

  package static let documentsPerDerivation = 200
  /// Documents per range; a verification holds two ranges.
  package static let documentsPerVerification = 5_000
  /// The targets of one slice of a verification: time, and text that it reads.
  package static let verificationSlice = Duration.milliseconds(500)
  package static let verificationBytes = 8 << 20

  // Searches and lookups.
  package static let termScalars = 250
  package static let configuredNameBytes = 64
  /// Records in one response of a lookup with children. Twice as many still fit the response limits.
  package static let lookedUpRecords = 5000
  package static let usualChildren = 50
  package static let bundleIDsPerCall = 50
  /// Pause of all clients after a refusal without `Retry-After`. Observed refusals lasted minutes to half an hour.
  package static let refusalPause: Duration = .seconds(5 * 60)

  // The history of rankings.
  package static let historyPositions = 1000
  package static let mostHistoryPositions = 1_000_000
  package static let shortestHistory: Duration = .seconds(86_400)
  package static let longestHistory: Duration = .seconds(36_525 * 86_400)

  // Old rows.
  package static let retentionSlice = 1000
  package static let retentionSlices = 20
  package static let upkeepTime: Duration = .seconds(15)

  // Leases, by the database's clock. Every page renews them. A holder that cannot renew for 2/3 of the TTL stops.
  package static let leaseTTL: Duration = .seconds(90)
  package static let shortestLeaseTTL: Duration = .seconds(2)
  package static let longestLeaseTTL: Duration = .seconds(3600)
  package static let leasePoll: Duration = .seconds(1)
  /// The time for a stopped run to close its ledger row. A second signal skips the wait.
  package static let closingGrace: Duration = .seconds(3)

  // Jobs.
  package static let scheduleScalars = 500
  package static let shortestPeriod: Duration = .seconds(1)
  package static let longestPeriod: Duration = .seconds(366 * 86_400)
  package static let countedFirings = 1000
  /// The interval of checks for due jobs, in addition to the known times.
  package static let jobPoll: Duration = .seconds(2)
  /// The longest interval between a worker's signs of life. Commands report it as missing after two.
  package static let workerTick: Duration = .seconds(15)
  package static let workerRetention: Duration = .seconds(30 * 86_400)
  package static let workerPause: Duration = .milliseconds(500)
  package static let workerPauseCap: Duration = .seconds(15)
  package static let workerReconnectDeadline: Duration = .seconds(5)
  package static let jobRetries = 3
  package static let mostJobRetries = 20
  package static let jobRetryPause: Duration = .seconds(300)
  package static let jobRetryPauseCap: Duration = .seconds(3600)
  package static let jobDeaths = 10
  /// A run fails after this many attempts without a database, which take two hours.
  package static let jobDatabaseAttempts = 30
  package static let workerStatementTimeout: Duration = .seconds(10)
  /// A worker whose last check is older than this is not ready. Longer than one statement without a response.
  package static let workerLookAge: Duration = .seconds(20)
  package static let workerSessionPatience: Duration = .seconds(20)
  package static let jobPruning: Duration = .seconds(86_400)
  package static let jobLateness: Duration = .seconds(60)
  package static let longestJobJitter: Duration = .seconds(86_400)
  /// The bounds of the time for a job to run before its streams are stale.
  package static let shortestFreshnessGrace: Duration = .seconds(900)
  package static let longestFreshnessGrace: Duration = .seconds(86_400)
  package static let jobRunRetention: Duration = .seconds(90 * 86_400)
  package static let stopDeadline: Duration = .seconds(10)

  // Database statements.
  package static let stagedBytes = 4 << 20
  package static let statementTimeout: Duration = .seconds(60)
  package static let lockTimeout: Duration = .seconds(5)
  package static let idleInTransactionTimeout: Duration = .seconds(60)
  /// The idle limit while the lease's row is locked. No request is made during that time.
  package static let idleUnderLeaseTimeout: Duration = .seconds(10)
  /// The longest outage that a call survives. A run gives up sooner, because it must renew its lease.
  package static let reconnectDeadline: Duration = .seconds(60)
  package static let reconnectPause: Duration = .milliseconds(50)
  package static let reconnectPauseCap: Duration = .seconds(2)
  package static let conflictRetries = 3
  /// A connection is lost if it is silent for longer than the statement's timeout plus this.
  package static let answerMargin: Duration = .seconds(5)
  /// Long enough for a small statement that waits for a lock for at most 5 s.
  package static let permitStatementTimeout: Duration = .seconds(10)
  /// Short, so that a held lease is reported within 2 s.
  package static let leaseLockTimeout: Duration = .milliseconds(1200)

  // The log: limits of one record.
  /// Bytes of a line, including its end. A pipe accepts them atomically, so that lines of several processes do not mix.
  package static let logLineBytes = 4 << 10
  /// The limit of the message. The rest of the line is for the metadata.
  package static let logMessageBytes = 2 << 10
  package static let logValueBytes = 1 << 10
  package static let logKeyBytes = 64
  package static let logEntries = 48
  package static let pageLogInterval: Duration = .seconds(30)

  // Migrations.
  /// An index on millions of rows takes minutes.
  package static let migrationStatementTimeout: Duration = .seconds(2 * 3600)
  package static let migrationLockWait: Duration = .seconds(60)
  package static let migrationLockPoll: Duration = .milliseconds(100)

  // Recordings of runs.
  package static let recordedManifestBytes = 1 << 20
  package static let recordedLineBytes = 1 << 20
  package static let recordedAnswers = 1_000_000
  package static let recordedTextScalars = 4000

  // Files of the user.
  package static let favoritesFileBytes = 64 << 20
  package static let reportFileBytes = 1 << 20

  // Reports, whose rows are all in memory.
  package static let reportRows = 100_000
  package static let reportBytes = 64 << 20
  package static let shortestReport: Duration = .seconds(1)
  package static let longestReport: Duration = .seconds(86_400)
}
