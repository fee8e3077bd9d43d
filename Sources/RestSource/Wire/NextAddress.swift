import Foundation
import SyncCore

/// The values in the address or cursor of a next page, for a comparison with the page's last item.
struct NextAddress {
  /// Query values, path segments, or the whole cursor, as they are and percent-decoded.
  private let values: Set<String>
  /// The values that contain other values: JSON, and decoded Base64.
  private let containers: [[UInt8]]

  /// - Parameters:
  ///   - text: The address or cursor. A longer text than 8 KiB has no values, because the search is not linear.
  ///   - isAddress: Whether `text` is an address. A cursor is one value.
  init(_ text: String, isAddress: Bool) {
    guard text.utf8.count <= Self.longestAddress else {
      values = []
      containers = []
      return
    }
    var values: Set<String> = []
    for part in isAddress ? Self.parts(of: text) : [text[...]] {
      values.insert(String(part))
      if let decoded = part.removingPercentEncoding { values.insert(decoded) }
      // Forms encode a space as a plus sign.
      if let decoded = part.replacing("+", with: " ").removingPercentEncoding { values.insert(decoded) }
    }
    self.values = values
    containers = values.flatMap { value in
      [Self.json(value), Self.base64(value)].compactMap(\.self)
    }
  }

  /// Returns `texts`, one a line, if each of them is a value or part of a container; otherwise `nil`.
  /// - Parameter texts: The members of a key, or a cursor; `nil` for a member that is neither text nor whole number.
  func value(of texts: [String?]) -> String? {
    var found: [String] = []
    for text in texts {
      guard let text, !text.isEmpty, let value = value(of: text) else { return nil }
      found.append(String(value.prefix(Self.longest)))
    }
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }

  private static let longestAddress = 8 << 10

  /// The stored value needs only enough characters to differ from the next page's value.
  private static let longest = 100

  private func value(of text: String) -> String? {
    if values.contains(text) { return text }
    if containers.contains(where: { Self.contains(text, in: $0) }) { return text }
    // An inclusive bound is one number after or before the last id, as in `max_id` of Twitter and Mastodon.
    guard let number = Int(text), number > 0, number < .max else { return nil }
    return [number - 1, number + 1].map(String.init).first(where: values.contains)
  }

  /// Returns the values of the query and the segments of the path.
  private static func parts(of address: String) -> [Substring] {
    let whole: Substring = address.prefix { $0 != "#" }
    let path: Substring = whole.prefix { $0 != "?" }
    let query: Substring = whole.dropFirst(path.count + 1)
    let values = query.split { "&;".contains($0) }.map { (pair: Substring) -> Substring in
      pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } ?? pair
    }
    return path.split(separator: "/") + values
  }

  private static func json(_ value: String) -> [UInt8]? {
    value.first == "{" || value.first == "[" ? Array(value.utf8) : nil
  }

  /// Decodes Base64 and Base64url (RFC 4648), with or without padding.
  private static func base64(_ value: String) -> [UInt8]? {
    let standard = value.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    guard standard.count >= 4 else { return nil }
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map { Array($0) }
  }

  /// Whether `text` occurs in `bytes` without a letter, a digit, or a sign of a longer number or name beside it.
  private static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
    let searched = Array(text.utf8)
    guard !searched.isEmpty, bytes.count >= searched.count else { return false }
    return (0...(bytes.count - searched.count)).contains { start in
      let end = start + searched.count
      return bytes[start..<end].elementsEqual(searched)
        && (start == 0 || !bytes[start - 1].isPlain) && (end == bytes.count || !bytes[end].isPlain)
    }
  }
}

extension JSONMember {
  /// The text of a key's member or of a cursor: a text, or a whole number in decimal digits.
  var keyText: String? {
    switch self {
    case .string(let text): text
    case .int(let value): "\(value)"
    default: nil
    }
  }
}
