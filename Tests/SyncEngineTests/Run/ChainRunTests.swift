import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("A run of a chain", .timeLimit(.minutes(10)))
struct ChainRunTests {
  private static let fault = SyncError(.upstream, "answered 500", disposition: .retry(after: nil))
  private static let pages: [[Int64]] = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]]
  private static let paths = ["first", "c2", "c3", "c4"]

  @Test("each page is requested once at the address that the page before named, stored with it, and published")
  func complete() async throws {
    let chain = ChainScript(.chain(Self.pages, total: 10))
    let store = MemoryStore()
    let report = try await run(chain, store)
    #expect(report.status == .complete && report.certificate?.complete == true && report.counters.inserted == 10)
    #expect(chain.requests == Self.paths)
    #expect(await store.published == Set(1...10))
    #expect(await store.commits.map(\.page.claim.next) == ["c2", "c3", "c4", nil])
    #expect(await store.commits.map(\.origin?.address.next) == [nil, "c2", "c3", "c4"])
    #expect(await store.commits.map(\.origin?.address.page) == [1, 2, 3, 4])
  }

  @Test("a page that fails is requested again, and no later page before it", arguments: [1, 4, 9])
  func failingPage(failures: Int) async throws {
    let chain = ChainScript(.chain(Self.pages)) { path, attempt in
      if path == "c3", attempt <= failures { throw Self.fault }
    }
    let store = MemoryStore()
    let report = try await run(chain, store)
    #expect(report.status == .complete && report.certificate?.holes == [])
    #expect(chain.requests == ["first", "c2"] + Array(repeating: "c3", count: failures + 1) + ["c4"])
    #expect(await store.published == Set(1...10))
  }

  @Test("a page that keeps failing ends the run without a hole, and the next run resumes there")
  func lostPage() async throws {
    let isDown = Mutex(true)
    let chain = ChainScript(.chain(Self.pages)) { path, _ in
      if path == "c3", isDown.withLock({ $0 }) { throw Self.fault }
    }
    let store = MemoryStore()
    let first = try await run(chain, store)
    #expect(first.status == .failed && first.error?.code == .upstream && first.certificate?.holes == [])
    #expect(Set(chain.requests) == ["first", "c2", "c3"])
    #expect(await store.commits.compactMap(\.page.keys) == Array(Self.pages.prefix(2)))
    #expect(await store.endings.last?.isResumable == true)
    #expect(await store.published.isEmpty)
    isDown.withLock { $0 = false }
    let tries = chain.requests.count
    #expect(try await run(chain, store).status == .complete)
    #expect(Array(chain.requests.dropFirst(tries)) == ["c3", "c4"])
    #expect(await store.published == Set(1...10))
  }

  @Test("a run that is stopped resumes at the address that its last committed page named", arguments: 1...3)
  func resumes(maxPages: Int) async throws {
    let chain = ChainScript(.chain(Self.pages, total: 10))
    let store = MemoryStore()
    var reports: [RunReport] = []
    repeat {
      reports.append(try await run(chain, store, maxPages: maxPages))
    } while reports.last?.certificate?.endedBy == .maxPages && reports.count < 9
    #expect(reports.count == (Self.pages.count + maxPages - 1) / maxPages)
    #expect(reports.last?.status == .complete && reports.last?.certificate?.distinctKeys == 10)
    #expect(chain.requests == Self.paths)
    #expect(await store.published == Set(1...10))
  }

  private struct Refusal: Sendable {
    let resumedPages: Int
    let path: String
    let disposition: SyncError.Disposition
    let mustRestart: Bool
    let isResumable: Bool
  }

  @Test("a cursor that the service no longer knows ends the walk, and the run must restart only if it resumed there")
  func restart() async throws {
    let refusals = [
      Refusal(resumedPages: 2, path: "c3", disposition: .restart, mustRestart: true, isResumable: false),
      Refusal(resumedPages: 2, path: "c4", disposition: .restart, mustRestart: false, isResumable: false),
      Refusal(resumedPages: 0, path: "c2", disposition: .restart, mustRestart: false, isResumable: false),
      Refusal(resumedPages: 0, path: "first", disposition: .restart, mustRestart: false, isResumable: false),
      Refusal(resumedPages: 2, path: "c3", disposition: .stopStream, mustRestart: false, isResumable: true),
    ]
    for refusal in refusals {
      let isRefused = Mutex(true)
      let chain = ChainScript(.chain(Self.pages)) { path, attempt in
        // The cursor is refused after a failure, because a retry does not change which request of the run is the first.
        guard path == refusal.path, isRefused.withLock({ $0 }) else { return }
        throw attempt == 1 ? Self.fault : SyncError(.upstream, "the cursor is old", disposition: refusal.disposition)
      }
      let store = MemoryStore()
      if refusal.resumedPages > 0 { _ = try await run(chain, store, maxPages: refusal.resumedPages) }
      let clock = ManualClock(isAutomatic: true)
      let resumed = StreamRun(
        stream: chain, fetcher: .forTests(chain, clock: clock), store: store, clock: clock, observer: { _ in })
      let walked = try await resumed.readList(.init())
      let report = try await resumed.publish(walked)
      #expect(walked.mustRestart == refusal.mustRestart, "\(refusal)")
      #expect(report.status == .failed && report.error?.message == "the cursor is old", "\(refusal)")
      #expect(chain.requests.last == refusal.path, "\(refusal)")
      #expect(await store.endings.last?.isResumable == refusal.isResumable, "\(refusal)")
      #expect(await store.published.isEmpty, "\(refusal)")
      isRefused.withLock { $0 = false }
      let tries = chain.requests.count
      #expect(try await run(chain, store).status == .complete, "\(refusal)")
      #expect(chain.requests[tries] == (refusal.isResumable ? refusal.path : "first"), "\(refusal)")
    }
  }

  @Test("known pages are requested conditionally at the same address, and not at another one")
  func conditional() async throws {
    let store = MemoryStore()
    let first = try await run(ChainScript(.chain(Self.pages)), store)
    let same = ChainScript(.chain(Self.pages))
    let stopped = try await run(same, store, maxPages: 2)
    let resumed = try await run(same, store)
    #expect(same.requests == Self.paths && same.conditional == Self.paths)
    #expect(stopped.counters.notModified == 2 && resumed.counters.notModified == 2)
    #expect(resumed.certificate == first.certificate)
    let moved = ChainScript(.chain(Self.pages, cursor: "d"))
    #expect(try await run(moved, store).counters.notModified == 0)
    #expect(moved.requests == ["first", "d2", "d3", "d4"] && moved.conditional == ["first"])
    let again = ChainScript(.chain(Self.pages, cursor: "d"))
    #expect(try await run(again, store).counters.notModified == 4)
  }

  @Test("a complete list looks up the items that it lacks, by the members of their keys, and is published")
  func lookups() async throws {
    let absence = Absence.questionsItem(ShrinkGuard(maxShare: 1, minRows: 1), publishes: true)
    #expect(absence.publishesList && !Absence.questionsItem(.wholeList).publishesList)
    let store = MemoryStore()
    _ = try await run(ChainScript(.chain(Self.pages), absence: absence), store)
    await store.name(5, members: ["north", "17"])
    await store.name(6, members: ["south", "4"])

    let unproven = ChainScript(.chain([[1, 2, 3], [3, 4]]), absence: absence)
    #expect(try await run(unproven, store).status == .inconsistent)
    #expect(unproven.requests == ["first", "c2"])
    #expect(await store.vanished.isEmpty)

    let isBusy = Mutex(true)
    let shorter = ChainScript(.chain([[8, 1, 2], [3, 4]]), absence: absence, found: [5, 9]) { path, _ in
      if path == "items/7", isBusy.withLock({ $0 }) { throw SyncError(.tryLater, "the budget is spent") }
    }
    let stopped = try await run(shorter, store)
    #expect(stopped.status == .failed && stopped.certificate?.endedBy == .noNextPage)
    #expect(await store.vanished == [6])
    isBusy.withLock { $0 = false }
    #expect(try await run(shorter, store).status == .complete)
    #expect(
      shorter.requests == [
        "first", "c2", "items/north/17", "items/south/4", "items/7", "items/7", "items/9", "items/10",
      ])
    #expect(await store.vanished == [6, 7, 10])
    #expect(await store.published == [1, 2, 3, 4, 8])
    #expect(await store.endings.last?.publishes == true)
  }

  @Test("a walk without evidence is unproven: it is published, known to the next walk, and told with the remedy")
  func unproven() async throws {
    let store = MemoryStore()
    for notModified in [0, 4] {
      let report = try await run(ChainScript(.chain(Self.pages, isByKey: false)), store)
      #expect(report.status == .unproven && report.isFresh && report.error == nil)
      #expect(report.certificate?.unproven == true && report.certificate?.complete == false)
      #expect(report.counters.notModified == notModified)
      let warning = await store.endings.last?.warning
      #expect(warning == "nothing proves that no item was removed while the list was read; declare a total")
      #expect(await store.published == Set(1...10))
      #expect(await store.endings.last?.isResumable == false)
    }
    for absence in [Absence.provesNothing, .leavesWindow] {
      let report = try await run(ChainScript(.chain(Self.pages, isByKey: false), absence: absence), MemoryStore())
      #expect(report.status == .complete && report.warning == nil, "such a walk enumerates nothing")
    }
  }

  @Test("a lookup that finds an item of the previous list shows that the walk missed it, also after a stop")
  func missedItems() async throws {
    let absence = Absence.questionsItem(ShrinkGuard(maxShare: 1, minRows: 1), publishes: true)
    let store = MemoryStore()
    func walk(_ pages: [[Int64]], found: Set<Int64>, stopsAt path: String? = nil) async throws -> RunReport {
      try await run(
        ChainScript(.chain(pages, isByKey: false), absence: absence, found: found) { requested, _ in
          if requested == path { throw SyncError(.tryLater, "the budget is spent") }
        }, store)
    }
    #expect(try await walk(Self.pages, found: []).status == .unproven)
    let shorter: [[Int64]] = [[1, 2, 3], [4, 5, 6]]
    #expect(try await walk(shorter, found: [7], stopsAt: "items/9").status == .failed)
    let missed = try await walk(shorter, found: [7])
    #expect(missed.status == .inconsistent && missed.certificate?.missed == 1, "\(missed)")
    #expect(await store.vanished == [8, 9, 10], "each of them has its own 404")
    #expect(await store.published == Set(1...6))
    // The previous list lacks item 7 now, so its absence is nothing new.
    let next = try await walk(shorter, found: [7])
    #expect(next.status == .unproven && next.certificate?.missed == 0, "\(next)")
    #expect(await store.vanished == [8, 9, 10])
  }

  private struct ControlCase: Sendable {
    var found: Set<Int64> = [1, 4]
    /// The outcome of the requests for items 1 and 4.
    var error: SyncError?
    let lookups: [String]
    var status = RunStatus.complete
    var warning: String?
  }

  @Test("missing items are looked up only if the lookup finds an item of the list; otherwise, the run warns")
  func controls() async throws {
    let absence = Absence.questionsItem(ShrinkGuard(maxShare: 1, minRows: 1), publishes: true)
    let (one, four) = ("items/1", "items/4")
    let cases = [
      ControlCase(lookups: [one]), ControlCase(found: [4], lookups: [one, four]),
      ControlCase(found: [], lookups: [one, four], warning: "\(four) does not find an item that the list has"),
      ControlCase(error: SyncError(.upstream, "answered 418"), lookups: [one, four], warning: "removed: answered 418"),
      ControlCase(
        error: Self.fault, lookups: [one, four].flatMap { Array(repeating: $0, count: Limits.requestAttempts) },
        warning: "removed: answered 500"),
      ControlCase(error: SyncError(.tryLater, "the budget is spent"), lookups: [one], status: .failed),
    ]
    for control in cases {
      let store = MemoryStore()
      await store.addControls()
      let same = ChainScript(.chain(Self.pages), absence: absence)
      for _ in 1...2 { _ = try await run(same, store) }
      #expect(same.requests == Self.paths + Self.paths, "nothing is missing, so nothing is looked up")
      let chain = ChainScript(.chain([[1, 2, 3], [4]]), absence: absence, found: control.found) { path, _ in
        if let error = control.error, path == one || path == four { throw error }
      }
      #expect(try await run(chain, store).status == control.status, "\(control)")
      let isComplete = control.status == .complete
      let gone: [Int64] = isComplete && control.warning == nil ? Array(5...10) : []
      #expect(chain.requests == ["first", "c2"] + control.lookups + gone.map { "items/\($0)" }, "\(control)")
      #expect(await store.vanished == Set(gone), "\(control)")
      let listed = Set<Int64>(1...(isComplete ? 4 : 10))
      #expect(await store.published == listed, "\(control)")
      let warning = await store.endings.last?.warning
      #expect(warning?.contains(control.warning ?? "?") == control.warning.map { _ in true }, "\(control)")
    }
  }

  @Test("the lookups of an empty list are its only readings, and a run that resumes after them reads the list again")
  func lookupsOfAnEmptyList() async throws {
    let absence = Absence.questionsItem(ShrinkGuard(maxShare: 1, minRows: 1), publishes: true)
    let store = MemoryStore()
    _ = try await run(ChainScript(.chain(Self.pages), absence: absence), store)
    let empty = ChainScript(.chain([[]], total: 0), absence: absence) { path, _ in
      if path == "items/3" { throw SyncError(.tryLater, "the budget is spent") }
    }
    #expect(try await run(empty, store).status == .failed)
    #expect(await store.vanished == [1, 2])
    let full = ChainScript(.chain(Self.pages), absence: absence)
    #expect(try await run(full, store).status == .complete)
    #expect(full.requests == Self.paths)
    #expect(await store.vanished.isEmpty)
    #expect(await store.published == Set(1...10))
  }
}
