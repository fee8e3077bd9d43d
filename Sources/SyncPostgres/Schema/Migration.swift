import EmbeddedSQL
import Hashing

/// One forward step of the schema: `sql/migrations/NNNN_name.sql`, or `sql/sources/NAME/migrations/NNNN_name.sql` for
/// the tables of one source. All are numbered in one sequence. A step that has landed is never edited.
package struct Migration: Sendable, Equatable {
  package let version: Int
  package let name: String
  let text: String
  let checksum: [UInt8]

  var schemas: [String] {
    text.split(separator: "\n").compactMap { line in
      line.hasPrefix("CREATE SCHEMA ") ? line.dropFirst(14).prefix { $0 != ";" }.description : nil
    }.filter { !$0.contains(" ") }
  }

  init?(path: String, text: String) {
    guard let file = path.split(separator: "/").last, file.hasSuffix(".sql"),
      let separator = file.firstIndex(of: "_"), let version = Int(file[..<separator])
    else { return nil }
    self.version = version
    name = String(file[file.index(after: separator)...].dropLast(4))
    self.text = text
    checksum = SHA256.hash(data: Array(text.utf8))
  }

  package static var all: [Migration] {
    paths.compactMap { path in EmbeddedSQL.text(path).flatMap { Migration(path: path, text: $0) } }
      .sorted { $0.version < $1.version }
  }

  static var paths: [String] {
    EmbeddedSQL.paths(in: "migrations")
      + EmbeddedSQL.paths(in: "sources").filter { path in
        let parts = path.split(separator: "/")
        return parts.count == 4 && parts[2] == "migrations"
      }
  }
}

extension Migration {
  /// The schemas that the steps make. The table of the migrations is in the first one.
  static var schemas: [String] { ["sync"] + all.flatMap(\.schemas) }
}

struct AppliedMigration: Equatable {
  let version: Int
  let name: String
  let checksum: [UInt8]
  /// ISO 8601, UTC.
  let appliedAt: String
}

enum MigrationPlan {
  /// - Returns: the steps to apply, in order.
  /// - Throws: `SchemaFault` when the database has steps that this program does not know, or other ones.
  static func pending(known: [Migration], applied: [AppliedMigration]) throws(SchemaFault) -> [Migration] {
    for step in applied {
      // The first of the steps before the baseline; a database with all of them has been read as one with the baseline.
      guard (step.version, step.name) != (1, "sync") else { throw .beforeBaseline(steps: applied.count) }
      guard let mine = known.first(where: { $0.version == step.version }) else {
        throw .newer(databaseVersion: applied.map(\.version).max() ?? 0, programVersion: known.last?.version ?? 0)
      }
      guard mine.checksum == step.checksum else {
        throw .edited(version: step.version, name: step.name)
      }
    }
    let done = Set(applied.map(\.version))
    return known.filter { !done.contains($0.version) }
  }
}

/// Why a schema and this program do not fit.
enum SchemaFault: Error, Equatable {
  case newer(databaseVersion: Int, programVersion: Int)
  case edited(version: Int, name: String)
  case beforeBaseline(steps: Int)
}
