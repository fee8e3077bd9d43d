import Foundation
import SyncCore
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Rows that are computed when they are read, so that a long listing needs little memory. Copies share the storage.
package struct Rows<Value: Sendable & Equatable>: RandomAccessCollection, Sendable, Equatable,
  ExpressibleByArrayLiteral
{
  package let count: Int
  private let row: @Sendable (Int) -> [Value]

  /// - Parameter row: Returns the row with an index from 0 to `count` - 1.
  init(count: Int, row: @escaping @Sendable (Int) -> [Value]) {
    self.count = count
    self.row = row
  }

  /// Keeps these rows in memory.
  package init(_ rows: [[Value]]) { self.init(count: rows.count) { rows[$0] } }

  package init(arrayLiteral rows: [Value]...) { self.init(rows) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The values of a row, in the order of the columns. Computed, or read from a temporary file, at each access. `index`
  /// is from 0 to `count` - 1.
  package subscript(index: Int) -> [Value] { row(index) }

  /// Returns rows that `transform` computes each time they are read.
  package func mapped<New>(_ transform: @escaping @Sendable ([Value]) -> [New]) -> Rows<New> {
    Rows<New>(count: count) { [row] index in transform(row(index)) }
  }

  func first(_ limit: Int) -> Rows { Rows(count: Swift.min(limit, count), row: row) }

  /// Compares all rows in their order. Rows in a temporary file are read for the comparison.
  package static func == (one: Rows, other: Rows) -> Bool { one.elementsEqual(other) }
}

/// Collects the rows of a query. If they are larger than `Limits.rowsInMemory`, they are written to a temporary file.
struct RowCollector {
  private var rows: [[String?]] = []
  private var file: TemporaryFile?
  private var buffer: [UInt8] = []
  /// The offset in the file at which each row ends.
  private var ends: [Int] = []
  private(set) var bytes = 0

  var count: Int { rows.count + ends.count }

  /// An array's and a text's own memory, per value.
  private static let overhead = 48
  private static let bufferBytes = 65_536

  mutating func append(_ row: [String?]) throws(SyncError) {
    bytes += row.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    if file == nil {
      rows.append(row)
      // Without a temporary file, all rows stay in memory.
      guard bytes + rows.count * row.count * Self.overhead > Limits.rowsInMemory, let new = TemporaryFile() else {
        return
      }
      file = new
      for row in rows { try write(row) }
      rows = []
    } else {
      try write(row)
    }
  }

  mutating func finish() throws(SyncError) -> Rows<String?> {
    guard let file else { return Rows(rows) }
    try flush()
    return Rows(count: ends.count) { [ends] index in
      Self.decoded(file.bytes(from: index == 0 ? 0 : ends[index - 1], to: ends[index]))
    }
  }

  private mutating func write(_ row: [String?]) throws(SyncError) {
    let start = buffer.count
    for value in row {
      // The length, or the largest number for NULL, and the text.
      withUnsafeBytes(of: value.map { UInt32($0.utf8.count) } ?? .max) { buffer += $0 }
      if let value { buffer += value.utf8 }
    }
    ends.append((ends.last ?? 0) + buffer.count - start)
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  private mutating func flush() throws(SyncError) {
    try file?.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private static func decoded(_ bytes: [UInt8]) -> [String?] {
    var row: [String?] = []
    var offset = 0
    while offset < bytes.count {
      let length = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      offset += MemoryLayout<UInt32>.size
      guard length != .max else {
        row.append(nil)
        continue
      }
      row.append(String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self))
      offset += Int(length)
    }
    return row
  }
}

/// A private file that has no name, so that it disappears with this process.
private final class TemporaryFile: Sendable {
  private let descriptor: FileDescriptor
  private static var folder: String { FileManager.default.temporaryDirectory.path }

  /// Returns `nil` if the folder for temporary files cannot be written.
  init?() {
    guard let file = try? FileOperations.nameless(in: Self.folder) else { return nil }
    descriptor = file
  }

  deinit { try? descriptor.close() }

  func append(_ bytes: [UInt8]) throws(SyncError) {
    do {
      try descriptor.writeAll(bytes)
    } catch {
      throw SyncError(
        .tryLater, "cannot write a long listing to a temporary file in \(Self.folder): \(error)",
        hint: "free space there, set TMPDIR to another folder, or lower --limit")
    }
  }

  func bytes(from start: Int, to end: Int) -> [UInt8] {
    var offset = start
    return [UInt8](unsafeUninitializedCapacity: end - start) { target, count in
      while count < end - start {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[count...])
        guard let read = try? descriptor.read(fromAbsoluteOffset: Int64(offset), into: rest), read > 0 else {
          // The file is open and has these bytes, so only a broken disk fails. Missing rows would be a wrong answer.
          preconditionFailure("a temporary file cannot be read")
        }
        count += read
        offset += read
      }
    }
  }
}
