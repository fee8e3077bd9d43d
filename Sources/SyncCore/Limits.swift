/// The fixed limits of the program: sizes in bytes, counts, and times. Defaults that the configuration can change are
/// here too.
///
/// Names with `shortest`, `longest`, `most` or `Cap` are bounds of a configured or received value. Names with
/// `reported` or `shortestReported` are thresholds of what is reported to the user.
package enum Limits {
  package static let responseBodyBytes = 32 << 20
  /// The largest body that needs no reservation in the memory budget.
  package static let usualBodyBytes = 512 << 10
  /// The maximum total size of uncommitted large bodies. A body and its items need about three times the body's size.
  package static let bodyBytesInFlight = 2 * responseBodyBytes
  /// The longest time of one request, its body included, without the wait for memory.
  package static let requestDeadline: Duration = .seconds(60)
  package static let connectDeadline: Duration = .seconds(10)
  /// The deadline of a request while a user waits, for example of `doctor`.
  package static let inquiryDeadline: Duration = .seconds(15)
  package static let excerptScalars = 200
  package static let misfitScalars = 60
  /// A page with fewer stored items than this is not checked for renamed members.
  package static let guardedItems = 20
  package static let reportedMisfits = 5
  /// The largest part of an error response that is read for the service's own words.
  package static let problemBytes = 64 << 10
  /// A longer access token is refused. Servers accept headers of 8 to 64 KiB.
  package static let tokenBytes = 32 << 10
  /// The latest access and refresh tokens of a source that are hidden.
  package static let learnedSecrets = 6
  /// A new access token is requested at most this long before the current one expires.
  package static let tokenMargin: Duration = .seconds(60)
  /// The longest lifetime of an access token in a declaration or an answer.
  package static let longestTokenLifetime: Duration = .seconds(366 * 86_400)

  /// The maximum number of times that one request is sent.
  package static let requestAttempts = 4
  /// The bound of the random pause before the first retry. The bound doubles with each retry, up to `backoffCap`.
  package static let backoffBase: Duration = .milliseconds(500)
  package static let backoffCap: Duration = .seconds(30)
  /// If the upstream asks for a longer wait, the run ends with the error `.tryLater`.
  package static let retryAfterCap: Duration = .seconds(15 * 60)
  /// The first wait after "too many requests" without `Retry-After`.
  package static let throttleBase: Duration = .seconds(5)
  /// A larger reset in `X-RateLimit-Reset` is a time since 1970.
  package static let longestRelativeReset = 100_000_000
  /// A run can retry `freeRetries` times, or once per `requestsPerRetry` requests if that is more.
  package static let freeRetries = 20
  package static let requestsPerRetry = 10

  /// A rate-limit window with at most this many permits remembers each permit. A larger window is divided into 64
  /// parts, and only the number of permits in each part is stored.
  package static let rememberedPermits = 64
  package static let longestPermitWait = retryAfterCap
  /// Shorter waits for a permit are normal and are not reported.
  package static let shortestReportedWait: Duration = .seconds(2)
  /// The longest wait for a permit while a user waits. It is longer than a rate-limit window of one minute.
  package static let longestInteractivePermitWait: Duration = .seconds(65)
  /// If more than this many consecutive permits are equally late, the delay is normal for this machine.
  package static let stalePermits = 3
  /// A service's longer pause is kept for this time, and then one request asks whether the pause is over. A reset in a
  /// wrong unit, or of a wrong clock, would otherwise stop all processes for its whole length. Most services that count
  /// requests count them per hour, so they do not ask for more.
  package static let longestPause: Duration = .seconds(3600)
  /// After such a pause, all other requests wait for this time, in which the first request gets its answer.
  package static let probeTime: Duration = requestDeadline
  /// After this time without a response, the next request is expected to open a new connection.
  package static let idleConnection: Duration = .seconds(10)

  package static let shortestReportedRunTime: Duration = .seconds(10)

  /// After this many failures in a row, the circuit breaker stops requests for `breakerPause`.
  package static let failuresThatOpen = 5
  package static let breakerPause: Duration = .seconds(60)
  /// When the circuit breaker would open for the time with this number, it gives up instead.
  package static let breakerOpenings = 3

  package static let itemsPerPage = 10_000
  package static let itemDepth = 128
  /// The largest real documents are below 1 MiB. Decoding a document takes up to twenty times its size in memory.
  package static let itemBytes = 4 << 20
  package static let storedDocumentBytes = 32 << 20
  /// A walk ends as a loop after `pagesPerAdvertisedPage` × (advertised pages) + `pageSlack` pages.
  package static let pagesPerAdvertisedPage = 2
  /// Like `pagesPerAdvertisedPage`, but for the number that the first pages advertise. Later pages can advertise more.
  package static let pagesPerFirstAdvertisedPage = 4
  package static let pageSlack = 10
  /// With pages of 10 to 20 items, a page can begin within any number of items below 232 million.
  package static let smallestCataloguePage = 20
  /// A `ListWalk` ends if this many consecutive pages together have at least `echoedItems` items but no new item.
  package static let echoedPages = 2
  package static let echoedItems = 10
  package static let runTimeout: Duration = .seconds(86_400)
  package static let longestTimeout: Duration = .seconds(7 * 86_400)
  /// A timeout sleeps in steps of this length, because on Linux a cancelled sleep keeps its memory until its end.
  package static let timeoutStep: Duration = .seconds(60)
  /// An empty filtered list is published if it stays empty for this time, so daily runs publish it on the second day.
  package static let emptyListConfirmation: Duration = .seconds(20 * 3600)
  /// If a list changes during a walk, this many pages can be read again, plus one for every `pagesPerRewalkPage` pages.
  package static let rewalkPages = 10
  package static let pagesPerRewalkPage = 20
  package static let rewalkRounds = 2
  /// The number of items that are looked up and committed together.
  package static let lookupsPerCommit = 25
  /// The limits of pages that are read but not committed yet, including the pages in the current transaction.
  package static let pagesPerCommit = 32
  package static let pageBytesPerCommit = 3 << 20
  package static let documentsPerCommit = 25
  package static let documentBytesPerCommit = 1 << 20
  package static let pagesWithoutAdvertisement = 100_000
  /// The number of windows of time that a walk can have.
  package static let mostWindows = 10_000
  /// If this number of lists in a row are refused, a walk through several lists ends with the last refusal.
  package static let refusedLists = 10
  package static let concurrency = 4
  package static let mostConcurrency = 32
  /// A document younger than this is not fetched again. The time is below a day, so that a daily run skips no document.
  package static let documentTTL: Duration = .seconds(20 * 3600)
  package static let walkResumeAge: Duration = .seconds(6 * 3600)
  package static let longestWalkResumeAge: Duration = .seconds(7 * 86_400)
  package static let walkRetention: Duration = .seconds(7 * 86_400)

  /// The maximum number of streams in a source's index.
  package static let indexedStreams = 1000

  /// A search ends after this many pages, because a service could return new results forever.
  package static let samplePages = 50
  /// A walk ends after this many holes in a row, because the list no longer exists or the service is broken.
  package static let consecutiveHoles = 20

  /// Without a rate limit, a process checks at this interval whether another process has paused the origin.
  package static let pauseReading: Duration = .milliseconds(100)

  package static let validatorBytes = 256
  /// A longer header `RateLimit` is ignored. Real ones have less than 200 bytes.
  package static let rateLimitBytes = 4 << 10
  /// A `Last-Modified` is used only if it is at least this many seconds old.
  package static let validatorAge = 60
  package static let cachedPages = 100
  /// The number of the last walk's pages that one query loads.
  package static let cachedPagesAhead = 25
  /// After a walk has changed more items than this, it requests all further pages without conditions.
  package static let cachedPagesChanges = 50_000

  /// The maximum number of unusable items that a dry run lists.
  package static let reportedRejects = 10

  /// The deadline for short calls of PostgreSQL's programs, which take seconds to start on a busy machine.
  package static let programDeadline: Duration = .seconds(60)
  package static let backupDeadline: Duration = .seconds(86_400)
  package static let programOutputBytes = 1 << 20
  package static let programExcerptScalars = 400
  package static let serverLogBytes: Int64 = 8 << 20

  package static let documentsPerDerivation = 200
  /// The number of documents in one range of a verification, which keeps two ranges in memory.
  package static let documentsPerVerification = 5_000
  /// One slice of a verification should take this time and read this amount of text.
  package static let verificationSlice = Duration.milliseconds(500)
  package static let verificationBytes = 8 << 20

  package static let termScalars = 250
  package static let configuredNameBytes = 64
  /// The most records expected from a lookup with children. Some items have more children than expected.
  package static let lookedUpRecords = 5000
  /// The number of children that a lookup without a limit is expected to return for each item.
  package static let usualChildren = 50
  package static let bundleIDsPerCall = 50
  /// All clients pause this long after a refusal without `Retry-After`, and again if the service still refuses.
  /// Observed refusals lasted up to half an hour.
  package static let refusalPause: Duration = .seconds(5 * 60)

  package static let historyPositions = 1000
  package static let mostHistoryPositions = 1_000_000
  package static let shortestHistory: Duration = .seconds(86_400)
  package static let longestHistory: Duration = .seconds(36_525 * 86_400)

  package static let retentionSlice = 1000
  package static let retentionSlices = 20
  package static let upkeepTime: Duration = .seconds(15)

  // Leases use the database's clock. A run stops if it cannot renew its lease for two thirds of the TTL.
  package static let leaseTTL: Duration = .seconds(90)
  package static let shortestLeaseTTL: Duration = .seconds(2)
  package static let longestLeaseTTL: Duration = .seconds(3600)
  /// The interval at which a run with `--wait` tries to take a held lease.
  package static let leasePoll: Duration = .seconds(1)
  /// A stopped run has this time to close its ledger row. A second signal stops it at once.
  package static let closingGrace: Duration = .seconds(3)

  package static let scheduleScalars = 500
  package static let shortestPeriod: Duration = .seconds(1)
  package static let longestPeriod: Duration = .seconds(366 * 86_400)
  /// Missed firings are counted up to this number.
  package static let countedFirings = 1000
  /// A worker checks for due jobs at this interval, and at the times when it knows that a job is due.
  package static let jobPoll: Duration = .seconds(2)
  /// The longest time between a worker's recorded signs of life. After twice this time, the worker counts as missing.
  package static let workerTick: Duration = .seconds(15)
  package static let workerRetention: Duration = .seconds(30 * 86_400)
  package static let workerPause: Duration = .milliseconds(500)
  package static let workerPauseCap: Duration = .seconds(15)
  package static let workerReconnectDeadline: Duration = .seconds(5)
  package static let jobRetries = 3
  package static let mostJobRetries = 20
  package static let jobRetryPause: Duration = .seconds(300)
  package static let jobRetryPauseCap: Duration = .seconds(3600)
  /// A run is abandoned after this many workers died while they ran it.
  package static let jobDeaths = 10
  /// A run fails after this many attempts without a database. The attempts take about two hours.
  package static let jobDatabaseAttempts = 30
  package static let workerStatementTimeout: Duration = .seconds(10)
  /// A worker is not ready if its last check is older than this. The time is longer than the timeout of a statement.
  package static let workerLookAge: Duration = .seconds(20)
  package static let longestWorkerOutage: Duration = .seconds(20)
  /// The interval at which a worker deletes old runs of jobs.
  package static let jobPruning: Duration = .seconds(86_400)
  /// A job that does not make up for missed times skips a firing that is later than this.
  package static let jobLateness: Duration = .seconds(60)
  package static let longestJobJitter: Duration = .seconds(86_400)
  /// The streams of a late job become stale after a grace period between these two limits.
  package static let shortestFreshnessGrace: Duration = .seconds(900)
  package static let longestFreshnessGrace: Duration = .seconds(86_400)
  package static let jobRunRetention: Duration = .seconds(90 * 86_400)
  package static let stopDeadline: Duration = .seconds(10)

  /// Longer documents of a transaction are sent in parts, because this program and libpq copy each message, and libpq
  /// keeps the memory of its longest message.
  package static let stagedBytes = 3 << 20
  package static let stagedPartBytes = 1 << 20
  package static let statementTimeout: Duration = .seconds(60)
  package static let lockTimeout: Duration = .seconds(5)
  package static let idleInTransactionTimeout: Duration = .seconds(60)
  /// The idle timeout of a transaction that locks the lease's row. No request is sent during this transaction.
  package static let idleUnderLeaseTimeout: Duration = .seconds(10)
  /// A database call tries to reconnect for this time. A run gives up sooner, because it must renew its lease.
  package static let reconnectDeadline: Duration = .seconds(60)
  package static let reconnectPause: Duration = .milliseconds(50)
  package static let reconnectPauseCap: Duration = .seconds(2)
  /// The number of times that a transaction is repeated after a conflict with another transaction.
  package static let conflictRetries = 3
  /// A connection is lost if it is silent for longer than the statement's timeout plus this margin.
  package static let answerMargin: Duration = .seconds(5)
  /// Long enough for a small statement that waits up to 5 s for a lock.
  package static let permitStatementTimeout: Duration = .seconds(10)
  /// Short, so that a held lease is reported within 2 s.
  package static let leaseLockTimeout: Duration = .milliseconds(1200)

  /// A pipe accepts this many bytes atomically, so that lines of several processes do not mix.
  package static let logLineBytes = 4 << 10
  package static let logMessageBytes = 2 << 10
  package static let logValueBytes = 1 << 10
  package static let logKeyBytes = 64
  package static let logEntries = 48
  package static let pageLogInterval: Duration = .seconds(30)

  /// Creating an index on millions of rows takes minutes.
  package static let migrationStatementTimeout: Duration = .seconds(2 * 3600)
  package static let migrationLockWait: Duration = .seconds(60)
  package static let migrationLockPoll: Duration = .milliseconds(100)

  /// The time within which the embedded server reads its access files after `pg_reload_conf`.
  package static let loginReload: Duration = .seconds(10)

  package static let recordedManifestBytes = 1 << 20
  package static let recordedLineBytes = 1 << 20
  package static let recordedAnswers = 1_000_000
  package static let recordedTextScalars = 4000

  package static let favoritesFileBytes = 64 << 20
  package static let reportFileBytes = 1 << 20

  /// The time within which an error about an unknown command can name titles of the mirror.
  package static let titleSuggestion: Duration = .milliseconds(300)
  package static let pageStatementTimeout: Duration = .seconds(5)
  /// Less than the life of the listener's connections, so that a slow page is answered.
  package static let pageDeadline: Duration = .seconds(8)
  package static let requestsPerPageConnection = 10
  /// After this time without a connection, a page says that the database is not available.
  package static let pageReconnectDeadline: Duration = .seconds(2)
  package static let pageSessionPause: Duration = .seconds(1)
  /// A client of the pages can try this many wrong passwords at once, and then one per interval.
  package static let wrongSecretsOfClient = 5
  package static let wrongSecretsInterval: Duration = .seconds(2)
  /// All clients together can try this many wrong passwords at once, and then one per interval.
  package static let wrongSecretsOfAll = 100
  package static let wrongSecretsOfAllInterval: Duration = .milliseconds(100)
  /// The page of the state is read again after this time, so that many browsers cost the database nothing.
  package static let sharedPageLife: Duration = .seconds(2)
  package static let formBytes = 4096
  package static let runsOnPage = 20
  package static let problemsOnPage = 8
  package static let runsOnListPage = 25
  package static let squaresOfStrip = 20
  /// Runs of commands from which the strips of sources are drawn. A command can have a run for each stream.
  package static let runsOfStrips = 1000
  package static let todayOnPage = 4
  package static let favoriteChangesOnPage = 5
  /// News change only when a list is published.
  package static let newsLife: Duration = .seconds(60)
  package static let newsOfSource = 3
  package static let chartsWithNews = 4
  package static let favoritesOnPage = 100
  package static let itemsOnPage = 50
  package static let reportRowsOnPage = 1000
  package static let bars = 20

  /// Bytes of a query's rows. Larger results are kept in a temporary file.
  package static let rowsInMemory = 4 << 20

  // A report can be any query, so its rows are limited.
  package static let reportRows = 100_000
  package static let reportBytes = 64 << 20
  package static let shortestReport: Duration = .seconds(1)
  package static let longestReport: Duration = .seconds(86_400)
}
