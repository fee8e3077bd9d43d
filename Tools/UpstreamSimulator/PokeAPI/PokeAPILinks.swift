import Foundation

enum PokeAPILinks {
  private static let beginning = Array("/api/v2/".utf8)

  /// Inserts `base` before each string that begins with `/api/v2/`.
  ///
  /// The function uses `memchr`, because documents have up to half a megabyte and thousands of links.
  static func absolute(_ document: [UInt8], base: String) -> [UInt8] {
    let base = Array(base.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(document.count + document.count / 4)
    document.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      var written = 0
      var next = 0
      while let found = memchr(address + next, 0x2F, bytes.count - next) {
        let slash = UnsafeRawPointer(found) - address
        next = slash + 1
        guard isLink(at: slash, bytes) else { continue }
        result.append(contentsOf: bytes[written..<slash])
        result.append(contentsOf: base)
        written = slash
        next = slash + beginning.count
      }
      result.append(contentsOf: bytes[written...])
    }
    return result
  }

  private static func isLink(at slash: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard slash > 0, bytes[slash - 1] == 0x22, slash == 1 || bytes[slash - 2] != 0x5C else { return false }
    return bytes[slash...].starts(with: beginning)
  }
}
