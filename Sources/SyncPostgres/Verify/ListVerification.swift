import Foundation
import LibPQ
import SyncCore

struct ListVerification: Sendable {
  struct Published: Sendable {
    let list: String
    let key: String
    /// The statements that make the list; `nil` if an older syncctl published the list, if the row was edited, or if
    /// the configuration no longer declares the list.
    let sql: StreamSQL?
    let digest: [UInt8]?
    let walkID: Int64?
    let hasWalk: Bool
    let runID: String
  }

  static func published(
    of source: SourceID, list: String? = nil, _ connection: borrowing PGConnection
  ) throws -> [Published] {
    return try connection.query(QuerySQL.text("publications"), [.text(source.rawValue), .text(list)]).map { row in
      // An edited row can have a null in its scope.
      let scope = row.bytes(2).flatMap { try? JSONDecoder().decode([String].self, from: Data($0)) }
      let folder = try row.text(1)
      let sql = folder.flatMap { folder in scope.map { StreamSQL(folder: folder, scope: $0) } }
      return Published(
        list: try row.text(0) ?? "", key: try row.text(7) ?? "{}",
        sql: sql.flatMap { SourceSQL.has("space", $0) ? $0 : nil },
        digest: try row.bytea(3), walkID: try row.int(4), hasWalk: try row.bool(6) ?? false,
        runID: try row.text(5) ?? "")
    }
  }

  struct Tally: Sendable {
    var entries = 0
    var intervals = 0
    var isWithoutDigest = false
    var differences: [MirrorDifference] = []
  }

  let source: SourceID
  let published: Published
  let sql: StreamSQL

  init?(_ source: SourceID, _ published: Published) {
    guard let sql = published.sql else { return nil }
    self.source = source
    self.published = published
    self.sql = sql
  }

  func list(_ connection: borrowing PGConnection) throws -> Tally {
    var outcome = Tally()
    guard let walkID = published.walkID, published.hasWalk else {
      outcome.differences.append(difference(column: "run_id", stored: "\"\(published.runID)\"", expected: nil))
      return outcome
    }

    if SourceSQL.has("list_keys", sql) {
      let found = try connection.query(SourceSQL.text("list_keys", sql), [.texts(sql.scope)]).first { row in
        (entries: Int(try row.int(0) ?? 0), digest: try row.bytea(1))
      }
      outcome.entries = found?.entries ?? 0
      let entries = try misplaced(walkID, connection)
      outcome.differences += entries
      outcome.isWithoutDigest = published.digest == nil
      if let digest = published.digest, digest != found?.digest, entries.isEmpty {
        outcome.differences.append(difference(column: "digest", stored: digest.json, expected: found?.digest?.json))
      }
    }

    outcome.differences += try connection.query(
      SourceSQL.text("verify_met", sql),
      [.int(walkID), .texts(sql.scope), .text(source.rawValue), .text(published.list)]
    ).map { row in
      MirrorDifference(
        table: SourceSQL.part("table", sql) ?? "", key: try row.text(1) ?? "{}", column: nil, stored: nil,
        expected: nil, remedy: .fetch, item: try row.int(0))
    }
    return outcome
  }

  private func misplaced(_ walkID: Int64, _ connection: borrowing PGConnection) throws -> [MirrorDifference] {
    let table = SourceSQL.part("list table", sql) ?? ""
    return try connection.query(
      SourceSQL.text("verify_list", sql), [.int(walkID), .texts(sql.scope), .texts([])]
    ).map { row in
      let (stored, expected) = (try row.int(2), try row.int(3))
      if let stored, stored == expected {
        return MirrorDifference(
          table: table, key: try row.text(1) ?? "{}", column: "unread", stored: "\(try row.bool(4) ?? false)",
          expected: "\(try row.bool(5) ?? false)", remedy: .publish, item: try row.int(0))
      }

      let isMoved = stored != nil && expected != nil
      func json(_ position: Int64?) -> String? {
        position.map { isMoved ? "\($0)" : "{\"position\": \($0)}" }
      }
      return MirrorDifference(
        table: table, key: try row.text(1) ?? "{}", column: isMoved ? "position" : nil, stored: json(stored),
        expected: json(expected), remedy: .publish, item: try row.int(0))
    }
  }

  private func difference(column: String, stored: String, expected: String?) -> MirrorDifference {
    MirrorDifference(
      table: "sync.publication", key: published.key, column: column, stored: stored, expected: expected,
      remedy: .publish, item: nil)
  }

  func bounds(_ connection: borrowing PGConnection) throws -> [Int64]? {
    guard SourceSQL.has("verify_history", sql) else { return nil }
    return try connection.query(SourceSQL.text("list_bounds", sql), [.texts(sql.scope)]).map { try $0.int(0) ?? 0 }
  }

  /// Checks the history's intervals. Past positions are not checked, because no other table has them.
  func history(
    after: Int64?, upTo: Int64?, besides wrong: [Int64], _ connection: borrowing PGConnection
  ) throws -> Tally {
    let table = SourceSQL.part("history", sql) ?? ""
    var outcome = Tally()
    let parameters: [PGParameter] = [.texts(sql.scope), .int(after), .int(upTo), .ints(wrong)]
    (outcome.intervals, outcome.differences) = try MirrorDifference.lasting(
      connection.query(SourceSQL.text("verify_history", sql), parameters), of: table)
    return outcome
  }
}

extension MirrorDifference {
  /// A row without a key contains the number of compared rows.
  static func lasting(
    _ result: borrowing PGResult, of table: String
  ) throws -> (count: Int, differences: [MirrorDifference]) {
    var count = 0
    let differences = try result.map { row -> MirrorDifference? in
      guard let key = try row.text(0) else {
        count = try row.text(2).flatMap { Int($0) } ?? 0
        return nil
      }
      return MirrorDifference(
        table: table, key: key, column: try row.text(1), stored: try row.text(2), expected: try row.text(3),
        remedy: .none, item: nil)
    }
    return (count, differences.compactMap(\.self))
  }
}

extension [UInt8] {
  var json: String { "\"\\\\x\(hexadecimal)\"" }
}
