import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreJobsTests {
  private static let ttl: Duration = .seconds(60)
  /// This is 2026-11-21T03:15Z, in seconds since 1970.
  private static let instant: Int64 = 1_795_230_900

  private func store(_ database: Database) throws -> PostgresJobStore {
    try PostgresJobStore(database, leaseTTL: Self.ttl)
  }

  private func job(_ name: String, schedule: String = "15 3 * * *", streams: [String] = ["top-anime"]) -> JobDescription
  { JobDescription(name: name, source: "jikan", streams: streams, schedule: schedule, timeZone: "UTC") }

  private func firing(_ name: String, _ instant: Int64 = Self.instant, delay: Duration? = .zero) -> JobFiring {
    JobFiring(job: job(name), nominalAt: instant, skipped: 0, delay: delay)
  }

  /// Registers jobs and sets `scheduled_until` far back, so that they are due at the time of each test.
  private func register(_ names: [String], _ store: PostgresJobStore, _ mirror: StoredMirror) async throws {
    try await store.register(names.map { job($0) }, replacing: true)
    try await mirror.execute("UPDATE sync.job SET scheduled_until = '2026-01-01T00:00Z'")
  }

  @Test("workers lock jobs in the order of their names, so that they do not deadlock")
  func lockOrder() async throws {
    let store = try store(mirror.database)
    try await register(["a", "b"], store, mirror)
    try await mirror.other { other in
      try await other.write { connection in
        _ = try connection.query("SELECT FROM sync.job WHERE name = 'b' FOR UPDATE")
        let waits = Task { try await store.register(["b", "a"].map { job($0) }, replacing: true) }
        let waiting: SQL =
          "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        while try connection.query(waiting).int(row: 0, column: 0) == 0 {}
        let free = try connection.query("SELECT FROM sync.job WHERE name = 'a' FOR UPDATE SKIP LOCKED").rowCount
        #expect(free == 0, "the first job is locked already")
        return waits
      }.value
    }
  }

  @Test("no worker is at work after two missed ticks, or a stop, of the last one; edited times hide nothing")
  func absence() async throws {
    let stores = try (1...2).map { _ in
      try PostgresJobStore(mirror.database, leaseTTL: Self.ttl, worker: WorkerIdentity(version: "1.2.3"))
    }
    func absence() async throws -> WorkerAbsence? { try await Workers.absence(in: mirror.database, hasJobs: false) }
    func age(_ worker: Int, by time: String) async throws {
      let order = "SELECT id FROM sync.worker ORDER BY started_at OFFSET \(worker) LIMIT 1"
      try await mirror.execute(
        "UPDATE sync.worker SET last_tick_at = last_tick_at - interval '\(time)' WHERE id = (\(order))")
    }
    try await stores[0].recordWorker(isStopped: false)
    #expect(try await absence() == nil, "nothing is to be done")
    try await register(["a"], stores[0], mirror)
    try await age(0, by: "15 s")
    #expect(try await absence() == nil)
    try await age(0, by: "16 s")
    let killed = try #require(try await absence())
    #expect((31..<300).contains(killed.now - (killed.since ?? 0)), "\(killed)")
    try await stores[1].recordWorker(isStopped: false)
    #expect(try await absence() == nil)
    try await stores[1].recordWorker(isStopped: true)
    let stopped = try #require(try await absence())
    let (since, end) = (try #require(stopped.since), try #require(killed.since))
    #expect(since > end && stopped.now >= since)
    #expect(try await mirror.value("SELECT count(*), min(version) FROM sync.worker GROUP BY version") == "2")
    try await stores[1].recordWorker(isStopped: false)
    #expect(try await absence() == nil)
    for time in ["infinity", "-infinity", "294276-01-01"] {
      try await mirror.execute("UPDATE sync.worker SET last_tick_at = '\(time)'")
      #expect(try await absence() != nil, "\(time)")
    }
    try await mirror.execute("UPDATE sync.worker SET last_tick_at = clock_timestamp() - interval '31 days'")
    let command = try store(mirror.database)
    try await command.recordWorker(isStopped: false)
    try await command.prune()
    #expect(try await mirror.value("SELECT count(*) FROM sync.worker") == "0")
    let never = try #require(try await absence())
    #expect(never.since == nil, "no worker has ever run")
    try await mirror.execute("DELETE FROM sync.job")
    #expect(try await absence() == nil)
    let configured = try #require(try await Workers.absence(in: mirror.database, hasJobs: true))
    #expect(configured.since == nil)
  }

  @Test("other streams are another configuration, and leave the times of the job as they are")
  func streams() async throws {
    let store = try store(mirror.database)
    try await register(["a"], store, mirror)
    try await store.register([job("a", streams: ["top-manga"])], replacing: true)
    let entry = try #require(try await store.board(of: [job("a")]).jobs["a"])
    #expect(entry.scheduledUntil == 1_767_225_600 && !entry.isOurs)
  }

  @Test("a row that was edited hides no other job, and keeps no other run from being taken")
  func edited() async throws {
    let store = try store(mirror.database)
    try await register(["a", "b", "c", "d"], store, mirror)
    for edit in [
      "UPDATE sync.job SET scheduled_until = 'infinity' WHERE name = 'a'",
      "UPDATE sync.job SET scheduled_until = '-infinity' WHERE name = 'b'",
      "UPDATE sync.job SET streams = ARRAY[NULL]::text[] WHERE name = 'c'",
      "INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by) VALUES ('a', '-infinity', '-infinity', 'person')",
      "INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by) VALUES ('a', 'infinity', 'infinity', 'person')",
    ] { try await mirror.execute(edit) }
    let board = try await store.board(of: ["a", "b", "c", "d"].map { job($0) })
    #expect(board.jobs["a"]?.scheduledUntil == Int64.max && board.jobs["b"]?.scheduledUntil == Int64.min)
    #expect(board.jobs["c"]?.isOurs == false)
    #expect(board.jobs["d"]?.isOurs == true && board.jobs["d"]?.scheduledUntil == 1_767_225_600)
    // The counters reach the largest values of their columns, so that an increment would overflow.
    try await store.record([firing("d", Self.instant - 60)])
    try await mirror.execute("UPDATE sync.job_run SET skipped = 2147483647 WHERE job = 'd'")
    try await store.record([firing("a"), firing("b"), firing("d")])
    let counts = "SELECT job, skipped FROM sync.job_run WHERE state = 'waiting' AND isfinite(nominal_at) ORDER BY 1"
    #expect(try await mirror.rows(counts) == [["b", "0"], ["d", "2147483647"]])
    try await mirror.execute("UPDATE sync.job_run SET failures = 2147483647, due_at = '-infinity' WHERE job = 'd'")
    let run = try #require(try await store.take(["a", "d"]))
    #expect(run.key.job == "d")
    try await store.release(run, after: .zero, error: "again", isFailure: true)
    #expect(try await mirror.value("SELECT max(failures) FROM sync.job_run") == "2147483647")
  }

  @Test("many workers take each run once, and no job twice at the same time")
  func taking() async throws {
    let names = (1...6).map { "job\($0)" }
    let store = try store(mirror.database)
    try await register(names, store, mirror)
    try await store.record(names.map { firing($0) })
    for name in names { _ = try await Jobs.trigger(name, in: mirror.database) }
    let taken = try await withThrowingTaskGroup(of: [JobRunKey].self) { group in
      for _ in 1...4 {
        group.addTask {
          try await mirror.other { other in
            var keys: [JobRunKey] = []
            let store = try self.store(other)
            for _ in 1...8 { if let run = try await store.take(names) { keys.append(run.key) } }
            return keys
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.map(\.job).sorted() == names, "one run of each job is running")
    #expect(Set(taken).count == taken.count)
  }

  @Test("only a due run is taken; of a paused job only one that a person has triggered")
  func waiting() async throws {
    let store = try store(mirror.database)
    try await register(["a", "b"], store, mirror)
    let now = Int64(try await store.board(of: []).now)
    try await store.record([firing("a", now, delay: .seconds(3600)), firing("b", now)])
    _ = try await Jobs.pause("b", in: mirror.database)
    #expect(try await store.take(["a", "b"]) == nil)
    let due = try #require(try await store.board(of: [job("a")]).jobs["a"]?.nextDue)
    #expect(abs(due - Double(now) - 3600) < 2)
    #expect(try await Jobs.trigger("b", in: mirror.database) != nil)
    #expect(try await Jobs.trigger("b", in: mirror.database) == nil, "it waits already")
    let run = try #require(try await store.take(["a", "b"]))
    #expect(run.key.job == "b" && run.attempts == 1 && !run.isTakeover)
  }

  @Test("the lease of a worker that has visibly ended is not waited for")
  func seeingAWorkerGone() async throws {
    let store = try store(mirror.database)
    try await register(["a", "b"], store, mirror)
    try await store.record([firing("a"), firing("b")])
    let first = try #require(try await store.take(["a"]))
    _ = try #require(try await store.take(["b"]))
    // No process has this id, because it is above the kernel's largest pid (4,194,304).
    try await mirror.execute(#"UPDATE sync.job_run SET owner = owner || '{"pid": 5000000}' WHERE job = 'a'"#)
    let second = try #require(try await store.take(["a", "b"]))
    #expect(second.key == first.key && second.isTakeover)
    #expect(try await store.take(["a", "b"]) == nil, "the worker of b is this process")
    try await store.end(second, JobEnding(outcome: .done, exitStatus: 0, isCertified: true, error: nil))
    try await mirror.expect(
      "SELECT state, outcome, certified::text, deaths::text FROM sync.job_run WHERE job = 'a'", "ended|done|true|1")
  }

  @Test("a failed attempt is noted; a retry that would come after the next time is left to that time")
  func failed() async throws {
    let store = try store(mirror.database)
    try await register(["a"], store, mirror)
    try await store.record([firing("a")])
    let run = try #require(try await store.take(["a"]))
    try await store.release(run, after: .seconds(300), error: "the service is down", isFailure: true)
    #expect(try await mirror.rows("SELECT failures::text, error FROM sync.job_run") == [["1", "the service is down"]])
    try await store.record([firing("a", Self.instant + 60)])
    #expect(try await mirror.value("SELECT outcome FROM sync.job_run ORDER BY nominal_at LIMIT 1") == "failed")
  }

  @Test("outcomes of runs are kept for 90 days")
  func pruning() async throws {
    let store = try store(mirror.database)
    try await register(["a"], store, mirror)
    for (offset, age) in [(0, "91 days"), (60, "89 days")] as [(Int64, String)] {
      try await store.record([firing("a", Self.instant + offset)])
      let run = try #require(try await store.take(["a"]))
      try await store.end(run, JobEnding(outcome: .done, exitStatus: 0, isCertified: true, error: nil))
      try await mirror.execute(
        "UPDATE sync.job_run SET ended_at = clock_timestamp() - interval '\(age)' WHERE ended_at > now() - interval '1 h'"
      )
    }
    try await store.prune()
    #expect(try await mirror.value("SELECT count(*) FROM sync.job_run") == "1")
  }

  @Test("a paused job's times pass; when it is resumed, none is made up for")
  func pausing() async throws {
    let store = try store(mirror.database)
    try await register(["a"], store, mirror)
    #expect(try await Jobs.pause("a", in: mirror.database))
    #expect(try await !Jobs.pause("a", in: mirror.database))
    try await store.record([firing("a")])
    #expect(try await mirror.value("SELECT count(*) FROM sync.job_run") == "0")
    #expect(try await store.board(of: [job("a")]).jobs["a"]?.isPaused == true)
    #expect(try await Jobs.resume("a", in: mirror.database))
    #expect(try await !Jobs.resume("a", in: mirror.database))
    let board = try await store.board(of: [job("a")])
    #expect(abs(Double(try #require(board.jobs["a"]).scheduledUntil) - board.now) < 5)
    let error = await expectError(.missing) { _ = try await Jobs.pause("b", in: mirror.database) }
    #expect(error?.hint?.contains("syncctl jobs list") == true)
    #expect(try await Jobs.list(mirror.database).rows.count == 1)
  }

  private func listed(_ mirror: StoredMirror) async throws -> String {
    let jobs = try await Jobs.list(mirror.database)
    let row = try #require(jobs.rows.first)
    let places = ["error", "run_id", "last_outcome", "held"].compactMap { name in
      jobs.columns.firstIndex { $0.name == name }
    }
    return places.map { row[$0] ?? "∅" }.joined(separator: "|")
  }

  /// Stores a job run of the streams a, b and c, where a is held, b failed and c is complete.
  private func fail(_ mirror: StoredMirror) async throws {
    try await register(["daily"], store(mirror.database), mirror)
    try await mirror.execute(
      """
      INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by, state, started_at, ended_at, outcome, error)
      VALUES ('daily', '2026-01-02', '2026-01-02', 'schedule', 'ended', '2026-01-02', '2026-01-03', 'failed', 'ea')
      """)
    try await mirror.execute(
      """
      INSERT INTO sync.run (id, source, stream, status, started_at, error, guarded, job, job_nominal_at)
      SELECT format('aaaa0000-0000-4000-8000-00000000000%s', n)::uuid, 'jikan', stream, status,
             '2026-01-02'::timestamptz + n * interval '1 min', error, stream = 'a', 'daily', '2026-01-02'
      FROM (VALUES (1, 'a', 'failed', 'ea'), (2, 'b', 'failed', 'eb'), (3, 'c', 'complete', NULL))
        AS v (n, stream, status, error)
      """)
  }

  private func id(_ number: Int) -> String { "aaaa0000-0000-4000-8000-00000000000\(number)" }

  @Test("a job's error and run are of the same stream; a timeout is shown with the run that it interrupted")
  func pairing() async throws {
    try await fail(mirror)
    #expect(try await listed(mirror) == "ea|\(id(1))|failed|t", "the latest failed run has another error")
    try await mirror.execute("UPDATE sync.job_run SET error = 'timeout'")
    #expect(try await listed(mirror) == "eb|\(id(2))|failed|t")
    try await mirror.execute("UPDATE sync.run SET status = 'interrupted', error = NULL WHERE stream = 'b'")
    #expect(try await listed(mirror) == "timeout|\(id(2))|failed|t")
    try await mirror.execute("UPDATE sync.run SET status = 'complete'")
    #expect(try await listed(mirror) == "timeout|∅|failed|f")
  }

  @Test("a job's error is shown until its stream is completed by any run; then that of another stream, or none")
  func resolved() async throws {
    try await fail(mirror)
    for (stream, status, row) in [
      ("a", "failed", "ea|\(id(1))|failed|t"), ("a", "inconsistent", "eb|\(id(2))|failed|t"),
      ("b", "partial", "eb|\(id(2))|failed|t"), ("b", "complete", "∅|∅|failed|t"),
    ] {
      try await mirror.execute(
        "INSERT INTO sync.run (source, stream, status) VALUES ('jikan', '\(stream)', '\(status)')")
      #expect(try await listed(mirror) == row, "\(stream): \(status)")
    }
  }
}
