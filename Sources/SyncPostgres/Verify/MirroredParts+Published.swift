import LibPQ
package import SyncCore

extension MirroredParts {
  /// What a stream was last published from; empty if it has published nothing, or its walk is not kept any more.
  package static func published(of stream: StreamDescription, in database: Database) async throws -> MirroredParts {
    let pages = try await database.read { connection in
      try connection.query(
        QuerySQL.text("published_pages"), [.text(stream.id.source.rawValue), .text(stream.id.name)]
      ).map { row in
        let number = Int(try row.int(0) ?? 1)
        return Page(
          // A page that has to come whole has no address of its own.
          address: try row.text(1).flatMap { PageAddress(text: $0) }
            ?? PageAddress(page: number, size: stream.pageSize),
          keys: (try row.text(2) ?? "").split(separator: " ").compactMap { Int64($0) })
      }
    }
    // Of a list that only names its items, these are what there is to compare.
    guard case .documents = stream.method else { return .pages(pages) }
    return .documents(Set(pages.lazy.flatMap(\.keys)).sorted())
  }
}
