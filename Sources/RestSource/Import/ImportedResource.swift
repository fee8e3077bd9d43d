/// A resource of a written declaration.
struct ImportedResource: Equatable {
  /// The line below `endpoint` that says how pages follow each other.
  enum Paginator: Equatable {
    case known(FlowValue)
    /// A question, which `check` and `run` refuse until the user answers it.
    case question(reason: String)
  }

  let name: String
  /// The paths of the key's members. Empty if the document is the key.
  var key: [[String]] = []
  /// Without a slash at its beginning.
  var path = ""
  var isPOST = false
  var parameters: [FlowMember] = []
  /// The headers that not all resources have.
  var headers: [FlowMember] = []
  var body: FlowValue?
  /// The path of the items; `nil` if the body is the list.
  var selector: String?
  var paginator = Paginator.known(.text("single_page"))
  var actions: [FlowValue] = []
  var totalPath: String?
  /// The name and the values of the lists.
  var values: FlowMember?
  /// The name of the parent resource.
  var parent: String?
  /// The paths of `include_from_parent`.
  var included: [String] = []
  /// The paths that the parent must have in its `include_from_parent`, because requests contain these members.
  var membersForParent: [String] = []
  /// Whether the parent's key is part of the key.
  var isIdentifiedByParent = false
  /// Whether a run requests only the lists of parents that have changed.
  var refreshesChanged = false
  var incremental: [FlowMember] = []
  var columns: [FlowMember] = []

  /// The lines below `resources`, without indentation.
  /// - Parameter answersQuestions: Whether a question is answered with `single_page`, so that the rest can be checked.
  func lines(answersQuestions: Bool = false) -> [String] {
    var lines = ["- name: \(name)", "  primary_key: \(keyYAML)"]
    if let values { lines.append("  values: { \(values.yaml) }") }
    if !included.isEmpty {
      lines.append("  \(FlowMember("include_from_parent", .list(included.map { .text($0) })).yaml)")
    }
    if isIdentifiedByParent { lines.append("  identity: with_parent") }
    if refreshesChanged { lines.append("  refresh: changed") }
    lines.append("  endpoint:")
    lines += endpoint(answersQuestions).map { "    \($0)" }
    if let totalPath { lines.append("  total_path: \(FlowValue.text(totalPath).yaml)") }
    if !incremental.isEmpty { lines.append("  incremental: \(FlowValue.mapping(incremental).yaml)") }
    guard !columns.isEmpty else { return lines }
    return lines + ["  columns:"] + columns.map { "    \($0.yaml)" }
  }

  private func endpoint(_ answersQuestions: Bool) -> [String] {
    var lines = ["path: \(FlowValue.text(path).yaml)"]
    if isPOST { lines += ["method: POST", "idempotent: true"] }
    if !parameters.isEmpty { lines.append("params: \(FlowValue.mapping(parameters).yaml)") }
    if !headers.isEmpty { lines.append("headers: \(FlowValue.mapping(headers).yaml)") }
    if let body { lines.append("json: \(body.yaml)") }
    if let selector { lines.append("data_selector: \(FlowValue.text(selector).yaml)") }
    if !actions.isEmpty { lines.append("response_actions: \(FlowValue.list(actions).yaml)") }
    switch paginator {
    case .known(let value): return lines + ["paginator: \(value.yaml)"]
    case .question(let reason):
      guard !answersQuestions else { return lines + ["paginator: single_page"] }
      return lines + [
        "# QUESTION: how do the pages follow each other? \(reason).",
        "# Write the paginator that fits the service's documentation; paginator: single_page if a list has one page.",
        #"paginator: "\#(DeclarationPart.question)""#,
      ]
    }
  }

  private var keyYAML: String {
    guard !key.isEmpty else { return #""\#(ResourceReader.noKey)""# }
    let members = key.map(Self.path)
    if members.count == 1, case .text(let path) = members[0] { return FlowValue.text(path).yaml }
    return FlowValue.list(members).yaml
  }

  /// The path as a text with dots; as a list if a name has a dot or another sign of paths.
  static func path(_ names: [String]) -> FlowValue {
    let isPlain = names.allSatisfy { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil }
    return isPlain ? .text(names.joined(separator: ".")) : .list(names.map { .text($0) })
  }
}
