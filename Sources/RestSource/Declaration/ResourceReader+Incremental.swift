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
      ["type", "cursor_path", "initial_value", "start_param", "lag", "full_every"], others: Self.unsupportedRules)
    let cursorPart = try rules.required(
      "cursor_path", of: members, hint: "write cursor_path: updated_at, the member that says when an item changed")
    guard let parameter = try members["start_param"]?.text("since") ?? sender else {
      throw rules.fault("has no start_param", hint: "write start_param: since, the parameter with the earliest change")
    }
    try checkOtherParameters(parameters, than: parameter)

    let longestTime = Duration.seconds(366 * 86_400)
    let incremental = Declaration.Incremental(
      parameter: parameter,
      cursor: try cursorPart.memberPath(),
      initial: try members["initial_value"]?.text("2026-01-01T00:00:00Z"),
      lag: try members["lag"]?.duration(.zero...longestTime) ?? .zero,
      fullEvery: try members["full_every"]?.duration(.seconds(1)...longestTime) ?? .seconds(7 * 86_400))
    if let initialPart = members["initial_value"] { try checkInitialValue(of: incremental, at: initialPart) }
    return incremental
  }

  private static let unsupportedRules = [
    "end_param": "a walk reads to the end of the list",
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
        guard ["{incremental.start_value}", "{incremental.last_value}"].contains(text) else {
          throw parameter.part.fault(
            "has more than the cursor", hint: "write \(parameter.name): \"{incremental.start_value}\" alone")
        }
        sender = parameter.name
      }
    }
    return (rules, sender)
  }

  /// - Throws: `SyncError` if another parameter than `sender` has the cursor.
  private func checkOtherParameters(_ parameters: [Parameter], than sender: String) throws(SyncError) {
    for parameter in parameters where parameter.name != sender {
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
    } catch {
      throw part.fault("cannot be used: \(error.message)", hint: error.hint ?? "")
    }
  }
}
