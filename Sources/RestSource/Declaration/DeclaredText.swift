import SyncCore

/// A text that the file contains, or that it names so that readers of the file do not see it.
enum DeclaredText: Sendable, Equatable {
  case literal(String)
  case variable(String)
  case file(String)
  /// Texts of the other kinds, one after another: `Token {env:SHOP_KEY}`.
  case joined([DeclaredText])

  /// Whether a part of the text is not in the file.
  var isSecret: Bool {
    switch self {
    case .literal: false
    case .variable, .file: true
    case .joined(let parts): parts.contains(where: \.isSecret)
    }
  }

  /// The text itself, or the texts that it consists of.
  var parts: [DeclaredText] { if case .joined(let parts) = self { parts } else { [self] } }

  /// The text for messages, with the places of secrets instead of the secrets.
  var shown: String {
    switch self {
    case .literal(let text): text
    case .variable(let name): "from the variable \(name)"
    case .file(let path): "from the file \(path)"
    case .joined(let parts): parts.map { $0.isSecret ? "(\($0.shown))" : $0.shown }.joined()
    }
  }

  /// Returns the text that a request sends.
  /// - Parameters:
  ///   - canBeShort: Whether a text that the file does not contain can have fewer characters than a secret, as the name
  ///     of a user.
  ///   - contents: Returns the text of a file, or `nil` if the file is not a text of a usable size.
  /// - Throws: `SyncError` `.configuration` that never contains the text.
  func read(
    _ environment: [String: String], canBeShort: Bool = false, _ contents: (String) -> String?
  ) throws(SyncError) -> String {
    switch self {
    case .literal(let text): return text
    case .variable(let name):
      return try Self.checked(environment[name], from: "the variable \(name)", canBeShort: canBeShort)
    case .file(let path):
      return try Self.checked(contents(path)?.trimmingBlanks, from: "the file \(path)", canBeShort: canBeShort)
    case .joined(let parts):
      return try parts.map { (part) throws(SyncError) in
        try part.read(environment, canBeShort: canBeShort, contents)
      }.joined()
    }
  }

  /// - Throws: `SyncError` `.configuration` unless the text can be a secret of one line.
  private static func checked(
    _ text: String?, from place: String, canBeShort: Bool
  ) throws(SyncError) -> String {
    guard let text, !text.isEmpty else {
      throw SyncError(
        .configuration, "\(place) has no secret",
        hint: "set it to the key or token that the service has given you, at most 64 KiB in a regular file",
        disposition: .stopRun)
    }
    guard canBeShort || text.count >= SecretMask.shortestSecret else {
      throw SyncError(
        .configuration, "\(place) has fewer than \(SecretMask.shortestSecret) characters, which is no secret",
        hint: "write a text that is no secret into the declaration, such as password: x", disposition: .stopRun)
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw SyncError(
        .configuration, "\(place) has a control character", hint: "give a key or token of one line",
        disposition: .stopRun)
    }
    return text
  }
}
