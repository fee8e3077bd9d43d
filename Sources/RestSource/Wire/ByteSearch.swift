/// The search for a text in the bytes of a body, after Knuth, Morris and Pratt. Its time is linear in the bytes of
/// both, whatever a service sends.
struct ByteSearch {
  private let text: [UInt8]
  /// For each number of found bytes, the number of bytes that are still found if the next byte differs.
  private let fallback: [Int]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var fallback = [0, 0]
    for index in bytes.indices.dropFirst() {
      var found = fallback[index]
      while found > 0, bytes[found] != bytes[index] { found = fallback[found] }
      fallback.append(bytes[found] == bytes[index] ? found + 1 : 0)
    }
    self.text = bytes
    self.fallback = fallback
  }

  /// Whether the bytes contain the text in UTF-8.
  func finds(in bytes: [UInt8]) -> Bool {
    guard !text.isEmpty else { return true }
    // Raw buffers, because a body can have 32 MiB and debug builds check each access to an array.
    return bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        var found = 0
        for byte in bytes {
          while found > 0, text[found] != byte { found = fallback[found] }
          if text[found] == byte { found += 1 }
          if found == text.count { return true }
        }
        return false
      }
    }
  }
}
