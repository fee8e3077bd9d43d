import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite struct StoreFingerprintTests {
  /// The block of the replaced migration 7 that computes HMAC-SHA256 of `parameters` (RFC 2104), with the key of the
  /// database. Walks of carried-over mirrors have its fingerprints.
  private static func replacement() throws -> String {
    let migration = try #require(NineMigrations.all(Migration.init(path:text:)).first { $0.version == 7 })
    let start = try #require(migration.text.firstRange(of: "DO $$")).lowerBound
    let end = try #require(migration.text.firstRange(of: "END $$;")).upperBound
    return String(migration.text[start..<end])
  }

  @Test("the fingerprints use the database's key, so that the same text has the same one on all machines", .mirror)
  func key() async throws {
    let texts = ["", "page", "appid=0f3c9a71 & é日本 \u{1F600}", String(repeating: "parameter=value&", count: 1000)]
    for text in texts {
      try await mirror.execute(
        """
        INSERT INTO sync.walk (source, stream, provider, origin, page_size, parameters)
        VALUES ('s', 't', 'p', 'o', 1, $1)
        """, [.text(text)])
    }
    try await mirror.execute(Self.replacement())
    let expected = try await mirror.rows("SELECT parameters FROM sync.walk ORDER BY id").map { $0[0] ?? "" }
    let computed = try await mirror.database.read { connection in
      let fingerprint = try Fingerprint(connection)
      return texts.map { fingerprint.text(of: $0) }
    }
    #expect(computed == expected)
    #expect(computed[0].isEmpty && computed[1].hasPrefix("hmac:") && Set(computed).count == texts.count)
  }
}
