import SyncCore

extension DeclaredText {
  /// Whether the file itself contains the text, and the text can be a key or a password: because of the name of its
  /// header or parameter, or because it looks like a key.
  func isLikelySecret(named name: String) -> Bool {
    guard case .literal(let text) = self, text.utf8.count >= SecretMask.shortestSecret else { return false }
    return SecretName.canHaveSecret(name) && !text.isWord || text.looksLikeKey
  }
}

extension Declaration {
  /// The places of texts in the file that can be keys or passwords, such as `client.headers.X-Auth`.
  var likelySecrets: [String] {
    var places = headers.filter { $0.value.isLikelySecret(named: $0.key) }.map { "client.headers.\($0.key)" }.sorted()
    if case .basic(let user, _) = auth, user.isLikelySecret(named: "username") { places.append("client.auth.username") }
    for resource in resources {
      places += resource.headers.filter { headers[$0.key] != $0.value && $0.value.isLikelySecret(named: $0.key) }
        .map { "\(resource.name).headers.\($0.key)" }.sorted()
      places += resource.parameters.filter(\.isLikelySecret)
        .map { "\(resource.name).params.\(Excerpt.of($0.name, scalars: 60))" }
      places += resource.actions.flatMap { action in
        action.texts.filter { DeclaredText.literal($0.text).isLikelySecret(named: $0.name) }
          .map { "\(resource.name).\(action.place).\($0.name)" }
      }
    }
    return places
  }
}

/// The names of headers and parameters that have secrets.
enum SecretName {
  /// Whether a header or parameter of this name always has a secret, so that a declaration must not contain its value.
  static func hasSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    let plain = name.filter { $0 != "-" && $0 != "_" }
    let parts = ["apikey", "accesskey", "appkey", "token", "secret", "passw", "signature"]
    guard parts.contains(where: plain.contains) else { return false }
    return !["pagetoken", "nexttoken", "continuationtoken", "synctoken"].contains(plain)
  }

  /// Whether a header or parameter of this name can have a secret: one of its words is the name of one.
  static func canHaveSecret(_ name: String) -> Bool {
    hasSecret(name) || words(of: name).contains(where: words.contains)
  }

  private static let words: Set<String> = [
    "access", "app", "appid", "auth", "authentication", "authorization", "bearer", "clientid", "cookie", "credential",
    "credentials", "hmac", "jwt", "key", "keys", "license", "licence", "pass", "pin", "pwd", "session", "sessionid",
    "sid", "sig", "sign", "subscription", "ticket",
  ]

  /// The words of a name, and each two neighbours together: `X-Client_Id` has client, id and clientid.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var isAfterLowercase = false
    for character in name.prefix(200) {
      let isLetter = character.isASCII && (character.isLetter || character.isNumber)
      if words.isEmpty || !isLetter || character.isUppercase && isAfterLowercase { words.append("") }
      if isLetter { words[words.count - 1].append(character) }
      isAfterLowercase = character.isLowercase
    }
    words = words.filter { !$0.isEmpty }.map { $0.lowercased() }
    return words + zip(words, words.dropFirst()).map { $0 + $1 }
  }
}

extension String {
  /// Whether the text is a word or words, and so no key: letters of one case, perhaps with a capital, and no digits.
  fileprivate var isWord: Bool {
    utf8.count < 20 && allSatisfy { $0.isLetter || "-_ .,/;=".contains($0) }
      && !dropFirst().contains(where: \.isUppercase)
  }

  /// Whether the text has the form of a key, as opposed to words, numbers, times, lists and addresses: at least 16
  /// characters of base64url or of a JSON Web Token, with letters and digits, of which 12 follow one another.
  fileprivate var looksLikeKey: Bool {
    guard utf8.count >= 16, utf8.allSatisfy({ $0.isKeyByte }) else { return false }
    let hasDigit = utf8.contains(where: \.isDigit)
    let hasLetter = contains(where: \.isLetter)
    let longest = split { "-_.~/".contains($0) }.map(\.utf8.count).max() ?? 0
    return hasDigit && hasLetter && longest >= 12
  }
}

extension UInt8 {
  fileprivate var isKeyByte: Bool { isPlain || "~/+=".utf8.contains(self) }
}
