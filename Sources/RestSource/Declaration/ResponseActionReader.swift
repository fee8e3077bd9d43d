import SyncCore
import SyncProgram
import Yams

extension ResourceReader {
  /// Returns the elements of `response_actions` of the resource, or else of the defaults.
  func responseActions() throws(SyncError) -> [Declaration.ResponseAction] {
    guard let part = endpoint["response_actions"], !part.isNull else { return [] }
    guard let sequence = part.node.sequence else {
      throw part.fault("must be a list", hint: "write response_actions: [\(ResponseActionReader.example)]")
    }
    let usesAccessTokens = if case .oauth? = client.auth { true } else { false }
    var actions: [Declaration.ResponseAction] = []
    for (index, node) in sequence.enumerated() {
      let element = part.below("[\(index)]", node)
      actions.append(try ResponseActionReader(element, usesAccessTokens: usesAccessTokens).action(at: index))
    }
    return actions
  }
}

/// Reads an element of `response_actions`. Its keys are those of dlt, with `status`, `path` and `equals`.
struct ResponseActionReader {
  static let example = "{ status_code: 404, action: ignore }"

  private static let actions = Declaration.ResponseAction.Action.allCases.map(\.rawValue)
  private static let actionHint = "write action: \(actions.joined(separator: ", action: "))"
  private static let functionHint = "functions of Python are not run; \(actionHint), or change values in a view in SQL"

  private let part: DeclarationPart
  private let usesAccessTokens: Bool
  private let members: [String: DeclarationPart]

  /// - Parameter usesAccessTokens: Whether the source requests access tokens.
  init(_ part: DeclarationPart, usesAccessTokens: Bool) throws(SyncError) {
    self.part = part
    self.usesAccessTokens = usesAccessTokens
    guard part.node.scalar == nil else {
      throw part.fault("is a function, not an action with its conditions", hint: Self.functionHint)
    }
    members = try part.members(["status_code", "status", "content", "path", "equals", "action"])
  }

  /// - Parameter index: The element's position in the list, from 0.
  func action(at index: Int) throws(SyncError) -> Declaration.ResponseAction {
    let action = try action()
    let status = try status()
    let content = try members["content"]?.text("Not found")
    let member = try member()

    guard status != nil || content != nil || member != nil else {
      throw part.fault("fits each answer", hint: "add status_code, content or path, as in \(Self.example)")
    }
    guard status != 200 || content != nil || member != nil else {
      throw part.fault(
        "fits each page of the list",
        hint: "add content or path, as in { status_code: 200, content: no data, action: ignore }")
    }
    return Declaration.ResponseAction(index: index, status: status, content: content, member: member, action: action)
  }

  private func action() throws(SyncError) -> Declaration.ResponseAction.Action {
    let given = try part.required("action", of: members, hint: Self.actionHint)
    guard given.node.scalar != nil else {
      throw given.fault("is not the name of an action", hint: Self.functionHint)
    }
    let text = try given.text("ignore")
    if let action = Declaration.ResponseAction.Action(rawValue: text) { return action }
    guard text.wholeMatch(of: /[A-Za-z]+/) != nil else {
      throw given.fault("is a function, not the name of an action", hint: Self.functionHint)
    }
    throw given.fault(
      "is the unknown action \(Excerpt.of(text, scalars: 40))", hint: Suggestion.choice(for: text, among: Self.actions))
  }

  /// Returns the status that an answer must have; `nil` for any status.
  /// - Throws: `SyncError` also for a status whose answers have a fixed meaning.
  private func status() throws(SyncError) -> Int? {
    guard let part = members["status_code"] ?? members["status"] else { return nil }
    if members["status_code"] != nil, let other = members["status"] {
      throw other.fault("is the same as status_code", hint: "remove one of them")
    }
    let status = try part.number(200...599)
    switch status {
    case 304: throw part.fault("is 304, which only confirms a page that is stored", hint: "remove this action")
    case 429:
      throw part.fault(
        "is 429, which is retried in any case, after a pause of all processes",
        hint: "remove this action, and lower rate_limits if the service answers 429 often")
    case 401 where usesAccessTokens:
      throw part.fault(
        "is 401, after which a new access token is requested; if that one is refused too, the run stops",
        hint: "remove this action")
    default: return status
    }
  }

  private func member() throws(SyncError) -> Declaration.ResponseAction.Member? {
    let text = try members["equals"]?.text("rate_limited")
    if let path = members["path"] {
      return Declaration.ResponseAction.Member(path: try path.memberPath(), text: text)
    }
    guard let equals = members["equals"] else { return nil }
    throw equals.fault("has no path", hint: "write path: error.code, the member that has this text")
  }
}
