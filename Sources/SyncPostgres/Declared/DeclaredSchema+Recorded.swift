import Foundation
import LibPQ
package import SyncCore

extension DeclaredSchema {
  /// The state of a resource's tables after the last migration and the last walks.
  package struct Recorded: Sendable {
    package let resource: String
    let key: [String]
    let selector: String
    /// The columns by `DeclaredTable.recordName(of:)`.
    let columns: [String: RecordedColumn]
    /// The names of the members that are counters.
    let counters: [String]
    let hasList: Bool
    /// The type of the names of the lists. `nil` if the resource has one list.
    let listNameType: String?
    /// The relations that exist. A user can have dropped one.
    let relations: Relations
    /// Whether a walk of the whole list was published, with this declaration and origin.
    package let hasFull: Bool
    /// The age of that publication in seconds.
    package let fullAge: Int64?
    /// The largest value of the incremental cursor up to which each change is stored, as JSON text. `nil` before the
    /// first walk, or if the items have no such value.
    package let cursor: String?
  }

  /// The relations of a table that the database has.
  struct Relations: Sendable {
    /// The version of the rule that computed the keys; see `DeclaredIdentity.current`.
    var identity = DeclaredIdentity.current
    var hasCounters = true
    var hasList = true
    var hasView = true
    var hasPlaces = true
  }

  struct RecordedColumn: Codable, Equatable {
    let path: [String]
    /// The type with its format.
    let type: String

    init(_ column: DeclaredTable.Column) {
      path = column.path
      type = column.type.description
    }
  }

  /// Returns the recorded resources of a source.
  /// - Parameter walked: For each resource, its stream when the whole list is walked.
  /// - Throws: `SyncError` if a row of `sync.declared_resource` was edited so that it cannot be read.
  package static func recorded(
    of source: SourceID, walked: [StreamDescription] = [], in database: Database
  ) async throws -> [Recorded] {
    try await database.read { connection in try recorded(of: source, walked: walked, connection) }
  }

  static func recorded(
    of source: SourceID, walked: [StreamDescription], _ connection: borrowing PGConnection
  ) throws -> [Recorded] {
    guard try isPrepared(connection) else { return [] }
    let relations = try relations(of: source, connection)
    // Commands of readers ask for no walks, and cannot read the key.
    let fingerprint = walked.isEmpty ? nil : try Fingerprint(connection)
    let rows = try connection.query(
      QuerySQL.text("declared_state"),
      [
        .text(source.rawValue), .texts(walked.map(\.id.name)),
        .texts(walked.map { fingerprint?.text(of: $0.parameters) ?? "" }), .texts(walked.map(\.origin)),
      ])

    return try rows.map { row in
      let resource = try row.text(0) ?? ""
      do {
        return Recorded(
          resource: resource,
          key: try Self.list(row.bytes(1)),
          selector: try row.text(2) ?? "",
          columns: try JSONDecoder().decode([String: RecordedColumn].self, from: Data(row.bytes(3) ?? [])),
          counters: try Self.list(row.bytes(4)),
          hasList: try row.bool(5) ?? false,
          listNameType: try row.text(9),
          relations: relations[resource] ?? Relations(),
          hasFull: try row.bool(6) ?? false,
          fullAge: try row.int(7),
          cursor: try row.text(8))
      } catch is DecodingError {
        throw SyncError(
          .database, "the row of \(source).\(resource) in sync.declared_resource cannot be read, so it was edited",
          hint: "restore the row from a backup, or drop the table \(source).\(resource): migrate creates it again",
          disposition: .stopRun)
      }
    }
  }

  private static func relations(
    of source: SourceID, _ connection: borrowing PGConnection
  ) throws -> [String: Relations] {
    let rows = try connection.query(QuerySQL.text("declared_relations"), [.text(source.rawValue)]).map { row in
      let relations = Relations(
        identity: Int(try row.int(1) ?? 0),
        hasCounters: try row.bool(2) ?? false,
        hasList: try row.bool(3) ?? false,
        hasView: try row.bool(4) ?? false,
        hasPlaces: try row.bool(5) ?? false)
      return (try row.text(0) ?? "", relations)
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  private static func list(_ json: [UInt8]?) throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(json ?? []))
  }

  /// Checks that the table in the database is as it is declared now.
  /// - Throws: `SyncError` `.configuration` if `migrate` must create or change tables first.
  package static func expect(_ table: DeclaredTable, among recorded: [Recorded]) throws(SyncError) {
    let hint = "syncctl migrate creates and changes the tables of declared sources"
    guard let recorded = recorded[table] else {
      throw SyncError(.configuration, "\(table.source): the table \(table.name) does not exist yet", hint: hint)
    }
    try table.refuseOtherKey(recorded)
    guard !table.mustBeRekeyed(recorded) else {
      throw SyncError(
        .configuration,
        "\(table.name): an older syncctl computed its keys, which depend on how the service spells them",
        hint: "syncctl migrate computes them again, without a request")
    }
    if let dropped = table.droppedRelations(of: recorded).first {
      throw SyncError(.configuration, "\(dropped) was dropped", hint: "syncctl migrate creates it again")
    }
    guard table.addedColumns(to: recorded).isEmpty, table.changedColumns(in: recorded).isEmpty,
      !table.hasOtherCounters(than: recorded), table.newCounters(to: recorded).isEmpty,
      recorded.hasList || !table.hasList, !table.hasOtherLists(than: recorded)
    else {
      throw SyncError(
        .configuration, "\(table.source): the declaration of \(table.resource) has changed since the last migrate",
        hint: hint)
    }
  }
}

extension [DeclaredSchema.Recorded] {
  /// The recorded resource of a table; `nil` before the table's first migration.
  subscript(table: DeclaredTable) -> DeclaredSchema.Recorded? { first { $0.resource == table.resource } }
}
