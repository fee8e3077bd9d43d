import SyncCore

extension StreamImport {
  /// What a value of the manifest is in a request.
  private enum Value {
    case known(FlowValue)
    case intervalStart
    case intervalEnd
    case pageToken
    /// The value is left out. A remark says why, unless it is empty.
    case none
  }

  /// Reads the method, the parameters and the body.
  mutating func readRequests(_ requester: ManifestPart, _ address: ImportedAddress) throws(UnusableStream) {
    for (name, value) in address.query { resource.parameters.set(name, to: Self.number(value)) }
    try readMethod(requester)
    guard let parameters = requester.member("request_parameters") else { return }
    guard parameters.isMapping else {
      if text(parameters, in: requester).isAbsent { return }
      throw UnusableStream(
        line: parameters.line, reason: "its request_parameters are one text", advice: "write them below params by hand")
    }
    for (name, part) in parameters.entries { try readParameter(name, part, in: requester) }
  }

  private mutating func readMethod(_ requester: ManifestPart) throws(UnusableStream) {
    let method = plain(requester.member("http_method"))?.uppercased() ?? "GET"
    guard ["GET", "POST"].contains(method) else {
      throw UnusableStream(
        line: requester.line, reason: "its requests have the method \(Excerpt.of(method, scalars: 20))",
        advice: "syncctl changes nothing at a service")
    }
    resource.isPOST = method == "POST"
    resource.body = try body(requester)
  }

  private mutating func readParameter(
    _ name: String, _ part: ManifestPart, in requester: ManifestPart
  ) throws(UnusableStream) {
    guard part.text != nil || part.isNull else {
      let type = part.type.map { " (\(Excerpt.of($0, scalars: 60)))" } ?? ""
      leaveOut(
        "the parameter \(name)\(type), which is not a text", at: part.line, "write it below params if you need it")
      return
    }
    switch try value(text(part, in: requester), of: name) {
    case .known(let value): resource.parameters.set(name, to: value)
    case .intervalStart: startParameter = name
    case .intervalEnd: endParameter = name
    case .pageToken: tokenParameter = name
    case .none: break
    }
  }

  /// Notes that something is not in the resource.
  mutating func leaveOut(_ what: String, at line: Int, _ advice: String) {
    remarks.add(line, name, "left out: \(what)", advice)
  }

  /// Returns the value of a parameter.
  private mutating func value(_ text: ImportedText, of parameter: String) throws(UnusableStream) -> Value {
    let shown = "the parameter \(Excerpt.of(parameter, scalars: 60))"
    if text.isAbsent { return .none }
    switch text.single {
    case .interval(let isStart)?: return isStart ? .intervalStart : .intervalEnd
    case .pageToken?: return .pageToken
    case .option(let option)? where context.spec.isSecret(option) || SecretName.hasSecret(parameter):
      return .known(.variable(context.variable(option)))
    default: break
    }
    if let plain = text.plain { return literal(Self.unquoted(plain), of: parameter, at: text.line) }
    return try composed(text, of: parameter, shown)
  }

  /// - Throws: `UnusableStream` if a text that is left out contains a value of the partition router.
  private func refusePartition(in text: ImportedText, _ shown: String) throws(UnusableStream) {
    guard text.hasPartition else { return }
    throw UnusableStream(
      line: text.line, reason: "\(shown) combines a value of the partition router with something that is not read",
      advice: Self.byHand)
  }

  private mutating func literal(_ text: String, of parameter: String, at line: Int) -> Value {
    // The CDK reads a text with a list of Python as several values.
    if text.hasPrefix("["), case .literal(.list(let values)) = JinjaParser.expression(text[...]) {
      if values.count == 1, let only = values[0].text { return .known(Self.number(only)) }
      leaveOut("the parameter \(parameter) with several values", at: line, "declare a resource for each value")
      return .none
    }
    guard !Self.resemblesPlaceholder(text) else {
      leaveOut("the parameter \(parameter), whose braces look like a placeholder", at: line, "declare it by hand")
      return .none
    }
    guard !SecretName.hasSecret(parameter) || text.count < SecretMask.shortestSecret else {
      let variable = context.variable([parameter])
      remarks.add(line, name, "the parameter \(parameter) can be a secret", "set the variable \(variable) to its value")
      return .known(.variable(variable))
    }
    return .known(Self.number(text))
  }

  /// Returns a parameter of texts with options, dates, values of the router and the interval.
  private mutating func composed(
    _ text: ImportedText, of parameter: String, _ shown: String
  ) throws(UnusableStream) -> Value {
    // A resource with several lists is not incremental.
    if text.hasInterval { try refusePartition(in: text, shown) }
    switch try composition(of: text) {
    case .text(let value):
      guard !SecretName.hasSecret(parameter) || !text.hasPartition else {
        throw UnusableStream(line: text.line, reason: "\(shown) can be a secret", advice: Self.byHand)
      }
      return .known(value)
    case .secret(let option):
      let variable = context.variable(option)
      remarks.add(
        text.line, name, "\(shown) contains the secret config.\(option.joined(separator: "."))",
        "set the variable \(variable) to the whole text of the parameter")
      return .known(.variable(variable))
    case .unread:
      try refusePartition(in: text, shown)
      hasUnreadInterval = hasUnreadInterval || text.hasInterval
      let source = text.opaque.map { " {{ \(Excerpt.of($0, scalars: 120)) }}" } ?? ""
      leaveOut("\(shown)\(source)", at: text.line, "write its value below params if the service needs it")
      return .none
    }
  }

  /// Returns a number without quotes, or a text.
  static func number(_ text: String) -> FlowValue { RequestBody.isNumber(text) ? .literal(text) : .text(text) }

  // MARK: Headers

  /// The headers that the engine writes itself, or that JSON needs not.
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent",
  ]

  /// Returns the headers of the requests.
  mutating func headers(_ requester: ManifestPart) -> [FlowMember] {
    guard let part = requester.member("request_headers") else { return [] }
    var headers: [FlowMember] = []
    for (name, value) in part.entries where !Self.ownHeaders.contains(name.lowercased()) {
      let text = text(value, in: requester)
      guard !text.isAbsent else { continue }
      guard let header = header(name, text) else {
        leaveOut("the header \(name)", at: value.line, "headers have no placeholders")
        continue
      }
      headers.set(name, to: header)
    }
    return headers
  }

  private mutating func header(_ header: String, _ text: ImportedText) -> FlowValue? {
    guard ClientReader.isHeader(header) else { return nil }
    let isSecret = SecretName.hasSecret(header) || ["authorization", "cookie"].contains(header.lowercased())
    if isSecret, let plain = text.plain, plain.count >= SecretMask.shortestSecret {
      let variable = context.variable([header])
      remarks.add(text.line, nil, "the header \(header) is a secret", "set the variable \(variable) to its whole text")
      return .variable(variable)
    }
    var words = ""
    for part in text.parts {
      switch part {
      case .text(let text): words += text
      case .option(let option) where context.spec.isSecret(option) || SecretName.hasSecret(header):
        if text.parts.count == 1 { return .variable(context.variable(option)) }
        words += "{env:\(context.variable(option))}"
      case .option(let option):
        words += Self.placeholder(option)
        ask(for: option, Self.placeholder(option), at: text.line)
      case .partition, .interval, .pageToken, .moment, .other: return nil
      }
    }
    return .text(words)
  }
}
