import SyncCore

extension StreamImport {
  /// Reads the answers whose meaning the manifest declares.
  mutating func readActions(_ requester: ManifestPart) {
    guard let handler = requester.member("error_handler") else { return }
    for part in [handler] + (handler.member("error_handlers")?.elements ?? []) {
      noteClass(of: part, "error handler")
      noteBackoff(part)
      for filter in part.member("response_filters")?.elements ?? [] { readFilter(filter) }
    }
  }

  private mutating func noteBackoff(_ handler: ManifestPart) {
    for strategy in handler.member("backoff_strategies")?.elements ?? [] {
      noteClass(of: strategy, "backoff strategy")
      guard let header = strategy.member("header")?.text, !Self.knownHeaders.contains(header.lowercased()) else {
        continue
      }
      leaveOut(
        "the pause in the header \(Excerpt.of(header, scalars: 60))", at: strategy.line,
        "Retry-After and RateLimit headers are obeyed without it; lower rate_limits if the service answers 429")
    }
  }

  private static let knownHeaders: Set<String> = [
    "retry-after", "ratelimit", "ratelimit-reset", "x-ratelimit-reset",
  ]

  private mutating func readFilter(_ filter: ManifestPart) {
    guard let action = action(filter) else { return }
    let statuses = filter.member("http_codes")?.elements.compactMap { integer($0) } ?? []
    var conditions: [FlowMember] = []
    if let content = filter.member("error_message_contains"), let text = plain(content) {
      conditions.append(FlowMember("content", .text(text)))
    }
    if let predicate = filter.member("predicate") {
      guard let read = self.conditions(predicate) else {
        return leaveOut(
          "the predicate of an answer (\(action))", at: predicate.line,
          "write response_actions with content, or with path and equals")
      }
      conditions += read
    }

    // The CDK takes an answer that fulfils any of the conditions; each is an action of its own.
    for status in statuses where Self.changes(action, status) {
      add(action, [FlowMember("status_code", .literal("\(status)"))])
    }
    if !conditions.isEmpty { add(action, conditions) }
  }

  private mutating func add(_ action: String, _ conditions: [FlowMember]) {
    let value = FlowValue.mapping(conditions + [FlowMember("action", .text(action))])
    if !resource.actions.contains(value) { resource.actions.append(value) }
  }

  /// Returns the action of a declaration; `nil` with a remark if it has none.
  private mutating func action(_ filter: ManifestPart) -> String? {
    switch filter.member("action")?.text {
    case "IGNORE"?: return "ignore"
    case "FAIL"?: return "fail"
    case "RETRY"?, "RATE_LIMITED"?: return "retry"
    case nil: return nil
    case let other?:
      leaveOut(
        "the action \(Excerpt.of(other, scalars: 40)) of an answer", at: filter.line,
        "a declaration has ignore, fail, retry and end")
      return nil
    }
  }

  /// Whether an action changes the meaning that a status has without it. 429 and 304 keep their meaning.
  private static func changes(_ action: String, _ status: Int) -> Bool {
    switch status {
    case 304, 429: false
    case 500...599: action != "retry"
    case 400...499: action != "fail"
    case 200...299: false
    default: (200...599).contains(status)
    }
  }

  /// Returns the conditions of a predicate about the body; `nil` if it has another form.
  private mutating func conditions(_ predicate: ManifestPart) -> [FlowMember]? {
    guard var condition = expression(predicate) else { return nil }
    // `'code' in response and response.code == 'x'`: the first part only prevents an error of Python.
    if case .operation("and", .operation("in", .literal, .reference), let second) = condition { condition = second }
    switch condition {
    case .operation("==", .reference(let path), .literal(let value)) where path.first == "response" && path.count > 1:
      guard let text = value.text, !text.isEmpty else { return nil }
      return [
        FlowMember("path", ImportedResource.path(Array(path.dropFirst()))), FlowMember("equals", .text(text)),
      ]
    case .operation("in", .literal(.text(let text)), .reference(let path)) where path.first == "response":
      return text.isEmpty ? nil : [FlowMember("content", .text(text))]
    case .reference(let path) where path.first == "response" && path.count > 1:
      return [FlowMember("path", ImportedResource.path(Array(path.dropFirst())))]
    default: return nil
    }
  }
}
