import SyncCore

/// The lists of a stream.
indirect enum Router {
  /// One list.
  case none
  /// A list for each value.
  case values(name: String, field: String)
  /// A list for each record of a parent.
  case parent(Parent)

  /// The parent of a stream.
  struct Parent {
    /// The parent's resource.
    let resource: String
    /// The path of `parent_key` in the parent's stored document.
    let key: [String]
    /// The name of the key's value in expressions.
    let field: String
    /// The members that the parent's transformations add.
    let addedFields: [AddedField]
    /// The parent's own lists.
    let router: Router
  }
}

extension StreamImport {
  /// Reads the partition router. Also sets the keys of `resource` for its lists.
  mutating func router(_ retriever: ManifestPart) throws(UnusableStream) -> Router {
    guard let part = retriever.member("partition_router") ?? retriever.member("stream_slicer") else { return .none }
    let routers = part.isList ? part.elements : [part]
    guard let router = routers.first else { return .none }
    guard routers.count == 1 else {
      throw UnusableStream(
        line: part.line, reason: "it has \(routers.count) partition routers, and a resource has lists of one",
        advice: "declare a resource for each value of one of them")
    }

    noteClass(of: router, "partition router")
    let parents = router.member("parent_stream_configs")?.elements ?? []
    if router.type == "ListPartitionRouter" { return try values(router) }
    guard parents.count == 1 else {
      let type = Excerpt.of(router.type ?? "unknown", scalars: 60)
      let reason =
        parents.isEmpty ? "its partition router is not read (\(type))" : "it has \(parents.count) parents"
      throw UnusableStream(line: router.line, reason: reason, advice: "declare a resource for each parent by hand")
    }
    return .parent(try parent(parents[0]))
  }

  private mutating func values(_ router: ManifestPart) throws(UnusableStream) -> Router {
    let field = plain(router.member("cursor_field")) ?? "value"
    let isName = field.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]{0,39}/) != nil
    let name = isName && !["today", "now"].contains(field) && !SecretName.hasSecret(field) ? field : "value"

    var values: [String] = []
    if let part = router.member("values"), part.isList {
      for element in part.elements {
        guard let value = plain(element) else {
          throw UnusableStream(
            line: element.line, reason: "a value of its lists is not a text", advice: "write values by hand")
        }
        values.append(value)
      }
    } else if let part = router.member("values") {
      values = optionValues(part)
    }
    resource.values = FlowMember(name, .list(values.distinct().map { .text($0) }))
    return .values(name: name, field: field)
  }

  /// Returns the values of an option of the user, or a placeholder.
  private mutating func optionValues(_ part: ManifestPart) -> [String] {
    switch expression(part) {
    case .literal(.list(let values))?: return values.compactMap(\.text)
    case .reference(let path)? where path.first == "config":
      let option = Array(path.dropFirst())
      ask(for: option, Self.placeholder(option), at: part.line)
      return [Self.placeholder(option)]
    default:
      leaveOut("the values of its lists", at: part.line, "write them below values, in place of TODO_values")
      return ["TODO_values"]
    }
  }

  private mutating func parent(_ config: ManifestPart) throws(UnusableStream) -> Router.Parent {
    guard let stream = ImportedStreams.parent(config), let parentName = stream.member("name")?.text,
      let parentResource = context.names.resources[parentName]
    else {
      throw UnusableStream(line: config.line, reason: "its parent has no name", advice: Self.byHand)
    }
    let added = AddedField.fields(of: stream, context.spec)
    let keyText = plain(config.member("parent_key")) ?? "id"
    let names = keyText.split(separator: "/").map(String.init)
    guard let key = added.stored(names) else {
      throw UnusableStream(
        line: config.line, reason: "the parent's \(Excerpt.of(keyText, scalars: 60)) is computed by a transformation",
        advice: "use a member that the service returns")
    }
    if let lazy = config.member("lazy_read_pointer"), !lazy.elements.isEmpty {
      leaveOut("lazy_read_pointer", at: lazy.line, "the lists are requested")
    }
    resource.parent = parentResource
    // The CDK then reads only the lists of parents that its own cursor has found to be changed.
    resource.refreshesChanged = config.member("incremental_dependency")?.flag ?? false
    return Router.Parent(
      resource: parentResource, key: key, field: plain(config.member("partition_field")) ?? keyText,
      addedFields: added, router: router(ofParent: stream, name: parentName))
  }

  /// The most parents above a stream.
  private static let deepest = 8

  /// Returns the lists of the parent. What is wrong with them is noted when the parent is read itself.
  private func router(ofParent stream: ManifestPart, name: String) -> Router {
    guard depth < Self.deepest, let retriever = stream.member("retriever") else { return .none }
    var parent = StreamImport(stream, name: name, context: context, remarks: ImportRemarks())
    parent.depth = depth + 1
    do throws(UnusableStream) {
      return try parent.router(retriever)
    } catch {
      return .none
    }
  }

  /// Returns the placeholder of a value of the parent's own lists; `nil` if the parent has no such value.
  private mutating func placeholder(_ field: String, above parent: Router.Parent) -> String? {
    switch parent.router {
    case .values(let name, field): return "{resources.\(parent.resource).\(name)}"
    case .parent(let grandparent) where grandparent.field == field:
      resource.membersForParent.append(grandparent.key.joined(separator: "."))
      let column = DeclaredName.column(of: grandparent.key)
      return "{resources.\(parent.resource)._\(grandparent.resource)_\(column)}"
    default: return nil
    }
  }

  /// Returns the placeholder of a value of the router.
  mutating func placeholder(_ names: [String], line: Int) throws(UnusableStream) -> String {
    let shown = Excerpt.of(names.joined(separator: "."), scalars: 60)
    switch router {
    case .values(let name, let field) where names == [field]:
      usesPartition = true
      return "{\(name)}"
    case .parent(let parent) where names == [parent.field]:
      usesPartition = true
      return "{resources.\(parent.resource).\(parent.key.joined(separator: "."))}"
    case .parent(let parent) where names.first == "extra_fields" && names.count > 1:
      guard let path = parent.addedFields.stored(Array(names.dropFirst())) else { break }
      usesPartition = true
      return "{resources.\(parent.resource).\(path.joined(separator: "."))}"
    case .parent(let parent) where names.first == "parent_slice" && names.count == 2:
      guard let placeholder = placeholder(names[1], above: parent) else { break }
      usesPartition = true
      return placeholder
    default: break
    }
    throw UnusableStream(
      line: line, reason: "a request contains \(shown), which is neither a value nor a member of the parent's record",
      advice: "a placeholder can only name a member that the parent's documents have")
  }

  /// Adds the value that `request_option` sends.
  mutating func readRequestOption() throws(UnusableStream) {
    guard let option = requestOption else { return }
    let path = optionPath(option)
    let field =
      switch router {
      case .none: [String]()
      case .values(_, let field): [field]
      case .parent(let parent): [parent.field]
      }
    switch option.member("inject_into")?.text {
    case "request_parameter" where !path.isEmpty:
      resource.parameters.set(path[0], to: .text(try placeholder(field, line: option.line)))
    case "body_json" where !path.isEmpty && resource.isPOST:
      let value = FlowValue.text(try placeholder(field, line: option.line))
      resource.body = (resource.body ?? .mapping([])).setting(path[...], to: value)
    default:
      throw UnusableStream(
        line: option.line, reason: "a value of its partition router is sent where no placeholder can be",
        advice: "placeholders of lists can be in path, params and json")
    }
  }

  private var requestOption: ManifestPart? {
    let part = stream.member(["retriever", "partition_router"]) ?? stream.member(["retriever", "stream_slicer"])
    guard let router = part?.isList == true ? part?.elements.first : part else { return nil }
    return router.member("request_option")
      ?? router.member("parent_stream_configs")?.elements.first?.member("request_option")
  }

  /// - Throws: `UnusableStream` if no request contains a value of the lists.
  mutating func finishLists() throws(UnusableStream) {
    switch router {
    case .none: return
    case .values:
      guard !usesPartition else { return }
      leaveOut("the values of its lists, which no request contains", at: stream.line, "the resource has one list")
      resource.values = nil
    case .parent(let parent):
      guard !usesPartition else { return }
      throw UnusableStream(
        line: stream.line, reason: "no request contains a member of \(parent.resource)", advice: Self.byHand)
    }
  }
}
