internal import CLibPQ

/// The rows and the completion of one statement, in PostgreSQL's text format.
///
/// Rows and columns count from 0. An invalid row or column number stops the program. The functions that read a column
/// return `nil` for NULL.
package struct PGResult: ~Copyable {
  private let raw: OpaquePointer

  init(raw: OpaquePointer) {
    self.raw = raw
    LiveHandles.countResult(1)
  }

  deinit {
    PQclear(raw)
    LiveHandles.countResult(-1)
  }

  package var rowCount: Int { Int(PQntuples(raw)) }
  package var columnCount: Int { Int(PQnfields(raw)) }
  /// The number of rows that INSERT, UPDATE, DELETE or MERGE changed, or that SELECT returned. 0 for statements that
  /// report no number, such as CREATE TABLE.
  package var affectedRows: Int { PQcmdTuples(raw).flatMap { Int(String(cString: $0)) } ?? 0 }
  package var columnNames: [String] {
    (0..<columnCount).map { PQfname(raw, Int32($0)).map { String(cString: $0) } ?? "" }
  }
  /// The OIDs of the columns' types (`pg_type.oid`).
  package var columnTypes: [UInt32] { (0..<columnCount).map { PQftype(raw, Int32($0)) } }
  /// The server's name for the completed command, such as `INSERT 0 1` or `COMMIT`.
  package var commandTag: String { PQcmdStatus(raw).map { String(cString: $0) } ?? "" }

  /// Returns the column as text. Throws `.invalidUTF8`.
  package func text(row: Int, column: Int) throws(PostgresError) -> String? { try self.row(row).text(column) }
  /// Returns the bytes of the column's text. A `bytea` is not decoded; see `bytea`.
  package func bytes(row: Int, column: Int) -> [UInt8]? { self.row(row).bytes(column) }
  /// Returns the column as a whole number. Throws `.invalidValue` if the text is not a whole number of 64 bits.
  package func int(row: Int, column: Int) throws(PostgresError) -> Int64? { try self.row(row).int(column) }
  /// Returns the column as a Boolean. Throws `.invalidValue` unless the text is `t` or `f`.
  package func bool(row: Int, column: Int) throws(PostgresError) -> Bool? { try self.row(row).bool(column) }
  /// Returns the column as a number. A `numeric` is rounded. Throws `.invalidValue` if the text is not a number.
  package func double(row: Int, column: Int) throws(PostgresError) -> Double? { try self.row(row).double(column) }
  /// Returns the decoded bytes of a `bytea`. Throws `.invalidValue` unless the session's `bytea_output` is `hex`.
  package func bytea(row: Int, column: Int) throws(PostgresError) -> [UInt8]? { try self.row(row).bytea(column) }

  /// Returns the transformed rows in the result's order. The row is valid only during the call of `transform`.
  package func map<T>(_ transform: (borrowing PGRow) throws -> T) rethrows -> [T] {
    var values: [T] = []
    values.reserveCapacity(rowCount)
    for index in 0..<rowCount { values.append(try transform(row(index))) }
    return values
  }

  /// Returns the transformed first row, or `nil` for a result without rows.
  package func first<T>(_ transform: (borrowing PGRow) throws -> T) rethrows -> T? {
    rowCount == 0 ? nil : try transform(row(0))
  }

  private func row(_ index: Int) -> PGRow {
    precondition(index >= 0 && index < rowCount, "no such row")
    return PGRow(raw: raw, index: Int32(index))
  }
}

/// A row of a result. Do not use it after its result was freed. An invalid column number stops the program. The
/// functions that read a column return `nil` for NULL.
package struct PGRow: ~Copyable {
  private let raw: OpaquePointer
  private let index: Int32

  fileprivate init(raw: OpaquePointer, index: Int32) {
    self.raw = raw
    self.index = index
  }

  /// Returns the column as text. Throws `.invalidUTF8`.
  package func text(_ column: Int) throws(PostgresError) -> String? {
    guard let value = value(column) else { return nil }
    guard let text = String(validating: value, as: UTF8.self) else {
      let what = "column \(name(column)) of row \(index)"
      throw PostgresError(.invalidUTF8, "\(what) is not valid UTF-8", isSafeToRetry: false)
    }
    return text
  }

  /// Returns the bytes of the column's text. A `bytea` is not decoded; see `bytea`.
  package func bytes(_ column: Int) -> [UInt8]? { value(column).map { [UInt8]($0) } }

  /// Returns the column as a whole number. Throws `.invalidValue` if the text is not a whole number of 64 bits.
  package func int(_ column: Int) throws(PostgresError) -> Int64? {
    guard let value = value(column) else { return nil }
    guard let number = Int64(String(decoding: value, as: UTF8.self)) else { throw invalid(column, "a bigint") }
    return number
  }

  /// Returns the column as a Boolean. Throws `.invalidValue` unless the text is `t` or `f`.
  package func bool(_ column: Int) throws(PostgresError) -> Bool? {
    guard let value = value(column) else { return nil }
    switch (value.count, value.first) {
    case (1, UInt8(ascii: "t")): return true
    case (1, UInt8(ascii: "f")): return false
    default: throw invalid(column, "a boolean")
    }
  }

  /// Returns the column as a number. A `numeric` is rounded. Throws `.invalidValue` if the text is not a number.
  package func double(_ column: Int) throws(PostgresError) -> Double? {
    guard let value = value(column) else { return nil }
    guard let number = Double(String(decoding: value, as: UTF8.self)) else { throw invalid(column, "a number") }
    return number
  }

  /// Returns the decoded bytes of a `bytea`. Throws `.invalidValue` unless the session's `bytea_output` is `hex`.
  package func bytea(_ column: Int) throws(PostgresError) -> [UInt8]? {
    guard let value = value(column) else { return nil }
    guard value.count.isMultiple(of: 2), value.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]) else {
      throw invalid(column, "a bytea in hex format")
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(value.count / 2 - 1)
    for index in stride(from: 2, to: value.count, by: 2) {
      guard let high = hexDigit(value[index]), let low = hexDigit(value[index + 1]) else {
        throw invalid(column, "a bytea in hex format")
      }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  /// The pointer is valid as long as the result.
  private func value(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
    precondition(column >= 0 && column < Int(PQnfields(raw)), "no such column")
    let column = Int32(column)
    guard PQgetisnull(raw, index, column) == 0, let start = PQgetvalue(raw, index, column) else { return nil }
    let count = Int(PQgetlength(raw, index, column))
    return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  private func name(_ column: Int) -> String {
    PQfname(raw, Int32(column)).map { "\"\(String(cString: $0))\"" } ?? "\(column)"
  }

  /// The message omits the value, which can be confidential.
  private func invalid(_ column: Int, _ expected: String) -> PostgresError {
    PostgresError(.invalidValue, "column \(name(column)) of row \(index) is not \(expected)", isSafeToRetry: false)
  }
}

func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
