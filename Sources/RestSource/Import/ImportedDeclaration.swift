import SyncCore
import SyncEngine
import Yams

/// A declaration written from a manifest.
struct ImportedDeclaration {
  let id: String
  /// The name of the manifest's file.
  let file: String
  var baseURL: String
  /// `nil` if the manifest states no limits.
  var rateLimits: String?
  var auth: [FlowMember] = []
  var headers: [FlowMember] = []
  /// Whether the service needs an authentication that the declaration lacks.
  var lacksAuth = false
  var resources: [ImportedResource]

  /// The commented declaration.
  var text: String {
    var lines = [
      "# From \(Excerpt.of(file, scalars: 200)), a manifest of Airbyte. Check it: syncctl source check \(id).yaml",
      "# Then name it in syncctl.yaml:  sources: { \(id): { type: rest_api, file: \(id).yaml } }",
    ]
    let body = self.body(resources)
    let variables = Self.variables(in: body)
    if !variables.isEmpty {
      lines.append("# Set these variables before check and run: \(variables.joined(separator: ", "))")
    }
    return (lines + body).joined(separator: "\n") + "\n"
  }

  private func body(_ resources: [ImportedResource], answersQuestions: Bool = false) -> [String] {
    let limits = rateLimits.map { "rate_limits: [\(FlowValue.text($0).yaml)]" }
    var lines = ["type: rest_api", limits ?? #"rate_limits: ["1/1s"]  # the manifest states no limit"#]
    lines += ["client:", "  base_url: \(FlowValue.text(baseURL).yaml)"]
    if !auth.isEmpty { lines.append("  auth: \(FlowValue.mapping(auth).yaml)") }
    if lacksAuth { lines.append("  # auth: { type: bearer, token: { env: \(id.uppercased())_TOKEN } }") }
    if !headers.isEmpty { lines.append("  headers: \(FlowValue.mapping(headers).yaml)") }
    lines.append("resources:")
    return lines + resources.flatMap { $0.lines(answersQuestions: answersQuestions).map { "  \($0)" } }
  }

  /// The variables of the environment that the lines name, in their order.
  private static func variables(in lines: [String]) -> [String] {
    lines.flatMap { line in
      line.matches(of: /\{ ?env: ?([A-Za-z_][A-Za-z0-9_]*) ?\}/).map { String($0.output.1) }
    }.distinct()
  }

  // MARK: Check

  /// What syncctl refuses in a written resource.
  struct Refusal {
    /// The name of the resource; `nil` for the declaration as a whole.
    let resource: String?
    let problem: String
    let advice: String
  }

  /// Reads the declaration again, each resource with its parents. A question counts as answered.
  func refusals() -> [Refusal] {
    let refusals = resources.compactMap { resource in
      refusal(of: lineage(of: resource)).map { error in
        Refusal(resource: resource.name, problem: Self.problem(error), advice: error.hint ?? "correct it")
      }
    }
    if !refusals.isEmpty { return refusals }
    return refusal(of: resources).map { error in
      [Refusal(resource: nil, problem: Self.problem(error), advice: error.hint ?? "correct it")]
    } ?? []
  }

  /// The resource and its parents.
  private func lineage(of resource: ImportedResource) -> [ImportedResource] {
    var lineage = [resource]
    while let parent = lineage[0].parent, let next = resources.first(where: { $0.name == parent }),
      !lineage.contains(where: { $0.name == parent })
    {
      lineage.insert(next, at: 0)
    }
    return lineage
  }

  private func refusal(of resources: [ImportedResource]) -> SyncError? {
    let yaml = body(resources, answersQuestions: true).joined(separator: "\n")
    guard let node = try? Yams.compose(yaml: yaml) else {
      return SyncError(.configuration, "declaration: is not YAML", hint: "correct it by hand")
    }
    do throws(SyncError) {
      let top = DeclarationPart(file: "declaration", path: id, node: node)
      _ = try DeclarationReader(id: SourceID(rawValue: id), top: top).declaration()
      return nil
    } catch {
      return error
    }
  }

  /// The message without the line, which is not a line of the whole declaration.
  private static func problem(_ error: SyncError) -> String {
    error.message.replacing(#/^declaration(:[0-9]+)?: /#, with: "")
  }
}
