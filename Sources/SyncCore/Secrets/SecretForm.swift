/// A spelling of a secret.
struct SecretForm: Hashable {
  let bytes: [UInt8]
  /// Whether 16 bytes of the secret cannot occur elsewhere by chance.
  let isStrong: Bool
  /// Whether the spelling is hexadecimal, whose digits also occur in digests and identifiers.
  var isHexadecimal = false

  /// Returns the spellings of a secret: the secret itself, decoded, in base64 and hexadecimal. Short spellings are left
  /// out.
  static func all(of secret: [UInt8], isSuspect: Bool) -> [SecretForm] {
    let classCount = characterClasses(of: secret[...]).count
    let isVaried = classCount >= 2 || secret.count >= 32 && Set(secret).count >= 8
    let isStrong = !isSuspect && secret.count >= 16 && isVaried

    var forms: [SecretForm] = []
    for spelling in spellings(of: secret) {
      forms.append(SecretForm(bytes: spelling, isStrong: isStrong))
      forms += base64(of: spelling).map { SecretForm(bytes: $0, isStrong: isStrong) }
      forms.append(SecretForm(bytes: Array(spelling.hexadecimal.utf8), isStrong: isStrong, isHexadecimal: true))
    }
    return forms.filter { $0.bytes.count >= SecretMask.shortestSecret }
  }

  /// The secret, and what remains of it if it is decoded, because a text is compared after it was decoded.
  private static func spellings(of secret: [UInt8]) -> [[UInt8]] {
    var spellings = [secret]
    secret.withUnsafeBufferPointer { bytes in
      var text = DecodedText(bytes, bytes.indices)
      for _ in 0..<DecodedText.depth where text.decode() { spellings.append(text.bytes) }
    }
    return spellings
  }

  /// The characters of base64 that depend only on the secret, if 0, 1 or 2 other bytes are before it.
  private static func base64(of secret: [UInt8]) -> [[UInt8]] {
    let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return (0..<3).flatMap { alignment -> [[UInt8]] in
      let bytes = [UInt8](repeating: 0, count: alignment) + secret
      var characters: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
        characters += (0..<4).map { standard[group >> (18 - 6 * $0) & 63] }
      }

      // 8 bits of each byte before the secret, rounded up to whole characters, and the bits after it are unknown.
      let determined = characters[(alignment * 8 + 5) / 6..<bytes.count * 8 / 6]
      let inAddress = determined.map { character -> UInt8 in
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
      }
      return [Array(determined), inAddress]
    }
  }

  private enum CharacterClass { case lowercase, uppercase, digit }

  private static func characterClasses(of bytes: ArraySlice<UInt8>) -> Set<CharacterClass> {
    Set(
      bytes.compactMap { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lowercase
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .uppercase
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: nil
        }
      })
  }

  /// Returns the number of bytes that must be found around a part of the form; `UInt8.max` if the part does not count.
  func demand(of part: ArraySlice<UInt8>, _ scope: SecretMask.Scope) -> UInt8 {
    let whole = UInt8(min(bytes.count, 16))
    switch scope {
    case .message: return !isHexadecimal && Self.characterClasses(of: part).count >= 2 ? 8 : whole
    case .recording: return whole
    case .document: return isStrong ? whole : .max
    }
  }
}
