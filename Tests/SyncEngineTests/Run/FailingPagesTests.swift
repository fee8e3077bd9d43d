import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("Pages that fail", .timeLimit(.minutes(10)))
struct FailingPagesTests {
  private static let fault = SyncError(.upstream, "answered 500", hint: "wait", disposition: .retry(after: nil))

  @Test("a page that keeps failing is a hole; the walk continues by number, and publishes nothing")
  func hole() async throws {
    let upstream = AnswerScript(.honest(6)) { page, _ in if page == 3 { throw Self.fault } }
    let store = MemoryStore()
    let report = try await run(upstream, store)
    #expect(report.status == .partial)
    #expect(report.error == nil)
    #expect(report.certificate?.holes == [3])
    #expect(report.certificate?.endedBy == .noNextPage)
    #expect(report.counters.pages == 5)
    #expect(await store.published.isEmpty)
    #expect(await store.commits.map(\.page.number) == Array(1...6))
    #expect(await store.rows.count == 15)
    #expect(upstream.requests == [1, 2, 3, 3, 3, 3, 4, 3, 3, 3, 3, 5, 6])
    #expect(await store.endings.last?.isResumable == false, "a walk with holes is not resumed")
  }

  @Test("a page that fails while its service restarts is no hole")
  func restart() async throws {
    let upstream = AnswerScript(.honest(5)) { page, attempt in if page == 3, attempt <= 4 { throw Self.fault } }
    let store = MemoryStore()
    #expect(try await run(upstream, store).status == .complete)
    #expect(upstream.requests == [1, 2, 3, 3, 3, 3, 4, 3, 5])
    #expect(await store.published == Set(0..<15))
  }

  @Test("two broken pages next to each other are two holes, and the page after them is requested once")
  func neighbours() async throws {
    let upstream = AnswerScript(.honest(6)) { page, _ in if page == 3 || page == 4 { throw Self.fault } }
    #expect(try await run(upstream, MemoryStore()).certificate?.holes == [3, 4])
    #expect(upstream.requests.count { $0 == 5 } == 1)
    #expect(upstream.requests.count { $0 == 3 } == 8)
  }

  @Test("a broken last page is a hole and not the end, although the page after it is 404")
  func lastPage() async throws {
    let pages = (0..<4).map { TestPage([$0], total: 4, last: 4, hasNext: true) }
    let upstream = AnswerScript(pages) { page, _ in if page == 4 { throw Self.fault } }
    let report = try await run(upstream, MemoryStore())
    #expect(report.status == .partial)
    #expect(report.certificate?.holes == [4])
    #expect(report.certificate?.endedBy == .notFound)
  }

  @Test("an outage of a minute costs no hole: the breaker opens, a probe finds the service again, the walk continues")
  func outage() async throws {
    let clock = ManualClock(isAutomatic: true)
    let upstream = AnswerScript(.honest(8)) { page, _ in
      if page >= 3, clock.now() < .seconds(60) { throw Self.fault }
    }
    let report = try await run(upstream, MemoryStore(), clock: clock)
    #expect(report.status == .complete)
    #expect(report.certificate?.holes == [])
    let tries = (3...7).flatMap { Array(repeating: $0, count: 4) }
    #expect(Array(upstream.requests.dropFirst(2).prefix(21)) == tries + [3])
    #expect(report.counters.requests == 8 + 20)
    #expect(clock.sleeps.contains(Limits.breakerPause))
  }

  @Test("an outage that lasts ends the run after three openings, with the cursor before the pages that failed")
  func longOutage() async throws {
    let clock = ManualClock(isAutomatic: true)
    let isDown = Mutex(true)
    let upstream = AnswerScript(.honest(8)) { page, _ in
      if page >= 3, isDown.withLock({ $0 }) { throw Self.fault }
    }
    let store = MemoryStore()
    let first = try await run(upstream, store, clock: clock)
    #expect(first.status == .failed)
    #expect(first.error?.code == .upstream)
    #expect(first.error?.disposition == .stopStream)
    #expect(upstream.requests.count == 24, "two pages, 20 failed attempts, two probes with one request each")
    #expect(clock.sleeps.count { $0 == Limits.breakerPause } == 2)
    #expect(await store.commits.map(\.page.number) == [1, 2])
    isDown.withLock { $0 = false }
    #expect(try await run(upstream, store).status == .complete)
    #expect(upstream.requests.suffix(6) == [3, 4, 5, 6, 7, 8])
  }

  @Test("a service that has not answered at all ends the run without a wait")
  func downFromTheStart() async throws {
    let clock = ManualClock(isAutomatic: true)
    let upstream = AnswerScript(.honest(8)) { _, _ in throw Self.fault }
    let report = try await run(upstream, MemoryStore(), clock: clock)
    #expect(report.error?.message == "answered 500 (tried 4 times)")
    #expect(report.error?.hint == "wait")
    #expect(upstream.requests == [1, 1, 1, 1])

    let resumed = AnswerScript(.honest(8)) { page, _ in if page > 2 { throw Self.fault } }
    let store = MemoryStore()
    _ = try await run(resumed, store, maxPages: 2)
    #expect(try await run(resumed, store, clock: clock).error?.code == .upstream)
    #expect(resumed.requests.count == 2 + 20)
    #expect(!clock.sleeps.contains(Limits.breakerPause))
  }

  @Test("a run that resumes before a broken page gets past it")
  func resumedAtBrokenPage() async throws {
    let upstream = AnswerScript(.honest(5)) { page, _ in if page == 3 { throw Self.fault } }
    let store = MemoryStore()
    _ = try await run(upstream, store, maxPages: 2)
    #expect(try await run(upstream, store).certificate?.holes == [3])
    #expect(await store.commits.map(\.page.number) == Array(1...5))
  }

  @Test("--max-pages counts a hole as a page, and not the pages fetched ahead")
  func maxPages() async throws {
    let upstream = AnswerScript(.honest(6)) { page, _ in if page == 3 { throw Self.fault } }
    let store = MemoryStore()
    #expect(try await run(upstream, store, maxPages: 3).certificate?.endedBy == .maxPages)
    #expect(await store.commits.map(\.page.number) == [1, 2, 3])
    _ = try await run(upstream, store)
    #expect(await store.commits.map(\.page.number) == Array(1...6))
  }

  @Test("a service that fails too often spends the run's retries: try later, with the cursor kept")
  func retriesSpent() async throws {
    let upstream = AnswerScript(.honest(60)) { _, attempt in if attempt == 1 { throw Self.fault } }
    let store = MemoryStore()
    var pages = 0
    var runs = 0
    var report: RunReport
    repeat {
      report = try await run(upstream, store)
      runs += 1
      #expect(report.counters.retries <= max(20, report.counters.requests / 10))
      #expect(await store.commits.count > pages, "every run gets further")
      pages = await store.commits.count
      if report.status != .complete {
        #expect(report.error?.code == .tryLater)
        #expect(report.error?.message.contains("requests are used; last error: answered 500") == true)
      }
    } while report.status != .complete && runs < 10
    #expect(report.status == .complete)
    #expect(runs == 3, "twenty pages per run, and the rest in the last one")
  }

  @Test("a held lease is waited for if the command says so, and the wait is reported once")
  func waitsForLease() async throws {
    let clock = ManualClock()
    let upstream = AnswerScript(.honest(2))
    let store = MemoryStore()
    _ = try await store.open(upstream.description, fresh: false)
    let told = Mutex(0)
    let run = StreamRun(
      stream: upstream, fetcher: .forTests(upstream), store: store, clock: clock,
      observer: { if case .waitingForLease = $0 { told.withLock { $0 += 1 } } })
    let task = Task {
      var options = StreamRun.Options()
      options.waitsForLease = true
      return try await run.run(options)
    }
    for _ in 0..<5 {
      await clock.sleepers(1)
      #expect(upstream.requests.isEmpty)
      clock.advanceToNextSleeper()
    }
    await clock.sleepers(1)
    await store.release()
    clock.advanceToNextSleeper()
    #expect(try await task.value.status == .complete)
    #expect(told.withLock { $0 } == 1)
  }
}

@Suite("The heartbeat of a lease", .timeLimit(.minutes(10)))
struct HeartbeatTests {
  private func run(
    _ store: MemoryStore, clock: ManualClock, network: ManualClock
  ) -> (Task<RunReport, any Error>, AnswerScript) {
    let upstream = AnswerScript(.honest(3)) { page, _ in if page == 2 { try await network.sleep(for: .seconds(1)) }
    }
    let run = StreamRun(stream: upstream, fetcher: .forTests(upstream), store: store, clock: clock, observer: { _ in })
    return (Task { try await run.run(.init()) }, upstream)
  }

  @Test("while a page is fetched, the lease is renewed four times in its lifetime")
  func renews() async throws {
    let (clock, network) = (ManualClock(), ManualClock())
    let renewals = Mutex(0)
    let store = MemoryStore(leaseTTL: .seconds(90), onRenew: { renewals.withLock { $0 += 1 } })
    let (task, _) = run(store, clock: clock, network: network)
    await network.sleepers(1)
    var times: [Duration] = []
    // If the run does not renew its lease, the loop ends after 40 rounds, and the test fails before its time limit.
    for _ in 0..<40 where times.count < 8 {
      // The two sleepers are the heartbeat and its watchdog.
      await clock.sleepers(2)
      if renewals.withLock({ $0 }) > times.count { times.append(clock.now()) }
      clock.advanceToNextSleeper()
    }
    #expect(times == (1...8).map { .milliseconds(22_500 * $0) })
    network.advanceToNextSleeper()
    #expect(try await task.value.status == .complete)
  }

  @Test("a lease that another process has taken ends the run at once, and is its reason")
  func lost() async throws {
    let (clock, network) = (ManualClock(), ManualClock())
    let taken = SyncError(.tryLater, "another process has taken over")
    let store = MemoryStore(leaseTTL: .seconds(90), onRenew: { throw taken })
    let (task, upstream) = run(store, clock: clock, network: network)
    await network.sleepers(1)
    await clock.sleepers(2)
    clock.advanceToNextSleeper()
    let report = try await task.value
    #expect(report.status == .failed)
    #expect(report.error?.code == .tryLater)
    #expect(report.error?.message == "another process has taken over")
    #expect(upstream.requests == [1, 2])
    #expect(await store.commits.map(\.page.number) == [1])
  }

  @Test("a lease that the database does not renew ends the run before another process can take it")
  func hangs() async throws {
    let (clock, network, database) = (ManualClock(), ManualClock(), ManualClock())
    let store = MemoryStore(leaseTTL: .seconds(90), onRenew: { try await database.sleep(for: .seconds(3600)) })
    let (task, upstream) = run(store, clock: clock, network: network)
    await network.sleepers(1)
    await clock.sleepers(2)
    clock.advanceToNextSleeper()
    await database.sleepers(1)
    #expect(clock.now() == .milliseconds(22_500))
    clock.advanceToNextSleeper()
    let report = try await task.value
    #expect(clock.now() == .seconds(60))
    #expect(report.status == .failed)
    #expect(report.error?.code == .tryLater)
    #expect(report.error?.message.contains("60 s") == true)
    #expect(upstream.requests == [1, 2])
  }

  @Test("a stopped run is interrupted, with a heartbeat or without")
  func cancelled() async throws {
    let (clock, network) = (ManualClock(), ManualClock())
    let store = MemoryStore(leaseTTL: .seconds(90))
    let (task, _) = run(store, clock: clock, network: network)
    await network.sleepers(1)
    await clock.sleepers(1)
    task.cancel()
    let report = try await task.value
    #expect(report.status == .interrupted)
    #expect(report.error == nil)
  }
}
