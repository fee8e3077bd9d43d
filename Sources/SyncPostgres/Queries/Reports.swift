import EmbeddedSQL
import LibPQ
import SyncCore

/// The named SQL files of `sql/reports`.
package enum Reports {
  package struct Report: Sendable, Equatable {
    package let name: String
    /// The comment at the top of the file, one line.
    package let summary: String
    /// Columns that a narrow terminal omits: the second line, `-- Omitted where it is narrow: …`.
    package let spare: [String]
    fileprivate let sql: SQL
  }

  package static let all: [Report] = EmbeddedSQL.paths(in: "reports").compactMap { path in
    guard let text = EmbeddedSQL.text(path), let file = path.split(separator: "/").last else { return nil }
    let summary = text.prefix { !$0.isNewline }.drop { "- ".contains($0) }
    let spare = text.firstMatch(of: /\n-- Omitted where it is narrow: (.*)\n/)?.output.1 ?? ""
    return Report(
      name: String(file.dropLast(4)), summary: String(summary),
      spare: spare.split(separator: ", ").map(String.init), sql: SQL(trusted: text))
  }

  package static func run(_ report: Report, in database: Database) async throws -> RowSet {
    try await database.rows(report.sql)
  }
}
