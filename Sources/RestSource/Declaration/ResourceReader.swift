import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram
import Yams

/// Reads an element of `resources`, with `resource_defaults`. The parent of a resource must be read before it.
///
/// The functions that read a key throw the `SyncError` `.configuration` of the first fault, with its line in the file.
struct ResourceReader {
  let source: SourceID
  let part: DeclarationPart
  let members: [String: DeclarationPart]
  let defaults: [String: DeclarationPart]
  /// The members of `endpoint`, with the members of the defaults.
  let endpoint: [String: DeclarationPart]
  let client: ClientReader
  /// The folder that the paths of files belong to.
  let folder: String
  let name: String

  /// - Parameters:
  ///   - part: The element of `resources`: a name, or a mapping.
  ///   - defaults: The members of `resource_defaults`.
  ///   - folder: The folder that the paths of files belong to.
  init(
    _ source: SourceID, _ part: DeclarationPart, defaults: [String: DeclarationPart], client: ClientReader,
    folder: String
  ) throws(SyncError) {
    self.source = source
    self.part = part
    self.defaults = defaults
    self.client = client
    self.folder = folder

    if part.node.scalar != nil {
      name = try part.text("products")
      members = [:]
    } else {
      members = try Self.members(part)
      name = try part.required("name", of: members, hint: "write name: products").text("products")
    }

    let endpoints = [defaults["endpoint"], members["endpoint"]].compactMap(\.self)
    endpoint = try Self.endpoint(endpoints)
  }

  /// Returns the members of several parts `endpoint`. Members of later parts replace members of earlier ones.
  private static func endpoint(_ parts: [DeclarationPart]) throws(SyncError) -> [String: DeclarationPart] {
    var members: [String: DeclarationPart] = [:]
    for part in parts where !part.isNull {
      // A text is the path.
      if part.node.scalar != nil {
        members["path"] = part
      } else {
        members.merge(try part.members(endpointKeys, others: unsupportedEndpointKeys)) { $1 }
      }
    }
    return members
  }

  /// Returns the value of a key of the resource, or of `resource_defaults`. `nil` if the value is missing or null.
  func value(_ key: String) -> DeclarationPart? {
    let value = members[key] ?? defaults[key]
    return value?.isNull == true ? nil : value
  }

  /// - Parameters:
  ///   - requests: The result of `requests()`.
  ///   - parent: The resource that `requests.parent` names.
  func resource(
    _ requests: Requests, parent: Declaration.Resource?
  ) throws(SyncError) -> Declaration.Resource {
    try checkName()
    try checkDisposition()

    let headers = try headers()
    let selector = try endpoint["data_selector"].map { (part) throws(SyncError) in try part.selector() } ?? []
    let keyAs = try keyAs(selector)
    let ownKey = try key()
    let lists = try lists(of: requests, parent: parent)
    let parentColumns = try parentColumns(lists, parent, ownKey: ownKey)
    let key = parentColumns.map(\.path) + ownKey
    if requests.haveLists { try refuseOrderAndIncremental(requests) }
    let isOrdered = try isOrdered()

    let allColumns = try parentColumns + columns(ownKey, isWhole: parentColumns.isEmpty, keyAs: keyAs)
    let counters = try counters(outside: key, among: allColumns)
    let columns = allColumns.filter { column in !counters.contains { $0.path == column.path } }
    let hasNumberKey = key.count == 1 && [.bigint, .integer].contains(columns[0].type.base)
    try checkAddedMembers(keyAs, key: key, hasNumberKey: hasNumberKey, parentColumns)

    let incremental = try incremental(requests)
    try checkCursor(incremental?.cursor, counters)
    if incremental?.window != nil, let order = value("order") {
      throw order.fault("cannot be combined with window", hint: "remove it: positions are stored for each window")
    }

    let (paginator, chain) = try paginator(requests, selector: selector, hasBody: requests.body != nil)

    let cursorNames = [incremental?.parameter, incremental?.window?.parameter]
    let sentParameters = requests.parameters.filter { !cursorNames.contains($0.name) }
    let body = requests.body?.numbering { template in
      template.hasCursor ? incremental?.isNumber == true : isNumber(template, requests.parent, in: parent)
    }
    if sentParameters.contains(where: { $0.template?.hasDates == true }) || body?.hasDates == true {
      // A list with computed dates shows only the items of its window, so a missing item proves nothing.
      try refuseLookupAndOrder(
        "cannot be combined with computed dates", hint: "remove it: items leave the list because time passes")
    }
    try checkNames(columns, counters)

    var table = DeclaredTable(
      source: source,
      resource: name,
      key: columns.prefix(key.count).map(\.name),
      hasNumberKey: hasNumberKey,
      selector: JSONScan.Step.text(selector),
      columns: columns,
      counters: counters,
      hasList: !isOrdered,
      cursor: incremental?.cursor,
      title: try title(columns))
    table.lists = lists?.inTable(parent: parent?.table)
    // Each window is a list.
    if incremental?.window != nil { table.lists = DeclaredTable.Lists() }
    return Declaration.Resource(
      table: table,
      path: requests.path,
      headers: headers,
      body: body,
      parameters: sentParameters.map(\.declared),
      selector: selector,
      paginator: paginator,
      chain: chain,
      actions: try responseActions(),
      total: try value("total_path").map { (part) throws(SyncError) in try part.memberPath() },
      isOrdered: isOrdered,
      lookup: try lookup(key),
      incremental: incremental,
      lists: lists,
      keyAs: keyAs,
      parentKey: parentColumns.map(\.name))
  }

  /// Whether the member of the parent that a template names is a column of whole numbers.
  private func isNumber(
    _ template: TextTemplate, _ link: PlaceholderReader.Link?, in parent: Declaration.Resource?
  ) -> Bool {
    let columns = parent?.table.columns.filter { [.bigint, .integer].contains($0.type.base) } ?? []
    return link?.members.enumerated().contains { index, member in
      template.has(.list(index)) && columns.contains { $0.path == member }
    } ?? false
  }

  private func checkName() throws(SyncError) {
    guard DeclaredName.isTable(name), !DeclaredName.reserved.contains(name), !DeclaredName.tables.contains(name) else {
      throw (members["name"] ?? part).fault(
        "\(Excerpt.of(name, scalars: 40)) cannot be the name of a table",
        hint: "use lowercase letters, digits and _, at most 31, and no keyword; endpoint.path can differ from the name")
    }
  }

  private func checkDisposition() throws(SyncError) {
    guard let part = value("write_disposition") else { return }
    let disposition = part.node.mapping?["disposition"]?.string ?? part.node.string ?? ""
    guard ["merge", "replace"].contains(disposition) else {
      throw part.fault(
        "is not merge",
        hint: "remove it: items are merged by primary_key, and a list is replaced when its walk is complete")
    }
  }

  /// Whether the pages are sorted by the ascending key.
  private func isOrdered() throws(SyncError) -> Bool {
    guard let part = value("order") else { return false }
    guard try part.text("key") == "key" else {
      throw part.fault(
        "is not key", hint: "write order: key if the items are sorted by their ascending key, or remove it")
    }
    return true
  }

  /// - Throws: `SyncError` if the cursor is a counter. A change of a counter alone is not a change of the item.
  private func checkCursor(_ path: [String]?, _ counters: [DeclaredTable.Column]) throws(SyncError) {
    guard let cursor = path?.first, counters.contains(where: { $0.path == [cursor] }) else { return }
    throw (value("counters") ?? part).fault(
      "\(Excerpt.of(cursor, scalars: 40)) is the cursor, and cannot be a counter", hint: "remove it from counters")
  }

  /// - Throws: `SyncError` with this problem if the resource has the key `lookup` or `order`.
  func refuseLookupAndOrder(_ problem: String, hint: String) throws(SyncError) {
    for key in ["lookup", "order"] {
      guard let part = value(key) else { continue }
      throw part.fault(problem, hint: hint)
    }
  }

  /// - Parameter key: The paths of the key's members, which the items of a response must have.
  private func lookup(_ key: [[String]]) throws(SyncError) -> Declaration.Lookup? {
    guard let lookup = value("lookup") else { return nil }
    var pathPart = lookup
    var selector: [String] = []
    if lookup.node.mapping != nil {
      let members = try lookup.members(["path", "data_selector"])
      pathPart = try lookup.required("path", of: members, hint: "write lookup: products/{id}")
      selector = try members["data_selector"]?.memberPath(canBeRoot: true) ?? []
    }

    let path = try pathPart.text("products/{id}")
    let names = Declaration.Lookup(path: path, selector: []).names
    let members = key.map { $0.joined(separator: ".") }
    guard Set(names) == Set(members), !path.contains("://"), !path.contains(where: { "?# ".contains($0) }) else {
      throw pathPart.fault(
        "must be a path with each member of the key in braces",
        hint: "write lookup: products/{\(members.joined(separator: "}/{"))}")
    }
    return Declaration.Lookup(path: String(path.drop { $0 == "/" }), selector: selector)
  }
}
