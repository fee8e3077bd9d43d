import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@Suite("What every store promises, in PostgreSQL", .timeLimit(.minutes(10)), .mirror)
struct StoreConformanceTests {
  private static let mirrorParts: WalkStoreUnderTest.Parts = [.writes, .cachedPages, .guards, .documents, .lists]
  private static let dryParts: WalkStoreUnderTest.Parts = [.cachedPages, .guards, .documents, .lists]

  func test(
    _ store: any WalkStore, other: any WalkStore, _ parts: WalkStoreUnderTest.Parts, _ mirror: StoredMirror
  ) -> WalkStoreUnderTest {
    WalkStoreUnderTest(
      store, other: other, parts: parts, list: .topAnime, catalogue: .catalogue(),
      documents: StoreDocumentsTests().stream(),
      item: { stream, key, version in
        if stream.id.source == "jikan" { return Media(key, ["title": "\"Title \(version)\""]).item }
        return PageItem(
          key: key, document: Array(#"{"id":\#(key),"name":"thing-\#(version)"}"#.utf8),
          contentHash: contentHash("hash \(version)"), counterHash: 0)
      }, expireLeases: { try await mirror.expireLeases() })
  }

  @Test("the mirror", arguments: WalkStoreConformance.checks(for: mirrorParts))
  func productionStore(_ check: WalkStoreConformance) async throws {
    try await mirror.other { other in
      try await check.run(
        test(PostgresWalkStore(mirror.database), other: PostgresWalkStore(other), Self.mirrorParts, mirror))
    }
  }

  @Test("a dry run", arguments: WalkStoreConformance.checks(for: dryParts))
  func dryRun(_ check: WalkStoreConformance) async throws {
    let dry = DryRunStore(mirror.database, report: { _ in })
    try await check.run(test(dry, other: PostgresWalkStore(mirror.database), Self.dryParts, mirror))
  }

  @Test("jobs", arguments: JobStoreConformance.allCases)
  func jobs(_ check: JobStoreConformance) async throws {
    try await mirror.other { other in
      try await check.run(
        JobStoreUnderTest(
          PostgresJobStore(mirror.database, leaseTTL: .seconds(60)),
          other: PostgresJobStore(other, leaseTTL: .seconds(60)),
          backdate: {
            try await mirror.execute("UPDATE sync.job SET scheduled_until = scheduled_until - interval '1 d'")
          },
          expireLeases: {
            try await mirror.execute(
              "UPDATE sync.job_run SET lease_expires_at = clock_timestamp() - interval '1 s' WHERE state = 'running'")
          }))
    }
  }
}
