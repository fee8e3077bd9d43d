import SyncCore

enum ITunesQuery {
  /// What follows the question mark: the parameters that have a value, in their order.
  static func text(_ parameters: [(name: String, value: String?)]) -> String {
    parameters.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }.joined(separator: "&")
  }

  /// As the documentation requires: spaces as `+`; letters, digits, `.`, `-`, `_` and `*` unchanged. The commas between
  /// ids stay too, as clients send them.
  static func encoded(_ value: String) -> String {
    var text = ""
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: " "): text += "+"
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: ","):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where byte.isLetter || byte.isDigit:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      // Two digits always: no value has a control character.
      default: text += "%\(String(byte, radix: 16, uppercase: true))"
      }
    }
    return text
  }

  /// The name of a stream that is not configured: ASCII, short, and the same for the same parameters in every process.
  static func name(label: String, _ values: [String]) -> String {
    let words = label.lowercased().utf8.split { !$0.isLetter && !$0.isDigit }
    let slug = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(24))
    // The names of two searches collide by chance once in 2^64.
    let hash = values.joined(separator: "\n").utf8.fnv1a
    return "@\(slug.isEmpty ? "" : "\(slug)-")\(String(hash, radix: 36))"
  }
}
