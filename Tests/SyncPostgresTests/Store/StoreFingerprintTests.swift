import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite struct StoreFingerprintTests {
  /// The part of the migration that replaces stored texts.
  private static func replacement() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try String(contentsOf: root.appending(path: "sql/migrations/0007_secrets.sql"), encoding: .utf8)
    let start = try #require(file.range(of: "DO $$"))
    let end = try #require(file[start.upperBound...].range(of: "END $$;"))
    return String(file[start.lowerBound..<end.upperBound])
  }

  @Test("the migration computes the fingerprints of the store, so that no walk starts again", .mirror)
  func migration() async throws {
    let texts = ["", "page", "appid=0f3c9a71 & é日本 \u{1F600}", String(repeating: "parameter=value&", count: 1000)]
    for text in texts {
      try await mirror.execute(
        """
        INSERT INTO sync.walk (source, stream, provider, origin, page_size, parameters)
        VALUES ('s', 't', 'p', 'o', 1, $1)
        """, [.text(text)])
    }
    try await mirror.execute(try Self.replacement())
    let stored = try await mirror.rows("SELECT parameters FROM sync.walk ORDER BY id").map { $0[0] ?? "" }
    let expected = try await mirror.database.read { connection in
      let fingerprint = try Fingerprint(connection)
      return texts.map { fingerprint.text(of: $0) }
    }
    #expect(stored == expected)
    #expect(stored[0].isEmpty && stored[1].hasPrefix("hmac:") && Set(stored).count == texts.count)
  }
}
