import Foundation
import SyncCore
import SyncTestKit
import Synchronization
import Testing

/// The engine's tests use an in-memory store and a simulated store. Both must behave like the store in PostgreSQL.
@Suite("What every store promises, in memory", .timeLimit(.minutes(10)))
struct MemoryStoreConformanceTests {
  private static let memoryParts: WalkStoreUnderTest.Parts = [.writes, .cachedPages, .guards, .lists]
  private static let virtualParts: WalkStoreUnderTest.Parts = .writes

  private static func stream(_ name: String, _ method: WalkMethod, _ absence: Absence) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: name), provider: "test", origin: "http://test",
      pageSize: 3, method: method, absence: absence, sql: StreamSQL(folder: "test", scope: []))
  }

  private static func test(
    _ store: any WalkStore, other: any WalkStore, _ parts: WalkStoreUnderTest.Parts,
    expireLeases: @escaping @Sendable () async throws -> Void
  ) -> WalkStoreUnderTest {
    WalkStoreUnderTest(
      store, other: other, parts: parts, list: stream("list", .pages, .endsEntry(.wholeList)),
      catalogue: stream("catalogue", .catalogue(pageCap: nil), .questionsItem(.wholeList)),
      documents: stream("documents", .documents(ttl: .seconds(3600)), .questionsItem(.wholeList)),
      item: { _, key, version in
        let document = Array("\(version)".utf8)
        return PageItem(key: key, document: document, contentHash: document, counterHash: 0)
      }, expireLeases: expireLeases)
  }

  @Test("the store of the engine's tests", arguments: WalkStoreConformance.checks(for: memoryParts))
  func memory(_ check: WalkStoreConformance) async throws {
    let store = MemoryStore()
    try await check.run(Self.test(store, other: store, Self.memoryParts) { await store.release() })
  }

  @Test("the store of the simulation", arguments: WalkStoreConformance.checks(for: virtualParts))
  func virtual(_ check: WalkStoreConformance) async throws {
    let failure = await withCheckedContinuation { continuation in
      // The world needs a new thread, because a test is a job of Swift's executor and a job must not run other jobs.
      Thread { continuation.resume(returning: Self.runVirtually(check)) }.start()
    }
    if let failure { throw failure }
  }

  private final class End: Sendable {
    let result = Mutex<Result<Void, any Error>?>(nil)
  }

  private static func runVirtually(_ check: WalkStoreConformance) -> (any Error)? {
    let world = World(seed: testSeed, keepsTrace: false)
    let database = VirtualDatabase(world: world, lists: 1, faults: DatabaseFaults())
    let lists = [stream("list", .pages, .provesNothing).id: 0]
    let stores = [1, 2].map { id in
      VirtualStore(
        process: VirtualProcess(id: id, world: world), database: database, lists: lists, onCommit: { _, _ in })
    }
    let test = test(stores[0], other: stores[1], virtualParts) { database.states[0].expiresAt = .zero }
    let end = End()
    do {
      try world.queue.bound {
        _ = Task(executorPreference: world.queue) {
          do {
            try await check.run(test)
            end.result.withLock { $0 = .success(()) }
          } catch { end.result.withLock { $0 = .failure(error) } }
        }
        try world.run { end.result.withLock { $0 != nil } }
      }
      try end.result.withLock { $0 }?.get()
      return nil
    } catch { return error }
  }

  @Test("the jobs of the worker's tests", arguments: JobStoreConformance.allCases)
  func jobs(_ check: JobStoreConformance) async throws {
    let clock = ManualClock()
    clock.set(.seconds(1_000_000))
    let store = MemoryJobStore(clock)
    try await check.run(
      JobStoreUnderTest(
        store, other: store, backdate: { store.backdate(by: 86_400) }, expireLeases: { store.expireLeases() }))
  }
}
