import SyncCore

/// Reads the placeholders in the path, the parameters and the body of a resource.
struct PlaceholderReader {
  /// A parameter of dlt's type `resolve`, whose name is a placeholder of the path.
  struct Resolved {
    let resource: String
    let member: [String]
    let part: DeclarationPart
  }

  /// The resource that placeholders name, with its members in the order of their first use.
  struct Link {
    let resource: String
    private(set) var members: [[String]] = []
    /// The place of the first placeholder.
    let part: DeclarationPart
    private var indices: [[String]: Int] = [:]

    init(resource: String, part: DeclarationPart) {
      self.resource = resource
      self.part = part
    }

    /// Returns the index of a member in `members`, to which a new member is added.
    mutating func index(of member: [String]) -> Int {
      if let index = indices[member] { return index }
      indices[member] = members.count
      members.append(member)
      return members.count - 1
    }
  }

  /// A path whose placeholders are those of `ListPlaceholder`.
  struct Replaced {
    var text = ""
    /// The first other text in braces; the rest of the text for a brace that does not end. `nil` without braces.
    var other: String?
    /// Whether the text has a brace that does not begin or end a placeholder.
    var hasStrayBrace = false
  }

  let resolved: [String: Resolved]
  let values: ResourceReader.Values?
  /// `nil` before a placeholder of a resource was replaced.
  private(set) var parent: Link?
  /// The names of `resolved` and `values` that were replaced.
  private(set) var usedNames: Set<String> = []
  /// The first text with `{incremental.start_value}` that is not the whole value of a parameter.
  private(set) var startText: DeclarationPart?
  /// The first text with `{incremental.end_value}` that is not the whole value of a parameter.
  private(set) var endText: DeclarationPart?

  init(resolved: [String: Resolved], values: ResourceReader.Values?) {
    self.resolved = resolved
    self.values = values
  }

  /// Whether the text has a placeholder of a list.
  func occur(in text: String) -> Bool {
    let names = resolved.keys + [values?.name].compactMap(\.self)
    return text.contains("{resources.") || names.contains { text.contains("{\($0)}") }
  }

  /// The hint for a placeholder of a list that cannot be read.
  static let hint =
    "write {resources.NAME.MEMBER} for a list of each item of a resource, or values: { city: [berlin, taipei] } for {city}"

  /// Replaces the placeholders in the path, where names of `resolved` are placeholders, too.
  /// - Parameter part: The place of the text.
  /// - Throws: `SyncError` if a placeholder of a resource names no member, or another resource than those before.
  mutating func replaceInPath(_ text: String, of part: DeclarationPart) throws(SyncError) -> Replaced {
    var replaced = Replaced()
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      replaced.hasStrayBrace = replaced.hasStrayBrace || rest[..<open].contains("}")
      replaced.text += rest[..<open]
      if let index = try index(of: name, in: part, isPath: true) {
        replaced.text += ListPlaceholder.text(index)
      } else {
        guard !ListPlaceholder.isIndex(name) else {
          throw part.fault(
            "has {\(Excerpt.of(String(name), scalars: 40))}, a number that names nothing", hint: Self.hint)
        }
        replaced.text += rest[open...close]
        replaced.other = replaced.other ?? String(name)
      }
      rest = rest[rest.index(after: close)...]
    }
    if let open = rest.firstIndex(of: "{") {
      replaced.other = replaced.other ?? String(rest[rest.index(after: open)...])
    }
    replaced.hasStrayBrace = replaced.hasStrayBrace || rest.contains { "{}".contains($0) }
    replaced.text += rest
    return replaced
  }

  /// Returns the index of a text in braces; `nil` if it is not a placeholder of a list.
  /// - Parameters:
  ///   - part: The place of the text.
  ///   - isPath: Whether names of `resolved` are placeholders.
  mutating func index(
    of name: Substring, in part: DeclarationPart, isPath: Bool
  ) throws(SyncError) -> Int? {
    if name.hasPrefix("resources.") {
      let (resource, member) = try Self.reference(name, in: part)
      return try index(of: member, of: resource, at: part)
    }
    if isPath, let parameter = resolved[String(name)] {
      usedNames.insert(String(name))
      return try index(of: parameter.member, of: parameter.resource, at: parameter.part)
    }
    guard let values, values.name == name else { return nil }
    usedNames.insert(values.name)
    return 0
  }

  /// Notes a text whose cursor is not the whole value of a parameter.
  mutating func note(_ template: TextTemplate, at part: DeclarationPart) {
    if template.has(.start) { startText = startText ?? part }
    if template.has(.end) { endText = endText ?? part }
  }

  /// Returns the resource and the member of `resources.repos.owner.login`.
  private static func reference(
    _ name: Substring, in part: DeclarationPart
  ) throws(SyncError) -> (resource: String, member: [String]) {
    let names = name.dropFirst("resources.".count)
    let resource = names.prefix { $0 != "." }
    let member = names.dropFirst(resource.count + 1)
    guard !resource.isEmpty, !member.isEmpty else {
      let example = resource.isEmpty ? "repos" : Excerpt.of(String(resource), scalars: 40)
      throw part.fault(
        "has {\(Excerpt.of(String(name), scalars: 40))}, which names no member of a resource",
        hint: "write {resources.\(example).id}, with the name of a member")
    }
    return (String(resource), try part.memberPath(in: String(member)))
  }

  /// - Parameter part: The place of the reference.
  private mutating func index(
    of member: [String], of resource: String, at part: DeclarationPart
  ) throws(SyncError) -> Int {
    if let parent, parent.resource != resource {
      let (one, two) = (Excerpt.of(parent.resource, scalars: 40), Excerpt.of(resource, scalars: 40))
      throw part.fault(
        "has members of \(two), and other placeholders have members of \(one)",
        hint: "use members of one resource: a resource has one parent")
    }
    if parent == nil { parent = Link(resource: resource, part: part) }
    return parent?.index(of: member) ?? 0
  }
}
