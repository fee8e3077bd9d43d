import EmbeddedSQL
import Foundation
package import SyncPostgres

/// The nine migrations that `0001_baseline.sql` replaced before the first release.
package enum NineMigrations {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "NineMigrations")

  /// Returns the migrations in the order of versions. `create` makes a migration from its path and its text.
  package static func all(_ create: (_ path: String, _ text: String) -> Migration?) throws -> [Migration] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.filter { !$0.hasSuffix(".txt") }.compactMap { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      guard name.hasSuffix(".diff") else { return create("migrations/\(name)", text) }
      let path = "migrations/\(name.dropLast(".diff".count)).sql"
      return create(path, changing(EmbeddedSQL.text(path) ?? "", by: text))
    }
  }

  /// Returns the text of a file of functions or views. Objects that need a later migration are as they were before it.
  package static func earlier(_ text: String) throws -> String {
    let file = folder.appending(path: "earlier-objects.txt")
    var text = text
    for object in statements(in: try String(contentsOf: file, encoding: .utf8)) {
      guard let later = statements(in: text).first(where: { $0.name == object.name }) else { continue }
      text = text.replacing(later.text, with: object.text)
    }
    return text
  }

  /// Divides a text before each statement that creates a function or view.
  private static func statements(in text: String) -> [(name: Substring, text: Substring)] {
    let found = text.matches(of: /(?m)^CREATE OR REPLACE [A-Z]+ ([^\s(]+)/)
    let ends = found.dropFirst().map(\.range.lowerBound) + [text.endIndex]
    return zip(found, ends).map { ($0.output.1, text[$0.range.lowerBound..<$1]) }
  }

  /// Applies the output of `diff -U0` without the removed lines.
  private static func changing(_ text: String, by difference: String) -> String {
    let lines = text.components(separatedBy: "\n")
    var result: [String] = []
    var next = 0
    for line in difference.split(separator: "\n") {
      if let range = line.firstMatch(of: #/^@@ -([0-9]+)(?:,([0-9]+))? /#),
        let first = Int(range.output.1), let count = Int(range.output.2 ?? "1")
      {
        // A range without lines names the line before it.
        let start = count == 0 ? first : first - 1
        result += lines[next..<start]
        next = start + count
      } else {
        result.append(String(line.dropFirst()))
      }
    }
    return (result + lines[next...]).joined(separator: "\n")
  }
}
