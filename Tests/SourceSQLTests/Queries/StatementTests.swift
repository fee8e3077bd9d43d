import EmbeddedSQL
import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(5)), .mirror)
struct StatementTests {
  @Test("psql prepares every question from its file, and every composed statement; make sql writes these")
  func prepared() async throws {
    let composed = try await Self.composed(mirror)
    let questions = (EmbeddedSQL.paths(in: "shared/queries") + EmbeddedSQL.paths(in: "sources"))
      // Only servers with Citus have the tables of distribution.sql.
      .filter { $0.contains("/queries/") && !$0.hasSuffix("/distribution.sql") }
    try #require(composed.count > 150 && questions.count > 70)
    if let folder = ProcessInfo.processInfo.environment["SYNCCTL_SQL_FOLDER"] { try Self.write(composed, to: folder) }
    var script = "\\set ON_ERROR_STOP off\n"
    for (path, text) in composed + questions.map({ (path: $0, text: EmbeddedSQL.text($0) ?? "") }) {
      script += """
        PREPARE statement AS
        \(text)
        ;
        \\if :ERROR
        \\echo \(path): :LAST_ERROR_MESSAGE
        \\else
        DEALLOCATE statement;
        \\endif

        """
    }
    #expect(try await ThrowawayPostgres.shared().psql(script + "\\echo done\n", database: mirror.test.name) == "done\n")
  }

  /// For each folder, scopes that together cover all statements of the folder.
  private static let scopes: [String: [[String]]] = [
    "jikan": [["anime", "all", "none"]], "jikan/genres": [["anime", "genres"]], "itunes": [["us", "search", "x"]],
    "itunes/charts": [["us", "music", "most-played", "songs"]],
    "pokeapi": [
      "ability", "evolution-chain", "item", "language", "move", "nature", "pokemon", "pokemon-encounters",
      "pokemon-form", "pokemon-species", "type", "version", "version-group",
    ].map { [$0] },
  ]

  private struct Mapping: DocumentMapping {
    let sql: StreamSQL
    var name: String { sql.folder }
    var version: Int { 1 }

    func read(_ document: [UInt8], key: Int64) -> Page.Entry {
      .rejected(RejectedItem(key: key, reason: "none", detail: "", excerpt: ""))
    }
  }

  /// Tables with and without counters, a list and a cursor.
  private static let declared: [DeclaredTable] = [.products, .orders, .lines]

  private static func composed(_ mirror: StoredMirror) async throws -> [(path: String, text: String)] {
    try await mirror.migrate(.products, .orders, .lines)
    let tables = EmbeddedSQL.paths(in: "sources").filter { path in
      path.hasSuffix("/table.sql") && !path.hasPrefix("sources/declared/")
    }
    #expect(Set(tables) == Set(scopes.keys.map { SQLComposition.path("table", of: $0) }))
    let scopes = scopes.merging(declared.map { ($0.sql().folder, [$0.sql().scope]) }) { $1 }
    var statements: [String: String] = [:]
    for folder in scopes.keys {
      let own = names(in: String(SQLComposition.path("", of: folder).dropLast("/.sql".count)))
      for name in Set(names(in: "templates") + own).subtracting(["table", "columns", "listed"]) {
        statements["\(folder)/\(name).sql"] = SQLComposition.statement(name, folder: folder)
      }
      for scope in scopes[folder] ?? [] {
        let mapping = Mapping(sql: StreamSQL(folder: folder, scope: scope))
        let verification = try await mirror.owner.read { connection in try DocumentVerification(mapping, connection) }
        statements["\(folder)/verify_columns.sql"] = verification.columns.text
        for table in verification.derived {
          statements["\(folder)/verify_derived/\(table.name).sql"] = table.verify.text
        }
      }
    }
    for name in names(in: "templates/declared") where name != "listed" {
      #expect(statements["declared/shop/products/\(name).sql"] != nil, "\(name)")
    }
    return statements.sorted { $0.key < $1.key }.map { (path: $0.key, text: $0.value) }
  }

  private static func names(in folder: String) -> [String] {
    EmbeddedSQL.paths(in: folder).map { $0.dropFirst("\(folder)/".count) }
      .filter { !$0.contains("/") }.map { String($0.dropLast(".sql".count)) }
  }

  private static func write(_ statements: [(path: String, text: String)], to folder: String) throws {
    if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
    for (path, text) in statements {
      let file = URL(filePath: folder).appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: file)
    }
  }
}
