import Yams

/// A value of a manifest, after the references that lead to it.
///
/// The members of a part are resolved when they are read, because references can repeat a large definition many times.
/// A component takes a member that it lacks from `$parameters`, its own or those around it.
struct ManifestPart {
  private enum Content {
    /// The members of a mapping come before those of the mappings that its `$ref` leads to.
    case mapping([Node.Mapping])
    case list([Node])
    case scalar(Node.Scalar)
  }

  /// A value of `$parameters`.
  private struct Parameter {
    let node: Node
    let line: Int
  }

  /// The line of the value's name, or of the value.
  let line: Int
  private let content: Content
  private let root: Node
  /// The name of the member that has this value, or the list with this value.
  private let field: String
  private let parameters: [String: Parameter]

  /// The members whose values are components even without `type`, because the CDK knows their default types.
  private static let componentFields: Set<String> = [
    "check", "decoder", "end_datetime", "end_time_option", "error_handler", "error_handlers", "extractor", "fields",
    "full_refresh_stream", "incremental_stream",
    "page_size_option", "paginator", "parent_stream_configs", "record_expander", "record_filter", "record_selector",
    "request_option", "requester", "response_filters", "retriever", "schema_loader", "spec", "start_datetime",
    "start_time_option", "stream", "streams",
  ]

  init(root: Node) {
    self.init(root, line: 1, field: "", root: root, inherited: [:])
  }

  private init(_ node: Node, line: Int, field: String, root: Node, inherited: [String: Parameter]) {
    let resolved = Self.resolved(node, line: line, in: root)
    self.line = resolved.line
    self.root = root
    self.field = field
    content = resolved.content

    var parameters = inherited
    if case .mapping(let layers) = resolved.content, let own = Self.find("$parameters", in: layers),
      case .mapping(let names) = Self.resolved(own.node, line: own.line, in: root).content
    {
      for layer in names.reversed() {
        for (key, value) in layer {
          parameters[key.scalar?.string ?? ""] = Parameter(node: value, line: key.mark?.line ?? own.line)
        }
      }
    }
    self.parameters = parameters
  }

  // MARK: Members

  /// Returns the value of a member; `nil` if the member is missing or null, and no parameter of its name replaces it.
  func member(_ name: String) -> ManifestPart? {
    guard case .mapping(let layers) = content else { return nil }
    // A parameter that has the name of a member does not reach the parts below this member.
    var inherited = parameters
    inherited[name] = nil

    let own = Self.find(name, in: layers).map { found in
      ManifestPart(found.node, line: found.line, field: name, root: root, inherited: inherited)
    }
    if let own, !own.isEmpty { return own }
    guard isComponent, let parameter = parameters[name] else { return own?.isNull == true ? nil : own }
    return ManifestPart(parameter.node, line: parameter.line, field: name, root: root, inherited: inherited)
  }

  /// Returns the value at the end of several members.
  func member(_ path: [String]) -> ManifestPart? {
    path.reduce(self as ManifestPart?) { part, name in part?.member(name) }
  }

  /// Returns the value of a name of `$parameters`; `nil` if it is missing.
  func parameter(_ name: String) -> ManifestPart? {
    parameters[name].map { parameter in
      ManifestPart(parameter.node, line: parameter.line, field: name, root: root, inherited: [:])
    }
  }

  /// The members of a mapping, in the order of the file. Empty for other values.
  var entries: [(name: String, value: ManifestPart)] {
    guard case .mapping(let layers) = content else { return [] }
    var names: [String] = []
    var found: [String: (node: Node, line: Int)] = [:]
    for layer in layers.reversed() {
      for (key, value) in layer {
        guard let name = key.scalar?.string, !["$ref", "$parameters"].contains(name) else { continue }
        if found[name] == nil { names.append(name) }
        found[name] = (value, key.mark?.line ?? line)
      }
    }
    return names.compactMap { name in
      found[name].map { entry in
        (name, ManifestPart(entry.node, line: entry.line, field: name, root: root, inherited: parameters))
      }
    }
  }

  /// The elements of a list. Empty for other values.
  var elements: [ManifestPart] {
    guard case .list(let nodes) = content else { return [] }
    return nodes.map { node in
      ManifestPart(node, line: node.mark?.line ?? line, field: field, root: root, inherited: parameters)
    }
  }

  // MARK: Values

  /// The text of a scalar; `nil` for null and for other values.
  var text: String? {
    guard case .scalar(let scalar) = content, !isNull else { return nil }
    return scalar.string
  }

  var flag: Bool? {
    guard case .scalar(let scalar) = content else { return nil }
    return Node.scalar(scalar).bool
  }

  var isNull: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return Node.scalar(scalar).null != nil
  }

  /// Whether the value is a text without quotes, which YAML can read as a number or as true.
  var isPlainScalar: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.style == .plain
  }

  var isMapping: Bool { if case .mapping = content { true } else { false } }
  var isList: Bool { if case .list = content { true } else { false } }

  /// Whether the value is null or has nothing in it.
  private var isEmpty: Bool {
    switch content {
    case .mapping(let layers): layers.allSatisfy(\.isEmpty)
    case .list(let nodes): nodes.isEmpty
    case .scalar(let scalar): scalar.string.isEmpty || isNull
    }
  }

  /// The component's type, or the Python class of a custom component. `nil` if the manifest names none.
  var type: String? {
    guard case .mapping(let layers) = content else { return nil }
    return Self.find("type", in: layers)?.node.scalar?.string ?? className
  }

  /// The Python class of a custom component.
  var className: String? {
    guard case .mapping(let layers) = content else { return nil }
    return Self.find("class_name", in: layers)?.node.scalar?.string
  }

  private var isComponent: Bool {
    guard let type else { return isMapping && Self.componentFields.contains(field) }
    return type != "object"
  }

  // MARK: References

  static func isReference(_ text: String) -> Bool { text.hasPrefix("#/") }

  /// Whether the chain of references that begins at this text ends at a value.
  static func hasTarget(_ reference: Node, in root: Node) -> Bool {
    if case .scalar(let scalar) = resolved(reference, line: 0, in: root).content {
      return !isReference(scalar.string)
    }
    return true
  }

  /// Follows the references of a value. A chain that does not end at a value is returned as its last reference.
  private static func resolved(_ node: Node, line: Int, in root: Node) -> (content: Content, line: Int) {
    var node = node
    var line = line
    var layers: [Node.Mapping] = []
    for _ in 0..<Manifest.longestChain {
      switch node {
      case .mapping(let mapping):
        layers.append(mapping)
        guard let reference = mapping["$ref"] else { return (.mapping(layers), line) }
        node = reference
      case .sequence(let sequence):
        return (.list(Array(sequence)), line)
      case .scalar(let scalar):
        guard isReference(scalar.string), let target = target(of: scalar.string, in: root) else {
          return (isReference(scalar.string) || layers.isEmpty ? .scalar(scalar) : .mapping(layers), line)
        }
        node = target.node
        if layers.isEmpty { line = target.line }
      case .alias:
        return (.scalar(Node.Scalar("")), line)
      }
    }
    return (.scalar(Node.Scalar("#/")), line)
  }

  /// Returns the value at `#/definitions/a/0`. A name can contain slashes, so each place is first tried as one name.
  private static func target(of reference: String, in root: Node) -> (node: Node, line: Int)? {
    var rest = reference.dropFirst("#/".count)
    var place = (node: root, line: 1)
    while !rest.isEmpty {
      if case .mapping(let mapping) = place.node, let found = find(String(rest), in: [mapping]) { return found }
      let name = rest.prefix { $0 != "/" }
      rest = rest.dropFirst(name.count + 1)
      switch place.node {
      case .mapping(let mapping):
        guard let found = find(String(name), in: [mapping]) else { return nil }
        place = found
      case .sequence(let sequence):
        guard let index = Int(name), sequence.indices.contains(index) else { return nil }
        place = (sequence[index], sequence[index].mark?.line ?? place.line)
      case .scalar, .alias:
        return nil
      }
    }
    return place
  }

  /// Returns the value of a name in the first mapping that has it.
  private static func find(_ name: String, in layers: [Node.Mapping]) -> (node: Node, line: Int)? {
    for layer in layers {
      for (key, value) in layer where key.scalar?.string == name { return (value, key.mark?.line ?? 0) }
    }
    return nil
  }
}
