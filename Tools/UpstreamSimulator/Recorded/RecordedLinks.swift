import Foundation
import SyncCore

/// Replaces the recorded origin in an answer's links by the origin of the server that serves the recording.
///
/// Links to other origins stay as they are, because syncctl does not follow them.
struct RecordedLinks {
  private let base: HTTPAddress?
  private let origin: String
  private let server: String
  private let hidesSecrets: Bool

  /// - Parameters:
  ///   - url: The recorded address of the answer, which relative links refer to.
  ///   - origin: The recorded origin.
  ///   - server: The origin that replaces it.
  ///   - hidesSecrets: Whether the recorder replaced secrets in the answer. The recorded requests have no such
  ///     parameter.
  init(of url: String, at origin: String, to server: String, hidesSecrets: Bool) {
    base = try? HTTPAddress(url)
    self.origin = origin
    self.server = server
    self.hidesSecrets = hidesSecrets
  }

  /// Returns the value of a header `Link` (RFC 8288) with replaced targets.
  func header(_ value: String) -> String {
    value.replacing(/<([^<>]*)>/) { "<\(link(String($0.output.1)) ?? String($0.output.1))>" }
  }

  /// Returns the JSON text with replaced links in the members at these paths. All other bytes stay the same.
  func body(_ bytes: [UInt8], at paths: [[String]]) -> [UInt8] {
    guard let tree = JSONTree(bytes) else { return bytes }
    var result = bytes
    let members = Set(paths).compactMap { path -> ArraySlice<UInt8>? in
      let member = path.reduce(Optional(tree)) { $0?[$1] }
      guard case .string(let text)? = member else { return nil }
      return text
    }
    // From the last member on, because a replaced text moves the texts after it.
    for text in members.sorted(by: { $0.startIndex > $1.startIndex }) {
      guard let spelled = try? JSONDecoder().decode(String.self, from: Data("\"".utf8 + text + "\"".utf8)),
        let link = link(spelled)
      else { continue }
      // An address in the form in which it is sent has no character that JSON escapes.
      result.replaceSubrange(text.indices, with: link.utf8)
    }
    return result
  }

  /// Returns the server's address for a link, or `nil` for a link to another origin.
  private func link(_ text: String) -> String? {
    guard let address = try? base?.resolving(text), address.origin == origin else { return nil }
    let shown = address.droppingParameters { hidesSecrets && $1 == SecretMask.replacement }
    return server + shown.description.dropFirst(origin.count)
  }
}
