import SyncCore
import Yams

extension ResourceReader {
  /// Returns the rules of incremental walks; `nil` if each walk reads the whole list.
  func incremental(_ requests: Requests) throws(SyncError) -> Declaration.Incremental? {
    let parameters = requests.parameters
    let (rules, sender) = cursorRules(parameters)
    guard let rules, !rules.isNull else {
      let hint = "write incremental: { cursor_path: updated_at }"
      if let sender { throw part.fault("has \(sender), but no incremental", hint: hint) }
      guard let text = requests.startText ?? requests.endText else { return nil }
      throw text.fault("has the cursor, but the resource has no incremental", hint: hint)
    }

    let members = try rules.members(
      ["type", "cursor_path", "initial_value", "start_param", "end_param", "window", "lag", "full_every"],
      others: Self.unsupportedRules)
    let cursorPart = try rules.required(
      "cursor_path", of: members, hint: "write cursor_path: updated_at, the member that says when an item changed")
    let parameter = try members["start_param"]?.text("since") ?? sender
    guard parameter != nil || requests.startText != nil else {
      throw rules.fault("has no start_param", hint: "write start_param: since, the parameter with the earliest change")
    }
    let initialPart = members["initial_value"]
    if let text = requests.startText, initialPart == nil {
      throw text.fault(
        "has the cursor in a text, and the first run has no cursor",
        hint: "write initial_value: \"2020-01-01T00:00:00Z\" in incremental; a parameter without other text needs none")
    }
    let endSender = parameters.first { $0.template?.isEnd == true }?.name
    try checkOtherParameters(parameters, than: [parameter, endSender].compactMap(\.self))

    let longestTime = Duration.seconds(366 * 86_400)
    let incremental = Declaration.Incremental(
      parameter: parameter,
      cursor: try cursorPart.memberPath(),
      initial: try initialPart?.text("2026-01-01T00:00:00Z"),
      isNumber: initialPart.map { $0.node.scalar?.style == .plain && RequestBody.isNumber($0.node.string ?? "") }
        ?? false,
      lag: try members["lag"]?.duration(.zero...longestTime) ?? .zero,
      fullEvery: try members["full_every"]?.duration(.seconds(1)...longestTime) ?? .seconds(7 * 86_400),
      window: try window(members, endSender, requests, of: rules))
    if let initialPart { try checkInitialValue(of: incremental, at: initialPart) }
    return incremental
  }

  /// Returns the rule for windows; `nil` if the walk has none.
  /// - Parameter sender: The name of the parameter whose value is the end of a window.
  private func window(
    _ members: [String: DeclarationPart], _ sender: String?, _ requests: Requests, of rules: DeclarationPart
  ) throws(SyncError) -> Declaration.Incremental.Window? {
    let parameter = try members["end_param"]?.text("until") ?? sender
    guard let windowPart = members["window"] else {
      guard parameter == nil, requests.endText == nil else {
        throw (members["end_param"] ?? requests.endText ?? rules).fault(
          "needs a window", hint: "write window: 30d, or remove the parameter: a walk reads to the end of the list")
      }
      return nil
    }
    guard parameter != nil || requests.endText != nil else {
      throw windowPart.fault("needs end_param", hint: "write end_param: until, the parameter with the latest change")
    }
    guard members["initial_value"] != nil else {
      throw windowPart.fault("needs initial_value", hint: "write initial_value: \"2020-01-01T00:00:00Z\"")
    }
    let longest = Duration.seconds(3_660 * 86_400)
    return Declaration.Incremental.Window(
      parameter: parameter, length: try windowPart.duration(.seconds(60)...longest))
  }

  private static let unsupportedRules = [
    "end_value": "a walk reads to the end of the list",
    "convert": "the cursor is sent as the service wrote it",
    "transform": "the cursor is sent as the service wrote it",
    "last_value_func": "the cursor is the largest value",
    "primary_key": "the resource has one",
    "row_order": "each page is read",
    "allow_external_schedulers": "use jobs",
    "on_cursor_value_missing": "items without a cursor are stored",
    "range_start": "equal values are requested again",
    "range_end": "a walk reads to the end of the list",
  ]

  /// Returns the part `incremental`, and the name of the parameter that sends the cursor. As in dlt, the rules can be
  /// the value of this parameter.
  private func cursorRules(_ parameters: [Parameter]) -> (rules: DeclarationPart?, sender: String?) {
    var rules = value("incremental") ?? endpoint["incremental"]
    var sender: String?
    for parameter in parameters where parameter.template?.isStart == true {
      if Self.type(of: parameter.part) == "incremental" { rules = parameter.part }
      sender = parameter.name
    }
    return (rules, sender)
  }

  /// - Throws: `SyncError` if the whole value of another parameter than `senders` is the cursor.
  private func checkOtherParameters(_ parameters: [Parameter], than senders: [String]) throws(SyncError) {
    for parameter in parameters where !senders.contains(parameter.name) {
      guard parameter.template?.isStart == true || parameter.template?.isEnd == true else { continue }
      throw parameter.part.fault("has the cursor as well", hint: "remove it, so that one parameter has the cursor")
    }
  }

  /// The service accepts the format of the initial value, so its items have this format, too.
  private func checkInitialValue(
    of incremental: Declaration.Incremental, at part: DeclarationPart
  ) throws(SyncError) {
    guard let initial = incremental.initial else { return }
    do {
      _ = try incremental.since(after: IncrementalCursor(text: initial))
      _ = try incremental.windows(since: nil, now: 0)
    } catch {
      throw part.fault("cannot be used: \(error.message)", hint: error.hint ?? "")
    }
  }
}
