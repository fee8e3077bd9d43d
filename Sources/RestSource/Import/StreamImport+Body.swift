import SyncCore
import Yams

extension StreamImport {
  /// The most values of a body that contain each other.
  private static let deepest = 32
  /// The most values of a body. References can repeat a value many times.
  private static let most = 10_000

  /// Returns the JSON body; `nil` without one.
  mutating func body(_ requester: ManifestPart) throws(UnusableStream) -> FlowValue? {
    for name in ["request_body_data", "request_body"] {
      guard let part = requester.member(name), part.text?.isEmpty != true else { continue }
      if part.isMapping, part.entries.isEmpty { continue }
      if let value = try jsonValue(of: part, name) { return try body(value, in: requester) }
    }
    guard let json = requester.member("request_body_json") else { return nil }
    return try body(json, in: requester)
  }

  /// Returns the value of a `request_body` of JSON.
  /// - Throws: `UnusableStream` for a form or a text.
  private func jsonValue(of part: ManifestPart, _ name: String) throws(UnusableStream) -> ManifestPart? {
    guard let type = part.type, ["RequestBodyJsonObject", "RequestBodyGraphQL"].contains(type) else {
      throw UnusableStream(
        line: part.line, reason: "its requests have a form as a body (\(name))",
        advice: "forms are not sent; write json if the service accepts it")
    }
    return part.member("value")
  }

  private mutating func body(_ part: ManifestPart, in requester: ManifestPart) throws(UnusableStream) -> FlowValue? {
    guard part.isMapping else {
      throw UnusableStream(
        line: part.line, reason: "its body is a text with JSON in it", advice: "write it below json by hand")
    }
    let value = try json(part, in: requester, depth: 0)
    guard case .mapping(let members)? = value, !members.isEmpty else { return nil }
    guard resource.isPOST else {
      leaveOut("the body of a GET request", at: part.line, "write method: POST if the service reads it")
      return nil
    }
    return value
  }

  /// - Returns: `nil` for a value that is left out. A remark says why.
  private mutating func json(
    _ part: ManifestPart, in requester: ManifestPart, depth: Int
  ) throws(UnusableStream) -> FlowValue? {
    bodyValueCount += 1
    guard depth < Self.deepest, bodyValueCount <= Self.most else {
      throw UnusableStream(line: part.line, reason: "its body is too large", advice: Self.byHand)
    }
    if part.isMapping {
      var members: [FlowMember] = []
      for (name, value) in part.entries {
        guard !SecretName.hasSecret(name) || value.isMapping || value.isList else {
          leaveOut("the secret \(name) in the body", at: value.line, "send it in a header or a parameter")
          continue
        }
        if let value = try json(value, in: requester, depth: depth + 1) { members.append(FlowMember(name, value)) }
      }
      return .mapping(members)
    }
    if part.isList {
      var elements: [FlowValue] = []
      for element in part.elements {
        if let value = try json(element, in: requester, depth: depth + 1) { elements.append(value) }
      }
      return .list(elements)
    }
    if part.isNull { return .literal("null") }
    if part.isPlainScalar, let flag = part.flag { return .literal("\(flag)") }
    let text = text(part, in: requester)
    // The CDK reads a text with a list or a mapping of Python as such.
    if let inner = text.plain.flatMap(Self.pythonValue) { return try json(inner, in: requester, depth: depth + 1) }
    return try scalar(text)
  }

  /// Returns the list or the mapping in a text, if it has the form of both YAML and Python.
  private static func pythonValue(_ text: String) -> ManifestPart? {
    let trimmed = text.trimmingBlanks
    guard trimmed.hasPrefix("[") || trimmed.hasPrefix("{"), let node = try? Yams.compose(yaml: trimmed),
      isPython(node)
    else { return nil }
    return ManifestPart(root: node)
  }

  private static func isPython(_ node: Node) -> Bool {
    switch node {
    case .mapping(let mapping): mapping.allSatisfy { isPython($0.key) && isPython($0.value) }
    case .sequence(let sequence): sequence.allSatisfy { isPython($0) }
    case .scalar(let scalar):
      scalar.style != .plain || RequestBody.isNumber(scalar.string)
        || ["True", "False"].contains(scalar.string)
    case .alias: false
    }
  }

  private mutating func scalar(_ text: ImportedText) throws(UnusableStream) -> FlowValue? {
    if text.isAbsent { return .text("") }
    // The CDK sends a text of digits as a number.
    if let plain = text.plain { return Self.number(plain) }
    switch try composition(of: text) {
    case .text(let value):
      hasIntervalInBody = hasIntervalInBody || text.hasInterval
      return value
    case .secret, .unread:
      guard !text.hasPartition else {
        throw UnusableStream(
          line: text.line, reason: "its body combines a value of the partition router with something that is not read",
          advice: Self.byHand)
      }
      hasUnreadInterval = hasUnreadInterval || text.hasInterval
      let source = text.opaque.map { " {{ \(Excerpt.of($0, scalars: 120)) }}" } ?? ""
      leaveOut("a value\(source) of the body", at: text.line, "write it below json if the service needs it")
      return nil
    }
  }
}
