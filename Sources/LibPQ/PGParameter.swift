/// The value of a statement's parameter.
///
/// `.text` and `.null` are sent without a type, so that the statement can cast the value (`$1::timestamptz`). The other
/// cases have the type of their name: `.int` is a `bigint`, `.ints` a `bigint[]`. A text with a NUL character makes the
/// statement throw `.nulInText`.
package enum PGParameter: Sendable, Equatable {
  case null
  case text(String)
  case int(Int64)
  case bool(Bool)
  case double(Double)
  /// A `bytea`.
  case bytes([UInt8])
  /// One JSON text in UTF-8. The server checks the text.
  case jsonb([UInt8])
  case ints([Int64])
  case optionalInts([Int64?])
  case texts([String?])
  case byteas([[UInt8]?])
  /// JSON texts in UTF-8, sent as `text[]`. The statement casts them, because `jsonb[]` is twice as slow.
  case jsons([[UInt8]?])

  /// Returns `.null` for `nil`, and otherwise a text.
  package static func text(_ value: String?) -> PGParameter { value.map { .text($0) } ?? .null }
  /// Returns `.null` for `nil`, and otherwise a `bigint`. The type of `.null` is unknown, so some statements must cast
  /// the parameter.
  package static func int(_ value: Int64?) -> PGParameter { value.map { .int($0) } ?? .null }
}

enum TypeOID {
  static let unknown: UInt32 = 0
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let text: UInt32 = 25
  static let float8: UInt32 = 701
  static let byteaArray: UInt32 = 1001
  static let textArray: UInt32 = 1009
  static let int8Array: UInt32 = 1016
  static let jsonb: UInt32 = 3802
}

struct EncodedParameters {
  private(set) var types: [UInt32] = []
  private(set) var formats: [Int32] = []
  private(set) var lengths: [Int32] = []
  private(set) var offsets: [Int?] = []
  private(set) var bytes: [UInt8] = []

  init(_ parameters: [PGParameter]) throws(PostgresError) {
    guard parameters.count <= PostgresLimits.maxParameters else {
      throw PostgresError(
        .tooManyParameters,
        "\(parameters.count) parameters, but a statement takes \(PostgresLimits.maxParameters); pass arrays")
    }
    for (index, parameter) in parameters.enumerated() {
      try append(parameter, number: index + 1)
      guard bytes.count <= PostgresLimits.maxParameterBytes else {
        throw PostgresError(
          .tooManyParameters,
          "the parameters are longer than \(PostgresLimits.maxParameterBytes) bytes; send them in parts")
      }
    }
    bytes.append(0)  // an empty value at the end still needs an address inside the buffer
  }

  private mutating func append(_ parameter: PGParameter, number: Int) throws(PostgresError) {
    switch parameter {
    case .null:
      begin(type: TypeOID.unknown, format: 0, offset: nil)
      lengths.append(0)
    case .text(let value):
      try refuseNUL(in: value, number: number)
      appendText(value, type: TypeOID.unknown)
    case .int(let value): appendText(String(value), type: TypeOID.int8)
    case .bool(let value): appendText(value ? "t" : "f", type: TypeOID.bool)
    case .double(let value): appendBinary(type: TypeOID.float8) { $0.appendBigEndian(value.bitPattern) }
    case .bytes(let value): appendBinary(type: TypeOID.bytea) { $0 += value }
    case .jsonb(let value):
      // The binary format of `jsonb` is a version byte, 1, followed by the text.
      appendBinary(type: TypeOID.jsonb) { $0 += [1] + value }
    case .ints(let values):
      appendArray(values, of: TypeOID.int8, type: TypeOID.int8Array) { $0.appendBigEndian($1) }
    case .optionalInts(let values):
      appendArray(values, of: TypeOID.int8, type: TypeOID.int8Array) { $0.appendBigEndian($1) }
    case .texts(let values):
      for case let value? in values { try refuseNUL(in: value, number: number) }
      appendArray(values, of: TypeOID.text, type: TypeOID.textArray) { $0 += $1.utf8 }
    case .byteas(let values):
      appendArray(values, of: TypeOID.bytea, type: TypeOID.byteaArray) { $0 += $1 }
    case .jsons(let values):
      appendArray(values, of: TypeOID.text, type: TypeOID.textArray) { $0 += $1 }
    }
  }

  private func refuseNUL(in text: String, number: Int) throws(PostgresError) {
    if text.utf8.contains(0) {
      throw PostgresError(.nulInText, "parameter \(number) contains a NUL character, which PostgreSQL's text cannot")
    }
  }

  private mutating func appendText(_ value: String, type: UInt32) {
    begin(type: type, format: 0, offset: bytes.count)
    bytes += value.utf8
    end()
    bytes.append(0)
  }

  private mutating func appendBinary(type: UInt32, _ write: (inout [UInt8]) -> Void) {
    begin(type: type, format: 1, offset: bytes.count)
    write(&bytes)
    end()
  }

  private mutating func appendArray<Element>(
    _ values: [Element?], of elementType: UInt32, type: UInt32, _ write: (inout [UInt8], Element) -> Void
  ) {
    appendBinary(type: type) { bytes in
      bytes.appendBigEndian(Int32(values.isEmpty ? 0 : 1))
      bytes.appendBigEndian(Int32(values.contains { $0 == nil } ? 1 : 0))
      bytes.appendBigEndian(elementType)
      guard !values.isEmpty else { return }
      bytes.appendBigEndian(Int32(truncatingIfNeeded: values.count))
      bytes.appendBigEndian(Int32(1))
      for value in values {
        let start = bytes.count
        bytes.appendBigEndian(Int32(-1))  // -1 means NULL; the length of a value replaces it below
        guard let value else { continue }
        write(&bytes, value)
        let length = UInt32(truncatingIfNeeded: bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
      }
    }
  }

  private mutating func begin(type: UInt32, format: Int32, offset: Int?) {
    types.append(type)
    formats.append(format)
    offsets.append(offset)
  }

  private mutating func end() {
    // The length fits into 32 bits, because `maxParameterBytes` limits all values together.
    lengths.append(Int32(truncatingIfNeeded: bytes.count - (offsets.last.flatMap(\.self) ?? 0)))
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
