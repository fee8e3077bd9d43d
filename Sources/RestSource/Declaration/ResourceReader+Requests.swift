import SyncCore
import SyncPostgres
import Yams

extension ResourceReader {
  /// The path, the parameters and the body of a resource, and the resource or the values that their placeholders name.
  struct Requests {
    /// Without slashes at its beginning, and with placeholders of `ListPlaceholder`.
    let path: String
    let parameters: [Parameter]
    /// `nil` for GET.
    let body: RequestBody?
    /// `nil` without a placeholder of a resource.
    let parent: PlaceholderReader.Link?
    let values: Values?
    /// The first text that contains the cursor, and is not the whole value of a parameter.
    let startText: DeclarationPart?
    /// The first text that contains the end of a window, and is not the whole value of a parameter.
    let endText: DeclarationPart?

    /// Whether the resource has several lists.
    var haveLists: Bool { parent != nil || values != nil }
  }

  /// Returns the path, the parameters and the body. Whether the parent exists is not checked.
  /// - Throws: `SyncError` for a placeholder that nothing fills, and for values or parameters that fill nothing.
  func requests() throws(SyncError) -> Requests {
    let declared = try declaredParameters()
    let values = try values()
    var resolved: [String: PlaceholderReader.Resolved] = [:]
    for (name, part) in declared where Self.type(of: part) == "resolve" {
      resolved[name] = try Self.resolved(part)
    }
    var placeholders = PlaceholderReader(resolved: resolved, values: values)

    let path = try path(&placeholders, parameterNames: declared.map(\.name))
    var parameters: [Parameter] = []
    for (name, part) in declared where resolved[name] == nil {
      parameters.append(try Self.parameter(name, part, &placeholders))
    }
    let body = try body(&placeholders)

    try Self.checkUse(of: placeholders)
    if let link = placeholders.parent, let values {
      throw values.part.fault(
        "cannot be combined with placeholders of \(Excerpt.of(link.resource, scalars: 40))",
        hint: "remove one: a resource has lists of a parent or of values")
    }
    return Requests(
      path: path, parameters: parameters, body: body, parent: placeholders.parent, values: values,
      startText: placeholders.startText, endText: placeholders.endText)
  }

  /// - Parameter parameterNames: The names of all parameters, which dlt also puts into the path.
  private func path(
    _ placeholders: inout PlaceholderReader, parameterNames: [String]
  ) throws(SyncError) -> String {
    guard let part = endpoint["path"] else { return name }
    let replaced = try placeholders.replaceInPath(try part.text("products"), of: part)
    if let other = replaced.other {
      let name = Excerpt.of(other, scalars: 40)
      throw part.fault(
        "has {\(name)}, which names neither a member of a resource nor values",
        hint: parameterNames.contains(other)
          ? "write the text of params.\(name) into the path"
          : PlaceholderReader.hint)
    }
    guard !replaced.hasStrayBrace else {
      throw part.fault("has a brace that does not end a placeholder", hint: "write %7B and %7D for { and }")
    }

    let path = replaced.text
    guard !path.contains("://"), !path.contains("?"), !path.contains("#"), !path.contains(" ") else {
      throw part.fault("is not a path below base_url", hint: "write path: products, and parameters below params")
    }
    return String(path.drop { $0 == "/" })
  }

  /// Reads a parameter of dlt's type `resolve`.
  private static func resolved(_ part: DeclarationPart) throws(SyncError) -> PlaceholderReader.Resolved {
    let hint = "write { type: resolve, resource: repos, field: id }, or {resources.repos.id} in the path"
    let members = try part.members(["type", "resource", "field"])
    let resource = try part.required("resource", of: members, hint: hint)
    let field = try part.required("field", of: members, hint: hint)
    return PlaceholderReader.Resolved(
      resource: try resource.text("repos"), member: try field.memberPath(), part: part)
  }

  /// - Throws: `SyncError` if a parameter of the type `resolve`, or the name of `values`, has no placeholder.
  private static func checkUse(of placeholders: PlaceholderReader) throws(SyncError) {
    for (name, parameter) in placeholders.resolved.sorted(by: { $0.key < $1.key })
    where !placeholders.usedNames.contains(name) {
      let name = Excerpt.of(name, scalars: 40)
      let member = "\(parameter.resource).\(parameter.member.joined(separator: "."))"
      throw parameter.part.fault(
        "is not in the path",
        hint: "write {\(name)} in the path, or params: { \(name): \"{resources.\(Excerpt.of(member, scalars: 60))}\" }")
    }
    guard let values = placeholders.values, !placeholders.usedNames.contains(values.name) else { return }
    throw values.part.fault(
      "has \(values.name), but no request contains it", hint: "write {\(values.name)} in the path, in params or in json"
    )
  }
}
