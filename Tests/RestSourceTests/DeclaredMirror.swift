import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncProgram

@testable import RestSource

/// A declared resource in the database of a test, whose pages the source's reader reads.
struct DeclaredMirror {
  let resource: Declaration.Resource
  private let stream: StreamDescription
  private var table: DeclaredTable { resource.table }

  /// - Parameters:
  ///   - source: A name that no other test uses, because statements are composed once per process.
  ///   - yaml: The resource, as in `DeclarationText.resource`.
  init(_ source: SourceID, _ yaml: String) async throws {
    let lines = yaml.split(separator: "\n").joined(separator: "\n    ")
    let declaration = try DeclarationText.read(
      "client: { base_url: https://api.example.org, paginator: single_page }\nresources:\n  - \(lines)\n", id: source)
    resource = declaration.resources[0]
    resource.table.embed()
    stream = RestStream(resource, of: declaration).description
    _ = try await DeclaredSchema([resource.table]).migrate(in: mirror.owner, dropsColumns: false)
  }

  /// Walks a list with one page.
  /// - Parameter items: JSON objects.
  @discardableResult
  func walk(_ items: [String], in store: (any WalkStore)? = nil) async throws -> RunReport {
    var walk = try await WalkedList(store ?? PostgresWalkStore(mirror.database), stream)
    let response = UpstreamResponse(status: 200, headers: [:], body: Array("[\(items.joined(separator: ","))]".utf8))
    let request = UpstreamRequest(url: "https://api.example.org")
    var (found, rejected): ([PageItem], [RejectedItem]) = ([], [])
    if case .items(let entries, _) = try RestReader(resource).page(response, to: request, isFirst: true) {
      for entry in entries {
        switch entry {
        case .item(let item): found.append(item)
        case .rejected(let item): rejected.append(item)
        case .listed: break
        }
      }
    }
    try await walk.commit(1, found, rejected: rejected)
    return try await walk.finish()
  }

  private var mappings: [any DocumentMapping] { [RestMapping(resource)] }

  func verified() async throws -> (differences: [MirrorDifference], outcome: Verification.Tally) {
    var differences: [MirrorDifference] = []
    let verification = Verification(mirror.database, source: table.source, mappings, streams: nil)
    let outcome = try await verification.run { differences.append($0) }
    return (differences, outcome)
  }

  func repair(_ outcome: Verification.Tally) async throws {
    _ = try await Repair(mirror.database, source: table.source, mappings, ttl: .seconds(60)).apply(outcome.plan)
  }

  /// The rows of the table, the counters and the list without their times, by table and key.
  func rows() async throws -> [String: String] {
    let tables = [table.name, "\(table.name)_counters", "\(table.name)_list"].map { name in
      """
      SELECT '\(name) ' || syncctl_key, (to_jsonb(t.*)
        - '{first_seen_at,changed_at,requested_at,vanished_at,content_hash}'::text[])::text FROM \(name) t
      """
    }
    return try await mirror.rows(tables.joined(separator: " UNION ALL ")).reduce(into: [:]) { rows, row in
      rows[row[0] ?? ""] = row[1]
    }
  }
}
