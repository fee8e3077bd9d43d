import Foundation
import JSONScan
import SyncCore
import Yams

/// The JSON body of a POST request, with the members that a paginator replaces.
indirect enum RequestBody: Sendable, Equatable {
  case object([String: RequestBody])
  case array([RequestBody])
  case string(String)
  /// The text of a number, true, false or null.
  case literal(String)

  /// Canonical JSON: sorted members and no white space.
  var json: String {
    switch self {
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)):\($1.json)" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .string(let text): Self.quoted(text)
    case .literal(let text): text
    }
  }

  /// Whether the text is a number of JSON of at most 18 digits without an exponent. YAML also reads hexadecimal
  /// numbers, infinity and numbers with colons.
  static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?/) != nil
  }

  private static func quoted(_ text: String) -> String { String(decoding: JSONScan.quoted(text), as: UTF8.self) }

  /// The body with this value at the path. Members on the path that are no objects become objects. A text becomes a
  /// number if the body has a number there, because a cursor that is a page's number can be required to be a number.
  func setting(_ path: ArraySlice<String>, to value: RequestBody) -> RequestBody {
    guard let name = path.first else {
      if case .string(let text) = value, case .literal(let own) = self, Self.isNumber(own), Self.isNumber(text) {
        return .literal(text)
      }
      return value
    }
    var members: [String: RequestBody] = if case .object(let members) = self { members } else { [:] }
    members[name] = (members[name] ?? .object([:])).setting(path.dropFirst(), to: value)
    return .object(members)
  }
}

extension DeclarationPart {
  /// Reads the value of `json`.
  /// - Throws: `SyncError` `.configuration` for a member whose name is that of a secret, because the body is shown and
  ///   its fingerprint is stored.
  func requestBody() throws(SyncError) -> RequestBody {
    if let mapping = node.mapping {
      var members: [String: RequestBody] = [:]
      for (key, value) in mapping {
        let name = key.string ?? ""
        let part = below(".\(Excerpt.of(name, scalars: 40))", value)
        guard !SecretName.hasSecret(name) || value.scalar == nil else {
          throw part.fault(
            "is a secret in the body",
            hint: "send it in a header or a parameter: client.auth, or params with { env: NAME }")
        }
        members[name] = try part.requestBody()
      }
      return .object(members)
    }
    if let sequence = node.sequence {
      var elements: [RequestBody] = []
      for (index, element) in sequence.enumerated() {
        elements.append(try below("[\(index)]", element).requestBody())
      }
      return .array(elements)
    }
    let text = node.scalar?.string ?? ""
    if isNull { return .literal("null") }
    if node.scalar?.style == .plain {
      if let flag = node.bool { return .literal("\(flag)") }
      if RequestBody.isNumber(text) { return .literal(text) }
    }
    return .string(text)
  }
}
