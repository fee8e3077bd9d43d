import Foundation
import PostgresTestKit
import SyncTestKit
import Testing

extension EndToEnd {
  @Suite struct Secrets {
    private static let secret = "pa55-canary"

    private static func expectSilence(
      _ mirror: Mirror, _ arguments: [String], _ status: Int32?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let result = try await mirror.syncctl(arguments)
      let printed = result.standardOutput + result.standardError
      #expect(!printed.contains(secret), "\(arguments): \(printed)", sourceLocation: sourceLocation)
      if let status { #expect(result.end == .exit(status), "\(printed)", sourceLocation: sourceLocation) }
    }

    @Test(arguments: [
      "postgresql://u:123/\(secret)@127.0.0.1:9/db", "postgresql://u:1?host=\(secret)@127.0.0.1:9/db",
      "postgresql://u:1?user=\(secret)@127.0.0.1:9/db", "postgresql://u:1#/\(secret)@127.0.0.1:9/db",
      "postgresql://u:1,v:2/\(secret)@127.0.0.1:9/db", "postgresql://127.0.0.1:9/db?dbname=postgres://u:\(secret)@h/x",
      "postgresql://u:\(secret)@[::1/x",
    ]) func databaseURL(url: String) async throws {
      let mirror = try await Mirror.make(.empty).with(["SYNCCTL_DATABASE_URL": url])
      for (arguments, status) in [
        (["run", "--log-format", "json"], 78), (["config"], 0), (["doctor"], 78), (["status"], 78),
      ] { try await Self.expectSilence(mirror, arguments, Int32(status)) }
    }

    @Test(arguments: ["PGDATABASE", "PGHOST", "PGUSER", "PGSERVICE"]) func environment(name: String) async throws {
      let mirror = try await Mirror.make(.empty)
      let endpoint = ["PGHOST": "127.0.0.1", "PGPORT": "\(mirror.database.tcpPort)", "SYNCCTL_DATABASE_URL": ""]
      let odd = mirror.with(endpoint).with([name: "postgresql://u:\(Self.secret)@127.0.0.1:9/db"])
      for arguments in [["run", "--source", "jikan"], ["doctor"], ["status"]] {
        try await Self.expectSilence(odd, arguments, nil)
      }
    }

    @Test(arguments: [
      ["run", "postgresql://u:\(secret)@h/db"], ["run", "--database-url", "postgresql://u:\(secret)@h/db"],
      ["run", "--database-url=postgresql://u:1/\(secret)@h/db"], ["postgresql:///db?password=\(secret)"],
      ["status", "host=h password=\(secret)"], ["run", "--config", "postgres://u:\(secret)@h/db"],
      ["run", "--max-pages", "https://u:\(secret)@h/"], ["health", "--stream", "postgres://\(secret)@h/db"],
      ["run", "--\(secret)=postgres://h/db"],
    ]) func argument(arguments: [String]) async throws {
      try await Self.expectSilence(try await Mirror.make(.empty), arguments, 64)
    }

    @Test(arguments: [
      "database: { url: 'postgresql://u:\(secret)@h/db'", "database:\n\turl: postgresql://u:\(secret)@h/db\n",
      "database:\n  postgresql://u:\(secret)@h/db: x\n",
      "postgresql://u:\(secret)@h/db: x\npostgresql://u:\(secret)@h/db: y\n",
      "database: { url: 'postgresql://u:\(secret)@h/db' }\n",
      "database: { url: 'postgresql:///db?password=\(secret)' }\n",
      "database: { url: 'postgresql:///db?sslpassword=\(secret)' }\n",
      "database: { url: 'postgresql://u:\(secret)@h:badport/db' }\n",
      "database: { url: *\(secret) }\n", "jobs: [{ \(secret)@h: x }]\n",
    ]) func configurationFile(text: String) async throws {
      let mirror = try await Mirror.make(.empty)
      _ = try mirror.home.write(text, to: "syncctl.yaml")
      for arguments in [["run", "--log-format", "json"], ["config"]] {
        try await Self.expectSilence(mirror, arguments, 78)
      }
    }
  }
}
