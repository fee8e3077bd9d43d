import Foundation

private typealias GroupRecord = group

struct ServerUser: Sendable, Equatable {
  var id: UInt32
  var group: UInt32
  var name: String
  var home: String

  static var current: ServerUser? { lookUp(id: geteuid()) }

  /// Users for a server that root starts, best first. PostgreSQL's package creates `postgres` (macOS: `_postgres`).
  static let unprivilegedNames = ["postgres", "_postgres", "nobody"]

  static func unprivileged() -> ServerUser? {
    unprivilegedNames.lazy.compactMap { lookUp(name: $0) }.first { $0.id != 0 }
  }

  static func lookUp(name: String) -> ServerUser? {
    withRecord { getpwnam_r(name, $0, $1, $2, $3) }
  }

  static func lookUp(id: UInt32) -> ServerUser? {
    withRecord { getpwuid_r(id, $0, $1, $2, $3) }
  }

  static func groupName(id: UInt32) -> String? {
    var record = GroupRecord()
    var found: UnsafeMutablePointer<GroupRecord>?
    var buffer = [CChar](repeating: 0, count: 65_536)
    return buffer.withUnsafeMutableBufferPointer { bytes -> String? in
      guard let base = bytes.baseAddress, getgrgid_r(id, &record, base, bytes.count, &found) == 0,
        let name = found?.pointee.gr_name
      else { return nil }
      return String(cString: name)
    }
  }

  private static func withRecord(
    _ call: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> CInt
  ) -> ServerUser? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    return buffer.withUnsafeMutableBufferPointer { bytes -> ServerUser? in
      guard let base = bytes.baseAddress, call(&record, base, bytes.count, &found) == 0, let entry = found?.pointee,
        let name = entry.pw_name
      else { return nil }
      return ServerUser(
        id: entry.pw_uid, group: entry.pw_gid, name: String(cString: name),
        home: entry.pw_dir.map { String(cString: $0) } ?? "")
    }
  }
}
