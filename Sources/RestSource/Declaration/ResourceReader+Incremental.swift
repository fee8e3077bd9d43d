import SyncCore
import Yams

extension ResourceReader {
  /// Returns the rules of incremental walks; `nil` if each walk reads the whole list.
  func incremental(_ parameters: [Parameter]) throws(SyncError) -> Declaration.Incremental? {
    let (rules, sender) = try cursorRules(parameters)
    guard let rules, !rules.isNull else {
      guard let sender else { return nil }
      throw part.fault("has \(sender), but no incremental", hint: "write incremental: { cursor_path: updated_at }")
    }

    let members = try rules.members(
      ["type", "cursor_path", "initial_value", "start_param", "end_param", "window", "lag", "full_every"],
      others: Self.unsupportedRules)
    let cursorPart = try rules.required(
      "cursor_path", of: members, hint: "write cursor_path: updated_at, the member that says when an item changed")
    guard let parameter = try members["start_param"]?.text("since") ?? sender else {
      throw rules.fault("has no start_param", hint: "write start_param: since, the parameter with the earliest change")
    }
    let endSender = parameters.first { $0.text == .literal(Self.endValue) }?.name
    try checkOtherParameters(parameters, than: [parameter, endSender].compactMap(\.self))

    let longestTime = Duration.seconds(366 * 86_400)
    let incremental = Declaration.Incremental(
      parameter: parameter,
      cursor: try cursorPart.memberPath(),
      initial: try members["initial_value"]?.text("2026-01-01T00:00:00Z"),
      lag: try members["lag"]?.duration(.zero...longestTime) ?? .zero,
      fullEvery: try members["full_every"]?.duration(.seconds(1)...longestTime) ?? .seconds(7 * 86_400),
      window: try window(members, endSender, of: rules))
    if let initialPart = members["initial_value"] { try checkInitialValue(of: incremental, at: initialPart) }
    return incremental
  }

  /// The text of a parameter with the end of a window, as in dlt.
  private static let endValue = "{incremental.end_value}"

  /// Returns the rule for windows; `nil` if the walk has none.
  /// - Parameter sender: The name of the parameter whose value is the end of a window.
  private func window(
    _ members: [String: DeclarationPart], _ sender: String?, of rules: DeclarationPart
  ) throws(SyncError) -> Declaration.Incremental.Window? {
    let parameter = try members["end_param"]?.text("until") ?? sender
    guard let windowPart = members["window"] else {
      guard parameter == nil else {
        throw (members["end_param"] ?? rules).fault(
          "needs a window", hint: "write window: 30d, or remove the parameter: a walk reads to the end of the list")
      }
      return nil
    }
    guard let parameter else {
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
  private func cursorRules(
    _ parameters: [Parameter]
  ) throws(SyncError) -> (rules: DeclarationPart?, sender: String?) {
    var rules = value("incremental") ?? endpoint["incremental"]
    var sender: String?
    for parameter in parameters {
      if parameter.part.node.mapping?["type"]?.string == "incremental" {
        rules = parameter.part
        sender = parameter.name
      }
      if case .literal(let text) = parameter.text, text.contains("{incremental.") {
        guard text != Self.endValue else { continue }
        guard ["{incremental.start_value}", "{incremental.last_value}"].contains(text) else {
          throw parameter.part.fault(
            "has more than the cursor", hint: "write \(parameter.name): \"{incremental.start_value}\" alone")
        }
        sender = parameter.name
      }
    }
    return (rules, sender)
  }

  /// - Throws: `SyncError` if another parameter than `senders` has the cursor.
  private func checkOtherParameters(_ parameters: [Parameter], than senders: [String]) throws(SyncError) {
    for parameter in parameters where !senders.contains(parameter.name) {
      guard case .literal(let text) = parameter.text, text.hasPrefix("{incremental") else { continue }
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
