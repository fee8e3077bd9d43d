/// Every bound of a run in one place. Units come last in the names.
package enum Limits {
  // Upstream answers.
  package static let responseBodyBytes = 32 << 20
  /// Room that is made for a body before it comes; a page of 50 anime takes half of it.
  package static let usualBodyBytes = 512 << 10
  /// Large bodies that are on their way to the database at a time: two of the largest. A body and its items take about
  /// three times its bytes.
  package static let bodyBytesInFlight = 2 * responseBodyBytes
  package static let bodyRoomPoll: Duration = .milliseconds(10)
  package static let requestDeadline: Duration = .seconds(60)
  package static let connectDeadline: Duration = .seconds(10)
  package static let excerptScalars = 200
  /// Of the example of a member that was not understood.
  package static let misfitScalars = 60
  /// Stored items of a page below which a lost column is no sign of a renamed member.
  package static let guardedItems = 20
  package static let toldMisfits = 5
  /// An error body is read as JSON up to here.
  package static let problemBytes = 64 << 10

  // Retries of one request (one layer only; cron is the outer loop).
  package static let requestAttempts = 4
  package static let backoffBase: Duration = .milliseconds(500)
  package static let backoffCap: Duration = .seconds(30)
  /// A longer `Retry-After` ends the run with "try later" instead of sleeping through it.
  package static let retryAfterCap: Duration = .seconds(15 * 60)
  /// First wait after "too many requests" that names no time of its own.
  package static let throttleBase: Duration = .seconds(5)
  /// Retries of a run: so many, or this part of its requests if that is more.
  package static let freeRetries = 20
  package static let requestsPerRetry = 10

  // Permits.
  /// A window of up to so many requests remembers its permits; one of more counts how many lie in each 64th of it.
  package static let rememberedPermits = 64
  /// A budget that is spent for longer ends the run with "try later".
  package static let longestPermitWait = retryAfterCap
  /// A wait for a permit is told from here on; shorter ones are the ordinary spacing of requests.
  package static let toldWait: Duration = .seconds(2)
  /// As long as it takes until the budget of a minute has room again.
  package static let longestPermitWaitOfAPerson: Duration = .seconds(65)
  /// After so many permits in a row that could not be used in their time, their lateness may be what is usual by now.
  package static let stalePermits = 3
  /// The longest silence that one answer can bring about for all.
  package static let longestPause: Duration = .seconds(86_400)
  /// A connection that was not used for so long is taken for closed.
  package static let idleConnection: Duration = .seconds(10)

  /// What a run will cost is told before it, if it takes so long.
  package static let toldRunTime: Duration = .seconds(10)

  // The breaker of an origin.
  /// So many requests in a row that failed with all their retries open it.
  package static let failuresThatOpen = 5
  package static let breakerPause: Duration = .seconds(60)
  /// Opened so often, the origin is given up for this run.
  package static let breakerOpenings = 3

  // Walks.
  package static let itemsPerPage = 10_000
  package static let itemDepth = 128
  /// The largest real documents have less than one MiB. To decode one takes up to twenty times its bytes.
  package static let itemBytes = 4 << 20
  /// A document as PostgreSQL writes it, with white space and numbers in full.
  package static let storedDocumentBytes = 32 << 20
  /// A walk may request this many times the advertised pages, plus the slack, before it is taken for a loop.
  package static let pagesPerAdvertisedPage = 2
  /// The same for what the first pages advertise (as many as the slack): a claim may grow with every page.
  package static let pagesPerFirstAdvertisedPage = 4
  package static let pageSlack = 10
  /// So many pages in a row with so many items that stood before end a walk as a loop. A short page may come again by
  /// chance.
  package static let echoedPages = 2
  package static let echoedItems = 10
  /// A run of a stream that takes longer is stopped, unless something else is configured; the next one resumes it.
  package static let runTimeout: Duration = .seconds(86_400)
  package static let longestTimeout: Duration = .seconds(7 * 86_400)
  /// A timeout sleeps in such steps: on Linux, a cancelled sleep keeps its memory until its time has come.
  package static let timeoutStep: Duration = .seconds(60)
  /// A narrowed list with published entries is published as empty when it is empty again so long after the first time.
  /// Less than a day, so that two daily runs are enough.
  package static let emptyListConfirmation: Duration = .seconds(20 * 3600)
  /// Pages that may be read again because a list moved: so many, and one of so many; in so many rounds.
  package static let rewalkPages = 10
  package static let pagesPerRewalkPage = 20
  package static let rewalkRounds = 2
  /// Items whose own address is asked before what was learnt is committed.
  package static let lookupsPerCommit = 25
  /// Pages that were read, and are committed together if they wait for the database: so many, or of so many bytes
  /// (`pageBytesPerCommit`), those whose commit is under way included: about half of them share a commit.
  package static let pagesPerCommit = 32
  package static let pageBytesPerCommit = 3 << 20
  /// Documents that are committed together: so many, or of so many bytes. As many are fetched meanwhile.
  package static let documentsPerCommit = 25
  package static let documentBytesPerCommit = 1 << 20
  /// Bound for lists that advertise no last page.
  package static let pagesWithoutAdvertisement = 100_000
  /// Documents that are requested at the same time, unless something else is configured.
  package static let concurrency = 4
  package static let mostConcurrency = 32
  /// A younger document is not fetched again. Less than a day, so that a daily run never skips one.
  package static let documentTTL: Duration = .seconds(20 * 3600)
  package static let walkResumeAge: Duration = .seconds(6 * 3600)
  package static let longestWalkResumeAge: Duration = .seconds(7 * 86_400)
  package static let walkRetention: Duration = .seconds(7 * 86_400)

  /// Streams of one index; the largest real one has 48.
  package static let indexedStreams = 1000

  /// Pages of the answer to a question; a service that always finds something new is not queried forever.
  package static let samplePages = 50
  /// So many missing pages in a row end a walk: the list is not there any more, or the service is broken.
  package static let consecutiveHoles = 20

  /// Without a rate limit, so often is read whether another process has paused the origin.
  package static let pauseReading: Duration = .milliseconds(100)

  package static let validatorBytes = 256
  /// Seconds by which a `Last-Modified` must lie behind its answer.
  package static let validatorAge = 60
  /// Readings around the present one that are kept of an earlier walk, for pages that may be requested conditionally.
  package static let knownPages = 100
  /// So many of them are looked at in one go, and are there at least before a page is requested: short enough that
  /// commits do not wait for it.
  package static let knownPagesAhead = 25
  /// A walk that has changed more items than this requests no page conditionally any more.
  package static let knownPagesChanges = 50_000

  package static let toldRejects = 10

  // Programs of PostgreSQL.
  /// A program that only says what it is. Long, for on a machine that is busy it may take seconds to start.
  package static let programDeadline: Duration = .seconds(60)
  package static let backupDeadline: Duration = .seconds(86_400)
  /// What is kept of a program's output; a program that writes more has failed.
  package static let programOutputBytes = 1 << 20
  package static let programExcerptScalars = 400
  /// A server's log that has grown to more is put aside when the server is started.
  package static let serverLogBytes: Int64 = 8 << 20

  /// Stored documents whose columns are derived again in one transaction.
  package static let documentsPerDerivation = 200
  /// Documents of a range, of which a verification has two in hand.
  package static let documentsPerVerification = 5_000
  /// What a slice of a verification is made to take, at most; and how much text it reads.
  package static let verificationSlice = Duration.milliseconds(500)
  package static let verificationBytes = 8 << 20

  // Searches and lookups.
  package static let termScalars = 250
  /// Of a configured name: it goes into the names of streams, into the ledger and into the mirror.
  package static let configuredNameBytes = 64
  /// Records that a lookup with children may bring in one answer. Twice as many still fit the limits of an answer.
  package static let lookedUpRecords = 5000
  package static let usualChildren = 50
  /// Bundle ids of one call: they are long, and addresses are not to be.
  package static let bundleIDsPerCall = 50
  /// Pause for all after a refusal that names no time. Clients saw refusals last from minutes to half an hour.
  package static let refusalPause: Duration = .seconds(5 * 60)

  // The history of rankings.
  package static let historyPositions = 1000
  package static let mostHistoryPositions = 1_000_000
  package static let shortestHistory: Duration = .seconds(86_400)
  package static let longestHistory: Duration = .seconds(36_525 * 86_400)

  // Old rows.
  /// How many rows of each kind one transaction deletes, and how many transactions follow a run.
  package static let retentionSlice = 1000
  package static let retentionSlices = 20
  /// What each part of the upkeep after a run may take: new statistics, and old rows.
  package static let upkeepTime: Duration = .seconds(15)

  // Leases, by the database's clock. Renewed by every page and by a heartbeat of four to a TTL; a holder that could not
  // renew for two thirds of it stops itself. One that has ended on the same boot is replaced at once all the same.
  package static let leaseTTL: Duration = .seconds(90)
  package static let shortestLeaseTTL: Duration = .seconds(2)
  package static let longestLeaseTTL: Duration = .seconds(3600)
  package static let leasePoll: Duration = .seconds(1)
  /// A run that is told to stop has so long to close its row; a second signal does not wait at all.
  package static let closingGrace: Duration = .seconds(3)

  // Jobs.
  /// More than the longest expression that lists every value of every field.
  package static let scheduleScalars = 500
  package static let shortestPeriod: Duration = .seconds(1)
  package static let longestPeriod: Duration = .seconds(366 * 86_400)
  package static let countedFirings = 1000
  /// How often a worker looks for what is due, or was left by a worker that has ended, besides the times that it knows.
  package static let jobPoll: Duration = .seconds(2)
  /// The longest interval at which a worker records that it is at work. Commands miss it after two of them.
  package static let workerTick: Duration = .seconds(15)
  package static let workerRetention: Duration = .seconds(30 * 86_400)
  /// Pause of a worker whose database is away, doubled up to the cap.
  package static let workerPause: Duration = .milliseconds(500)
  package static let workerPauseCap: Duration = .seconds(15)
  /// How long a worker's own calls try to reach the database before it says that it is away.
  package static let workerReconnectDeadline: Duration = .seconds(5)
  /// Tries after one that an upstream or a budget has ended, unless something else is configured.
  package static let jobRetries = 3
  package static let mostJobRetries = 20
  /// Pause before the first of them, doubled up to the cap.
  package static let jobRetryPause: Duration = .seconds(300)
  package static let jobRetryPauseCap: Duration = .seconds(3600)
  /// A run over which so many workers have died is not retried.
  package static let jobDeaths = 10
  /// A run that a database was away for so often has failed: by then, two hours have passed.
  package static let jobDatabaseAttempts = 30
  /// What a worker's looks at its jobs may take, each statement of them.
  package static let workerStatementTimeout: Duration = .seconds(10)
  /// A worker whose last look at its jobs is older is not ready. Longer than one statement without an answer.
  package static let workerLookAge: Duration = .seconds(20)
  /// An embedded server that is away for so long is started again, with a new session.
  package static let workerSessionPatience: Duration = .seconds(20)
  package static let jobPruning: Duration = .seconds(86_400)
  /// What came later than this after its time is made up for, and not simply late.
  package static let jobLateness: Duration = .seconds(60)
  package static let longestJobJitter: Duration = .seconds(86_400)
  /// How long after a time of its schedule a job may be at work before its streams are stale: a quarter of the time to
  /// the next one, within these bounds.
  package static let shortestFreshnessGrace: Duration = .seconds(900)
  package static let longestFreshnessGrace: Duration = .seconds(86_400)
  package static let jobRunRetention: Duration = .seconds(90 * 86_400)
  /// Time in which a worker that was told to stop has to have stopped.
  package static let stopDeadline: Duration = .seconds(10)

  // Database statements.
  package static let stagedBytes = 4 << 20
  package static let statementTimeout: Duration = .seconds(60)
  package static let lockTimeout: Duration = .seconds(5)
  package static let idleInTransactionTimeout: Duration = .seconds(60)
  /// The same while the row of a lease is locked. No request is made meanwhile.
  package static let idleUnderLeaseTimeout: Duration = .seconds(10)
  /// A server that is down for longer than this ends a call; a run, which must renew its lease, gives up sooner.
  package static let reconnectDeadline: Duration = .seconds(60)
  package static let reconnectPause: Duration = .milliseconds(50)
  package static let reconnectPauseCap: Duration = .seconds(2)
  /// New tries of a transaction that another one was in the way of: deadlock, serialization, lock timeout.
  package static let conflictRetries = 3
  /// A connection that is silent for so much longer than its statement may take is lost.
  package static let answerMargin: Duration = .seconds(5)
  /// What a permit may take. It is one small statement, and waits for another one's lock for 5 s at most.
  package static let permitStatementTimeout: Duration = .seconds(10)
  /// How long the opening of a stream waits for the row of its lease: who cannot have it is told so within 2 s.
  package static let leaseLockTimeout: Duration = .milliseconds(1200)

  // The log: what one record may take, whatever it is given.
  /// With its line end. A pipe takes as much in one piece, so lines of several processes do not mix.
  package static let logLineBytes = 4 << 10
  /// The rest is for the metadata, without which nobody finds out what a message was about.
  package static let logMessageBytes = 2 << 10
  package static let logValueBytes = 1 << 10
  package static let logKeyBytes = 64
  package static let logEntries = 48
  /// Of the pages of one stream, one record at most in such a time; all of them at level `debug`.
  package static let pageLogInterval: Duration = .seconds(30)

  // Migrations.
  /// An index of millions of rows takes minutes, a rewrite of such a table takes longer.
  package static let migrationStatementTimeout: Duration = .seconds(2 * 3600)
  package static let migrationLockWait: Duration = .seconds(60)
  package static let migrationLockPoll: Duration = .milliseconds(100)

  // Recordings of runs.
  package static let recordedManifestBytes = 1 << 20
  /// A line of the index: an address and headers.
  package static let recordedLineBytes = 1 << 20
  /// The index is in memory while a recording is replayed.
  package static let recordedAnswers = 1_000_000
  /// Of an error and its hint: an address may have hundreds of ids.
  package static let recordedTextScalars = 4000

  // Files of the user.
  package static let favoritesFileBytes = 64 << 20
  package static let reportFileBytes = 1 << 20

  // Reports: their rows are all in memory while they are printed.
  package static let reportRows = 100_000
  package static let reportBytes = 64 << 20
  package static let shortestReport: Duration = .seconds(1)
  package static let longestReport: Duration = .seconds(86_400)
}
