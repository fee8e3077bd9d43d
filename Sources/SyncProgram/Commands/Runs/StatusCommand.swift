import ArgumentParser
package import SyncCore
import SyncPostgres

struct StatusCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how fresh every stream of the mirror is.",
    discussion: """
      Example:
        syncctl status --format json
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func listing() async throws -> Listing {
    let rows = try await common.context().withExistingMirror { database in try await Runs.status(database) }
    let listing = Listing(
      rows, emptyMessage: "Nothing has been mirrored yet: syncctl run starts it.",
      titles: ["last_complete_at": "complete", "resumes_after_page": "resumes after", "verified_at": "verified"])
    return listing.laidOut(
      hiding: Set(listing.tells("quarantined") ? [] : ["quarantined"]).union(
        ["last_consistent_at", "started_at", "rows_seen", "inserted", "updated", "unchanged", "provider", "origin"]),
      ifEmpty: ["verified_at", "differences"],
      leaving: ["verified_at"], ["resumes_after_page"], ["entries"], ["source"])
  }
}

extension Listing {
  /// Whether a row has a value in the column that is not zero.
  func tells(_ key: String) -> Bool { values(of: key).contains { ![.null, .int(0)].contains($0) } }

  func values(of key: String) -> [Cell] {
    guard let place = columns.firstIndex(where: { $0.key == key }) else { return [] }
    return rows.map { $0[place] }
  }

  /// One line per column, for a listing of one row that is too wide to be read across.
  var turned: Listing {
    let values = rows.first ?? []
    return Listing(
      columns: [Column("field"), Column("value", alignment: .leading, fit: .wrapped, isExact: true)],
      rows: zip(columns, values).map { [.text($0.title), $0.readable($1)] }, emptyMessage: emptyMessage)
  }
}

package enum Bounds {
  /// - Returns: nil for 0, which stands for all.
  package static func limit(_ value: Int) throws(SyncError) -> Int? {
    guard (0...100_000).contains(value) else {
      throw SyncError(.usage, "--limit \(value) is out of bounds", hint: "give 1 to 100000, or 0 for all")
    }
    return value == 0 ? nil : value
  }
}
