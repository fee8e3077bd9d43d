/// Finds secrets in foreign bytes, in each spelling that services and frameworks use, and replaces them with asterisks.
///
/// Found are the secret itself and its forms in base64 and base64url (at each of the three alignments) and hexadecimal,
/// regardless of the case of letters, each of them also within up to three nested escapes: percent encoding, a plus
/// sign for a blank, escapes of JSON and JavaScript (`\u0026`, `\/`, `\x26`, `%u0026`), character references of HTML
/// (`&amp;`, `&#38;`, `&#x26;`) and the zero bytes of UTF-16. A part of a secret is found too; see `Scope`.
///
/// The time is linear in the number of bytes, and the memory does not depend on it.
package struct SecretMask: Sendable, Equatable {
  /// The text that replaces a secret.
  package static let replacement = "***"

  /// The fewest bytes of a secret. A shorter text occurs in too many other words.
  package static let shortestSecret = 6

  /// Which occurrences count. A text that is read by people loses nothing if a word too many is hidden. In data, a part
  /// of a secret can be a coincidence.
  package enum Scope: CaseIterable, Sendable {
    /// Messages, headers and answers that are errors: secrets, and parts of them. A part has at least 8 bytes, with
    /// letters of both cases or digits and letters, or at least 16 bytes.
    case message
    /// Recorded bodies and addresses: whole secrets, or 16 bytes of them.
    case recording
    /// Documents of the mirror: the same, but only of secrets that no word of a document can equal by chance.
    case document
  }

  /// The secrets that are certainly secrets.
  package let secrets: [String]
  /// Texts that may be secrets. They are left in documents, which can repeat identifiers rightly.
  package let suspects: [String]
  /// Secrets that arrive after the mask was made.
  package let learned: LearnedSecrets?
  private let table: SecretTable?

  /// Creates a mask for these secrets. Texts of fewer than `shortestSecret` bytes are ignored.
  /// - Parameters:
  ///   - suspects: Texts that may be secrets. They are hidden, except in documents.
  ///   - learned: Secrets that become known later. All copies of the mask share this object.
  package init(_ secrets: [String] = [], suspects: [String] = [], learned: LearnedSecrets? = nil) {
    self.secrets = secrets.filter { $0.utf8.count >= Self.shortestSecret }
    self.suspects = suspects.filter { $0.utf8.count >= Self.shortestSecret }
    self.learned = learned
    table = self.secrets.isEmpty && self.suspects.isEmpty ? nil : SecretTable(self.secrets, suspects: self.suspects)
  }

  /// Compares the secrets. Learned secrets are equal only if both masks share the object.
  package static func == (one: SecretMask, other: SecretMask) -> Bool {
    one.secrets == other.secrets && one.suspects == other.suspects && one.learned === other.learned
  }

  /// Whether the mask has no secret, so that it changes no text.
  package var isEmpty: Bool { table == nil && learned?.table == nil }

  /// Returns the text without secrets.
  package func masking(_ text: String, _ scope: Scope = .message) -> String {
    guard let masked = masking(Array(text.utf8), scope) else { return text }
    return String(decoding: masked, as: UTF8.self)
  }

  /// Returns the bytes without secrets, or `nil` if they have none. In data, digits are replaced by nines, so that JSON
  /// stays JSON.
  package func masking(_ bytes: [UInt8], _ scope: Scope) -> [UInt8]? {
    let masked = table?.masking(bytes, scope)
    return learned?.table?.masking(masked ?? bytes, scope) ?? masked
  }

  /// Whether the text has a secret.
  package func finds(in text: String, _ scope: Scope = .message) -> Bool {
    masking(Array(text.utf8), scope) != nil
  }
}
