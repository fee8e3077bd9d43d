import SyncCore

extension StreamImport {
  /// Where a value of the paginator is in a request.
  private enum Place {
    case parameter(String)
    case body(String)
    /// The value is the address of the next page.
    case address

    /// The key of a declaration, such as `page_param` or `page_body_path`, with its value; `nil` for `address`.
    func member(_ name: String) -> FlowMember? {
      switch self {
      case .parameter(let parameter): FlowMember("\(name)_param", .text(parameter))
      case .body(let path): FlowMember("\(name)_body_path", .text(path))
      case .address: nil
      }
    }
  }

  /// Reads the paginator. The parameters and the body must have been read.
  mutating func readPaginator(_ retriever: ManifestPart) {
    guard let paginator = retriever.member("paginator"), paginator.type != "NoPagination" else {
      if tokenParameter == nil { return }
      resource.paginator = .question(reason: "A parameter has the next page's token, but there is no paginator")
      return
    }
    noteClass(of: paginator, "paginator")
    guard let strategy = paginator.member("pagination_strategy") else {
      return ask("The manifest names no strategy", at: paginator.line)
    }
    let size = pageSize(paginator, strategy)
    switch strategy.type {
    case "PageIncrement": readPages(paginator, strategy, size)
    case "OffsetIncrement": readOffsets(paginator, strategy, size)
    case "CursorPagination": readCursor(paginator, strategy, size)
    case let type:
      let shown = Excerpt.of(strategy.className ?? type ?? "unknown", scalars: 100)
      ask("The manifest uses \(shown)", at: strategy.line)
    }
  }

  private mutating func ask(_ reason: String, at line: Int) {
    resource.paginator = .question(reason: reason)
    remarks.add(
      line, name, "paginator is a question: \(reason.prefix(1).lowercased())\(reason.dropFirst())",
      "answer it in the declaration as the service's documentation says")
  }

  // MARK: Places

  private mutating func tokenPlace(_ paginator: ManifestPart) -> Place? {
    guard let option = paginator.member("page_token_option") else { return tokenParameter.map { .parameter($0) } }
    if option.type == "RequestPath" || option.member("inject_into")?.text == "path" { return .address }
    return place(option)
  }

  private mutating func place(_ option: ManifestPart) -> Place? {
    let path = optionPath(option)
    guard !path.isEmpty else { return nil }
    switch option.member("inject_into")?.text {
    case "request_parameter", nil: return .parameter(path[0])
    case "body_json" where resource.isPOST: return .body(path.joined(separator: "."))
    default: return nil
    }
  }

  /// The number of items in a page, and the place where it is sent.
  private struct PageSize {
    var count: Int?
    var place: Place?
  }

  private mutating func pageSize(_ paginator: ManifestPart, _ strategy: ManifestPart) -> PageSize {
    var size = PageSize(count: integer(strategy.member("page_size")))
    if let option = paginator.member("page_size_option") { size.place = place(option) }
    guard size.place == nil else { return size }

    // Many manifests send the size among the parameters.
    let usual = resource.parameters.first { member in
      guard PaginatorReader.limitNames.contains(member.name), case .literal(let text) = member.value else {
        return false
      }
      return size.count == nil || size.count == Int(text)
    }
    if let usual, case .literal(let text) = usual.value {
      size = PageSize(count: Int(text), place: .parameter(usual.name))
    }
    return size
  }

  /// The members `limit_param` and `limit`. A parameter of this name becomes part of the paginator.
  private mutating func limit(_ size: PageSize) -> [FlowMember] {
    guard let count = size.count, let place = size.place, let member = place.member("limit") else { return [] }
    if case .parameter(let name) = place { resource.parameters.removeAll { $0.name == name } }
    return [member, FlowMember("limit", .literal("\(count)"))]
  }

  private mutating func numbered(_ type: String, _ members: [FlowMember]) {
    resource.paginator = .known(.mapping([FlowMember("type", .text(type))] + members))
  }

  // MARK: Strategies

  private mutating func readPages(_ paginator: ManifestPart, _ strategy: ManifestPart, _ size: PageSize) {
    guard let member = tokenPlace(paginator)?.member("page") else {
      return ask("The page's number is sent neither in a parameter nor in a JSON body", at: paginator.line)
    }
    let first = integer(strategy.member("start_from_page")) ?? 0
    if strategy.member("start_from_page") == nil, strategy.member("inject_on_first_request")?.flag != true {
      remarks.add(
        strategy.line, name, "the first page has the number 0, because the manifest names none",
        "write base_page: 1 if the service counts from 1")
    }
    numbered("page_number", [member, FlowMember("base_page", .literal("\(first)"))] + limit(size))
  }

  private mutating func readOffsets(_ paginator: ManifestPart, _ strategy: ManifestPart, _ size: PageSize) {
    guard let member = tokenPlace(paginator)?.member("offset") else {
      return ask("The offset is sent neither in a parameter nor in a JSON body", at: paginator.line)
    }
    guard let count = size.count else {
      return ask("The manifest does not say how many items a page has", at: strategy.line)
    }
    if size.place == nil {
      remarks.add(
        strategy.line, name, "the requests also have the parameter limit",
        "write limit_param if the service has another name for the number of items")
    }
    let limitMembers = limit(PageSize(count: count, place: size.place ?? .parameter("limit")))
    numbered("offset", [member] + limitMembers)
  }

  private mutating func readCursor(_ paginator: ManifestPart, _ strategy: ManifestPart, _ size: PageSize) {
    guard let value = strategy.member("cursor_value"), let cursor = expression(value) else {
      return ask("The cursor is not a single expression", at: strategy.line)
    }
    let place = tokenPlace(paginator)
    if case .operation("+", let left, let right) = cursor {
      return readSum(left, right, place, strategy, size)
    }
    guard case .reference(let path) = cursor, path.count > 1 else {
      return ask("The cursor is {{ \(Excerpt.of(value.text ?? "", scalars: 120)) }}", at: value.line)
    }
    switch (path[0], place) {
    case ("response", .address?):
      chain(
        "json_link", [FlowMember("next_url_path", ImportedResource.path(Array(path.dropFirst())))], strategy, cursor)
    case ("response", let place?): readResponseCursor(Array(path.dropFirst()), place, strategy, cursor)
    case ("last_record", let place?):
      guard let stored = addedFields.stored(Array(path.dropFirst())) else {
        return ask("The cursor is computed by a transformation", at: value.line)
      }
      lastItem(stored, place, strategy, cursor)
    case ("headers", .address?) where Self.linkRelation(path) != nil:
      let relation = Self.linkRelation(path) ?? "next"
      let members = relation == "next" ? [] : [FlowMember("links_next_key", .text(relation))]
      chain("header_link", members, strategy, cursor)
    default:
      return ask("The cursor is {{ \(Excerpt.of(value.text ?? "", scalars: 120)) }}", at: value.line)
    }
    sendSize(size)
  }

  /// The relation of `headers.link.next.url`.
  private static func linkRelation(_ path: [String]) -> String? {
    path.count == 4 && path[1].lowercased() == "link" && path[3] == "url" ? path[2] : nil
  }

  private mutating func readResponseCursor(
    _ path: [String], _ place: Place, _ strategy: ManifestPart, _ cursor: JinjaExpression
  ) {
    // `response.data[-1].id` is a member of the last item.
    if let last = path.firstIndex(of: "-1"), path[..<last].joined(separator: ".") == resource.selector ?? "" {
      return lastItem(Array(path[(last + 1)...]), place, strategy, cursor)
    }
    guard let member = place.member("cursor"), !path.contains("-1") else {
      return ask("The cursor is not a member of the page", at: strategy.line)
    }
    chain("cursor", [FlowMember("cursor_path", ImportedResource.path(path)), member], strategy, cursor)
  }

  private mutating func lastItem(
    _ path: [String], _ place: Place, _ strategy: ManifestPart, _ cursor: JinjaExpression
  ) {
    guard let member = place.member("cursor") else {
      return ask("The last item's member is an address", at: strategy.line)
    }
    let text = "\(resource.selector ?? "")[-1].\(path.joined(separator: "."))"
    chain("cursor", [FlowMember("cursor_path", .text(text)), member], strategy, cursor)
  }

  /// Reads a cursor such as `response.page + 1` or `response.startAt + response.maxResults`.
  private mutating func readSum(
    _ left: JinjaExpression, _ right: JinjaExpression, _ place: Place?, _ strategy: ManifestPart, _ size: PageSize
  ) {
    switch (left, right) {
    case (.reference(let path), .literal(.number("1"))) where path.first == "response":
      guard let member = place?.member("page") else { break }
      remarks.add(
        strategy.line, name, "the first page is taken to have the number 1", "write base_page: 0 if it is 0")
      numbered("page_number", [member, FlowMember("base_page", .literal("1"))] + limit(size))
      return
    case (.reference(let one), .reference(let other)) where one.first == "response" && other.first == "response":
      guard let member = place?.member("offset"), size.count != nil, size.place != nil else { break }
      numbered("offset", [member] + limit(size) + total(strategy))
      return
    default: break
    }
    ask("The cursor is a sum that is not read", at: strategy.line)
  }

  /// The path of the total that a stop condition such as `… >= response.total` names.
  private mutating func total(_ strategy: ManifestPart) -> [FlowMember] {
    guard let condition = strategy.member("stop_condition").flatMap({ expression($0) }) else { return [] }
    for alternative in Self.alternatives(condition) {
      if case .operation(">=", _, .reference(let path)) = alternative, path.first == "response", path.count > 1 {
        return [FlowMember("total_path", ImportedResource.path(Array(path.dropFirst())))]
      }
    }
    return []
  }

  /// Sends the size of a page among the other parameters, or in the body.
  private mutating func sendSize(_ size: PageSize) {
    guard let count = size.count else { return }
    switch size.place {
    case .parameter(let name)?: resource.parameters.set(name, to: .literal("\(count)"))
    case .body(let path)?:
      let names = path.split(separator: ".").map(String.init)
      resource.body = (resource.body ?? .mapping([])).setting(names[...], to: .literal("\(count)"))
    default: return
    }
  }

  // MARK: Ends

  private mutating func chain(
    _ type: String, _ members: [FlowMember], _ strategy: ManifestPart, _ cursor: JinjaExpression
  ) {
    let all = members + moreMembers(strategy, cursor)
    if all.isEmpty {
      resource.paginator = .known(.text(type))
    } else {
      numbered(type, all)
    }
  }

  /// Returns `has_more_path` if the stop condition is that such a member is false.
  private mutating func moreMembers(_ strategy: ManifestPart, _ cursor: JinjaExpression) -> [FlowMember] {
    guard let part = strategy.member("stop_condition") else { return [] }
    guard let condition = expression(part) else { return noteEnd(part) }
    var members: [FlowMember] = []
    for alternative in Self.alternatives(condition) where !Self.isImplied(alternative, by: cursor) {
      guard members.isEmpty, let path = Self.moreFlag(alternative) else { return members + noteEnd(part) }
      members = [FlowMember("has_more_path", ImportedResource.path(path))]
    }
    return members
  }

  private mutating func noteEnd(_ part: ManifestPart) -> [FlowMember] {
    remarks.add(
      part.line, name, "stop_condition is not read: \(Excerpt.of(part.text ?? "", scalars: 120))",
      "the list ends at a page that names no next page; write has_more_path if a member of the page says so")
    return []
  }

  private static func alternatives(_ condition: JinjaExpression) -> [JinjaExpression] {
    if case .operation("or", let left, let right) = condition { return alternatives(left) + alternatives(right) }
    return [condition]
  }

  /// Whether the condition only says that the page names no next page.
  private static func isImplied(_ condition: JinjaExpression, by cursor: JinjaExpression) -> Bool {
    guard case .reference(let path) = cursor else { return false }
    switch condition {
    case .literal(.flag(false)): return true
    case .not(let inner):
      if inner == cursor { return true }
      // A member that contains the cursor is missing.
      if case .reference(let outer) = inner { return path.starts(with: outer) }
      if case .operation("in", .literal(.text(let name)), .reference(let outer)) = inner {
        return path.starts(with: outer + [name])
      }
      return false
    case .operation("is", let inner, .literal(.null)), .operation("==", let inner, .literal(.null)),
      .operation("==", let inner, .literal(.text(""))):
      if case .reference(let outer) = inner { return path.starts(with: outer) }
      return false
    default: return false
    }
  }

  /// The path of the flag in `not response.has_more`, `response.has_more is false` and `response.has_more == false`.
  private static func moreFlag(_ condition: JinjaExpression) -> [String]? {
    func path(_ expression: JinjaExpression) -> [String]? {
      guard case .reference(let path) = expression, path.first == "response", path.count > 1 else { return nil }
      return Array(path.dropFirst())
    }
    switch condition {
    case .operation("is", let inner, .literal(.flag(false))), .operation("==", let inner, .literal(.flag(false))):
      return path(inner)
    case .not(let inner):
      let found = path(inner)
      return (found?.last ?? "").lowercased().contains(/more|^has/) ? found : nil
    default: return nil
    }
  }
}
