import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("A run of a stream", .timeLimit(.minutes(10)))
struct StreamRunTests {
  private func run(
    _ upstream: AnswerScript, _ store: MemoryStore, maxPages: Int? = nil, timeout: Duration? = nil,
    clock: ManualClock = ManualClock(), observer: @escaping RunObserver = { _ in }
  ) async throws -> RunReport {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    if let timeout { options.timeout = timeout }
    // The clock never advances by itself, so the time limit for the end of a cancelled run cannot expire.
    return try await StreamRun(
      stream: upstream, fetcher: .forTests(upstream), store: store, clock: clock, observer: observer
    ).run(options)
  }

  @Test("a walk to the end: every page once, everything stored, published and reported")
  func complete() async throws {
    let upstream = AnswerScript(.honest(4))
    let store = MemoryStore()
    let told = Mutex<[String]>([])
    let report = try await run(upstream, store) { event in
      told.withLock { told in
        switch event {
        case .waitingForLease: told.append("waiting")
        case .opened(_, _, let pages): told.append("opened \(pages)")
        case .page(_, let number, let advertised, let counters):
          told.append("page \(number)/\(advertised ?? 0) \(counters.inserted)")
        case .documents, .waiting: told.append("unexpected")
        case .finished: told.append("finished")
        }
      }
    }
    #expect(report.status == .complete)
    #expect(report.certificate?.complete == true)
    #expect(report.error == nil)
    #expect(report.counters.pages == 4)
    #expect(report.counters.requests == 4)
    #expect(report.counters.bytes == 40)
    #expect(report.counters.inserted == 12)
    #expect(upstream.requests == [1, 2, 3, 4])
    #expect(await store.published == Set(0..<12))
    #expect(await store.endings.map(\.isResumable) == [false])
    #expect(told.withLock { $0 } == ["opened 0", "page 1/4 3", "page 2/4 6", "page 3/4 9", "page 4/4 12", "finished"])
  }

  @Test("--max-pages stops without an extra request, publishes nothing, and the next run resumes at the next page")
  func maxPages() async throws {
    let upstream = AnswerScript(.honest(5))
    let store = MemoryStore()
    let first = try await run(upstream, store, maxPages: 2)
    #expect(first.status == .partial)
    #expect(first.certificate?.endedBy == .maxPages)
    #expect(first.error == nil)
    #expect(upstream.requests == [1, 2])
    #expect(await store.published.isEmpty)
    let second = try await run(upstream, store)
    #expect(upstream.requests == [1, 2, 3, 4, 5])
    #expect(second.status == .complete)
    #expect(second.counters.pages == 3, "a run counts its own pages")
    #expect(second.certificate?.distinctKeys == 15, "a certificate counts the whole walk")
    #expect(await store.published == Set(0..<15))
  }

  @Test("while a page is written, 31 more are fetched, no later one, and the next commit has those that were read")
  func fetchesAhead() async throws {
    let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
    let upstream = AnswerScript(.honest(48)) { page, _ in if page == 32 { arrived.finish() } }
    let store = MemoryStore { commit in
      guard commit.page.number == 1 else { return }
      for await _ in arrival {}
      for _ in 0..<100 { await Task.yield() }
      #expect(upstream.requests == Array(1...32))
    }
    #expect(try await run(upstream, store).status == .complete)
    #expect(upstream.requests == Array(1...48))
    let batches = await store.batches
    // The second commit contains page 32 only if the run has already read page 32.
    #expect(batches.first == 1 && (30...31).contains(batches[1]))
    #expect(batches.reduce(0, +) == 48)
  }

  @Test("cancelled while pages wait for the database: they are committed")
  func commitsWhatWaits() async throws {
    let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
    let upstream = AnswerScript(.honest(12)) { page, _ in if page == 5 { arrived.finish() } }
    let running = Mutex<Task<RunReport, any Error>?>(nil)
    let store = MemoryStore { commit in
      guard commit.page.number == 1 else { return }
      for await _ in arrival {}
      running.withLock { $0?.cancel() }
    }
    let task = Task { try await run(upstream, store) }
    running.withLock { $0 = task }
    let report = try await task.value
    #expect(report.status == .interrupted)
    let committed = await store.commits.map(\.page.number)
    #expect(committed.count >= 4 && committed == Array(1...committed.count))
    #expect(report.counters.pages == committed.count)
  }

  @Test("a commit that fails ends the run with its error, and nothing after it is written")
  func dropsWhatWaits() async throws {
    let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
    let upstream = AnswerScript(.honest(12)) { page, _ in if page == 5 { arrived.finish() } }
    let store = MemoryStore { commit in
      guard commit.page.number == 1 else { return }
      for await _ in arrival {}
      throw SyncError(.database, "the disk is full")
    }
    let report = try await run(upstream, store)
    #expect(report.status == .failed && report.error?.code == .database)
    #expect(report.error?.message == "the disk is full")
    #expect(await store.endings.last?.isResumable == true)
    #expect(await store.commits.isEmpty)
    #expect(report.counters.pages == 0)
    #expect(report.counters.requests == upstream.requests.count, "what was sent is counted")
  }

  @Test("cancelled while a page is fetched: interrupted, committed pages stay, the next run resumes")
  func cancelledFetch() async throws {
    let network = ManualClock()
    let upstream = AnswerScript(.honest(5)) { page, attempt in
      if page == 4, attempt == 1 { try await network.sleep(for: .seconds(1)) }
    }
    let store = MemoryStore()
    let task = Task { try await run(upstream, store) }
    await network.sleepers(1)
    task.cancel()
    let report = try await task.value
    #expect(report.status == .interrupted)
    #expect(report.error == nil)
    #expect(await store.endings.last?.isResumable == true)
    #expect(await store.published.isEmpty)
    #expect(await store.commits.map(\.page.number) == [1, 2, 3])
    #expect(try await run(upstream, store).status == .complete)
    #expect(upstream.requests == [1, 2, 3, 4, 4, 5])
  }

  @Test("a run that exceeds its timeout is interrupted, says so, and is resumed by the next one")
  func timeout() async throws {
    let (clock, network) = (ManualClock(), ManualClock())
    let upstream = AnswerScript(.honest(5)) { page, attempt in
      if page == 4, attempt == 1 { try await network.sleep(for: .seconds(1)) }
    }
    let store = MemoryStore()
    let task = Task { try await run(upstream, store, timeout: .seconds(100), clock: clock) }
    await network.sleepers(1)
    for _ in 0..<2 {
      await clock.sleepers(1)
      clock.advanceToNextSleeper()
    }
    let report = try await task.value
    #expect(clock.sleeps == [.seconds(60), .seconds(40)])
    #expect(report.status == .interrupted && report.certificate?.endedBy == .interrupted)
    #expect(report.error?.code == .tryLater && report.error?.code.exitStatus == 75)
    #expect(report.error?.message == "test/list: stopped after 100 s, the timeout of a run (runs.timeout)")
    #expect(report.error?.hint?.contains("resume") == true)
    #expect(await store.endings.last?.isResumable == true)
    #expect(await store.published.isEmpty)
    #expect(try await run(upstream, store).status == .complete)
    #expect(upstream.requests == [1, 2, 3, 4, 4, 5])
  }

  @Test("a run that ends in time leaves no sleep behind, however long its timeout is")
  func inTime() async throws {
    let clock = ManualClock()
    let report = try await run(AnswerScript(.honest(3)), MemoryStore(), timeout: .seconds(86_400), clock: clock)
    #expect(report.status == .complete && report.error == nil)
    #expect(clock.nextWake == nil)
    #expect(clock.sleeps.allSatisfy { $0 <= .seconds(60) })
  }

  @Test("cancelled while a page is written: interrupted, and that page is written by the next run")
  func cancelledCommit() async throws {
    let database = ManualClock()
    let isFirst = Atomic(true)
    let upstream = AnswerScript(.honest(4))
    let store = MemoryStore { commit in
      guard commit.page.number == 2, isFirst.exchange(false, ordering: .sequentiallyConsistent) else { return }
      try await database.sleep(for: .seconds(1))
    }
    let task = Task { try await run(upstream, store) }
    await database.sleepers(1)
    task.cancel()
    let report = try await task.value
    #expect(report.status == .interrupted)
    #expect(await store.commits.map(\.page.number) == [1])
    #expect(try await run(upstream, store).status == .complete)
    #expect(await store.rows.count == 12)
  }

  @Test("an upstream that fails ends the run with its error after the pages before it are written")
  func upstreamError() async throws {
    let upstream = AnswerScript(.honest(4)) { page, _ in
      if page == 3 { throw SyncError(.upstream, "answered 400") }
    }
    let store = MemoryStore()
    let report = try await run(upstream, store)
    #expect(report.status == .failed)
    #expect(report.error?.message == "answered 400")
    #expect(report.counters.requests == 3, "the failed request is counted")
    #expect(await store.commits.map(\.page.number) == [1, 2])
  }

  @Test("a held lease is thrown: no ledger row exists to report it")
  func leaseHeld() async throws {
    let store = MemoryStore()
    let upstream = AnswerScript(.honest(1))
    _ = try await store.open(upstream.description, fresh: false)
    let error = await #expect(throws: SyncError.self) { try await run(upstream, store) }
    #expect(error?.code == .leaseHeld)
    #expect(upstream.requests.isEmpty)
  }

  @Test("when closing the run fails too, the error that stopped the walk is reported")
  func finishFails() async throws {
    let store = MemoryStore(finishError: SyncError(.database, "cannot close")) { _ in
      throw SyncError(.database, "cannot write")
    }
    let error = await #expect(throws: SyncError.self) { try await run(AnswerScript(.honest(1)), store) }
    #expect(error?.message == "cannot write")
    let other = MemoryStore(finishError: SyncError(.database, "cannot close"))
    let second = await #expect(throws: SyncError.self) { try await run(AnswerScript(.honest(1)), other) }
    #expect(second?.message == "cannot close")
  }
}
