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
  /// A text with placeholders.
  /// - Parameter isNumber: Whether the filled text becomes a number if it is one.
  case template(TextTemplate, isNumber: Bool)

  /// Canonical JSON: sorted members and no white space. Placeholders are shown by their names.
  var json: String {
    switch self {
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)):\($1.json)" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .string(let text): Self.quoted(text)
    case .literal(let text): text
    case .template(let template, _): Self.quoted(template.shown)
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

  /// Whether a text has dates that are computed when a run begins.
  var hasDates: Bool {
    switch self {
    case .object(let members): members.values.contains(where: \.hasDates)
    case .array(let elements): elements.contains(where: \.hasDates)
    case .string, .literal: false
    case .template(let template, _): template.hasDates
    }
  }

  /// Returns the body with other values in place of the texts with placeholders.
  func mapping(_ value: (_ template: TextTemplate, _ isNumber: Bool) -> RequestBody) -> RequestBody {
    switch self {
    case .object(let members): .object(members.mapValues { $0.mapping(value) })
    case .array(let elements): .array(elements.map { $0.mapping(value) })
    case .string, .literal: self
    case .template(let template, let isNumber): value(template, isNumber)
    }
  }

  /// Returns the body of the requests of one list.
  func filled(with values: TextTemplate.Values) -> RequestBody {
    mapping { template, isNumber in
      let text = template.text(filledWith: values)
      return isNumber && Self.isNumber(text) ? .literal(text) : .string(text)
    }
  }

  /// Returns the body with numbers in place of the placeholders for which `isNumber` is true, unless they are within a
  /// longer text.
  func numbering(_ isNumber: (TextTemplate) -> Bool) -> RequestBody {
    mapping { .template($0, isNumber: $1 || $0.isAlone && isNumber($0)) }
  }
}

extension DeclarationPart {
  static let noSecretInBody =
    "bodies are shown and their fingerprints are stored; send it in a header or a parameter: client.auth, headers, or "
    + "params with { env: NAME }"

  /// Reads the value of `json`.
  /// - Throws: `SyncError` `.configuration` for a secret, or for a member whose name is that of a secret, because the
  ///   body is shown and its fingerprint is stored.
  func requestBody(_ placeholders: inout PlaceholderReader) throws(SyncError) -> RequestBody {
    if let mapping = node.mapping {
      if let date = try formattedDate(mapping, &placeholders) { return date }
      try refuseSecret(mapping)
      var members: [String: RequestBody] = [:]
      for (key, value) in mapping {
        let name = key.string ?? ""
        let part = below(".\(Excerpt.of(name, scalars: 40))", value)
        guard !SecretName.hasSecret(name) || value.scalar == nil else {
          throw part.fault("is a secret in the body", hint: Self.noSecretInBody)
        }
        guard !placeholders.occur(in: name) else {
          throw part.fault("has a placeholder in its name", hint: "write placeholders only in values of json")
        }
        members[name] = try part.requestBody(&placeholders)
      }
      return .object(members)
    }
    if let sequence = node.sequence {
      var elements: [RequestBody] = []
      for (index, element) in sequence.enumerated() {
        elements.append(try below("[\(index)]", element).requestBody(&placeholders))
      }
      return .array(elements)
    }
    let text = node.scalar?.string ?? ""
    if isNull { return .literal("null") }
    if node.scalar?.style == .plain {
      if let flag = node.bool { return .literal("\(flag)") }
      if RequestBody.isNumber(text) { return .literal(text) }
    }
    guard let template = try placeholders.template(of: text, at: self, isInBody: true) else { return .string(text) }
    placeholders.note(template, at: self)
    return .template(template, isNumber: false)
  }

  /// Reads `{ value: "{now - 7d}", format: epoch }`. Returns `nil` for another object, because a service can have
  /// members of these names.
  private func formattedDate(
    _ mapping: Node.Mapping, _ placeholders: inout PlaceholderReader
  ) throws(SyncError) -> RequestBody? {
    guard mapping.count == 2, let value = mapping["value"], let format = mapping["format"], value.scalar != nil else {
      return nil
    }
    let valuePart = below(".value", value)
    guard let text = value.string,
      try placeholders.template(of: text, at: valuePart, isInBody: true)?.hasDates == true
    else { return nil }
    let dateFormat = try below(".format", format).dateFormat()
    guard let template = try placeholders.template(of: text, at: valuePart, format: dateFormat, isInBody: true) else {
      return nil
    }
    placeholders.note(template, at: valuePart)
    return .template(template, isNumber: dateFormat.isNumber && template.isAlone)
  }

  /// Reads the format of a date.
  func dateFormat() throws(SyncError) -> DateFormat {
    guard let format = DateFormat(try text("%Y-%m-%d")) else {
      throw fault("is not a format of dates", hint: PlaceholderReader.dateHint)
    }
    return format
  }

  /// - Throws: `SyncError` for `{ env: NAME }` and `{ file: PATH }`, which parameters and headers can have.
  private func refuseSecret(_ mapping: Node.Mapping) throws(SyncError) {
    guard mapping.count == 1, let (key, value) = mapping.first, let name = key.string, let text = value.scalar?.string
    else { return }
    // A service can have a member `env` whose value is a word, such as `production`.
    let owner = path.split(separator: ".").last.map(String.init) ?? ""
    let isVariable = text.wholeMatch(of: /[A-Z_][A-Z0-9_]*/) != nil || SecretName.canHaveSecret(owner)
    guard name == "file" || name == "env" && isVariable else { return }
    throw fault("is a secret in the body", hint: Self.noSecretInBody)
  }
}
