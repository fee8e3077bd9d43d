import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram
import Yams

/// Reads an element of `resources`, with `resource_defaults`.
struct ResourceReader {
  private let source: SourceID
  private let part: DeclarationPart
  private let members: [String: DeclarationPart]
  private let defaults: [String: DeclarationPart]
  private let endpoint: [String: DeclarationPart]
  private let client: ClientReader
  private let name: String

  /// The `primary_key` of items that nothing but their documents identifies.
  static let noKey = "*"

  private static let keys = [
    "name", "endpoint", "primary_key", "columns", "counters", "title", "total_path", "order", "lookup", "incremental",
    "write_disposition",
  ]
  private static let others = [
    "include_from_parent":
      "resources of a resource are not supported; declare the list that has all items, if there is one",
    "processing_steps": "transformations are not supported; write a view in SQL",
    "merge_key": "items are merged by primary_key",
    "table_name": "the table has the resource's name; endpoint.path can differ from the name",
    "max_table_nesting": "nested values stay in raw; columns: { tags: jsonb } makes one a column",
    "schema_contract": "the columns are fixed, and raw has each member",
    "table_format": "tables are PostgreSQL's", "file_format": "no files are written",
    "parallelized": "sources run in parallel, and the rate limit is shared",
    "selected": "remove the resource, or name the streams of a run with --stream",
    "references": "foreign keys are not supported; write a view in SQL",
    "auth": "all resources have the auth of client", "parent": "resources of a resource are not supported",
    "nested_hints": "nested values stay in raw", "data_from": "resources of a resource are not supported",
  ]
  private static let endpointKeys = [
    "path", "method", "params", "json", "idempotent", "data_selector", "paginator", "incremental",
  ]
  private static let endpointOthers = [
    "data": "forms are not sent; write json",
    "headers": "requests of all resources have the headers of client", "auth": "all resources have the auth of client",
    "response_actions": "404 ends a list, and errors are retried; other responses stop the run with their text",
  ]

  static func members(_ part: DeclarationPart) throws(SyncError) -> [String: DeclarationPart] {
    try part.members(keys, others: others)
  }

  init(
    _ source: SourceID, _ part: DeclarationPart, defaults: [String: DeclarationPart], client: ClientReader
  ) throws(SyncError) {
    self.source = source
    self.part = part
    self.defaults = defaults
    self.client = client
    if part.node.scalar != nil {
      name = try part.text("products")
      members = [:]
    } else {
      members = try Self.members(part)
      name = try part.required("name", of: members, hint: "write name: products").text("products")
    }
    var endpoint: [String: DeclarationPart] = [:]
    for given in [defaults["endpoint"], members["endpoint"]].compactMap(\.self) where !given.isNull {
      if given.node.scalar != nil {
        endpoint["path"] = given
      } else {
        endpoint.merge(try given.members(Self.endpointKeys, others: Self.endpointOthers)) { $1 }
      }
    }
    self.endpoint = endpoint
  }

  private func given(_ key: String) -> DeclarationPart? {
    let own = members[key] ?? defaults[key]
    return own?.isNull == true ? nil : own
  }

  func resource() throws(SyncError) -> Declaration.Resource {
    try checkName()
    try checkDisposition()
    let body = try body()
    let key = try key()
    let isOrdered = try order()
    var columns = try columns(key)
    let counters = try counters(key, &columns)
    let parameters = try parameters()
    let incremental = try incremental(parameters)
    if let cursor = incremental?.cursor.first, counters.contains(where: { $0.path == [cursor] }) {
      throw (given("counters") ?? part).fault(
        "\(Excerpt.of(cursor, scalars: 40)) is the cursor, and cannot be a counter", hint: "remove it from counters")
    }
    let selector = try endpoint["data_selector"].map { (part) throws(SyncError) in try part.selector() } ?? []
    let (paginator, chain) = try paginator(parameters, selector, hasBody: body != nil)
    let kept = parameters.filter { $0.name != incremental?.value.parameter }
      .map { Declaration.Parameter(name: $0.name, value: $0.text, template: $0.template) }
    if kept.contains(where: { $0.template != nil }) { try checkWindow() }
    let keyColumns = columns.prefix(key.count)
    let hasNumberKey = key.count == 1 && [.bigint, .integer].contains(columns[0].type.base)
    let isList = !isOrdered
    try checkNames(columns, counters)
    let table = DeclaredTable(
      source: source, resource: name, key: keyColumns.map(\.name), hasNumberKey: hasNumberKey,
      selector: JSONScan.Step.text(selector), columns: columns, counters: counters, hasList: isList,
      cursor: incremental?.cursor, title: try title(columns))
    return Declaration.Resource(
      table: table, path: try path(), body: body, parameters: kept, selector: selector, paginator: paginator,
      chain: chain, total: try given("total_path").map { (part) throws(SyncError) in try part.memberPath() },
      isOrdered: isOrdered,
      lookup: try lookup(key), incremental: incremental?.value)
  }

  /// A list with computed dates shows only the items of its window, so a missing item proves nothing.
  private func checkWindow() throws(SyncError) {
    for name in ["lookup", "order"] {
      guard let other = given(name) else { continue }
      throw other.fault(
        "cannot be combined with computed dates", hint: "remove it: items leave the list because time passes")
    }
  }

  private func checkName() throws(SyncError) {
    guard DeclaredName.isTable(name), !DeclaredName.reserved.contains(name), !DeclaredName.tables.contains(name) else {
      throw (members["name"] ?? part).fault(
        "\(Excerpt.of(name, scalars: 40)) cannot be the name of a table",
        hint: "use lowercase letters, digits and _, at most 31, and no keyword; endpoint.path can differ from the name")
    }
  }

  /// The body of POST requests; `nil` for GET.
  private func body() throws(SyncError) -> RequestBody? {
    let method = try endpoint["method"]?.text("GET").uppercased() ?? "GET"
    guard method != "GET" else {
      guard let json = endpoint["json"] else { return nil }
      throw json.fault("is a body, which GET has not", hint: "write method: POST and idempotent: true")
    }
    let part = endpoint["method"] ?? part
    guard method == "POST" else {
      throw part.fault("is neither GET nor POST", hint: "declare only lists; syncctl changes nothing at a service")
    }
    guard try endpoint["idempotent"]?.flag() == true else {
      throw part.fault(
        "is POST",
        hint: "write idempotent: true if the request changes nothing at the service, so that it can be repeated")
    }
    let body = try endpoint["json"]?.requestBody() ?? .object([:])
    guard case .object = body else {
      throw (endpoint["json"] ?? part).fault("must have members", hint: "write json: { query: \"{ items { id } }\" }")
    }
    return body
  }

  private func checkDisposition() throws(SyncError) {
    guard let disposition = given("write_disposition") else { return }
    let text = disposition.node.mapping?["disposition"]?.string ?? disposition.node.string ?? ""
    guard ["merge", "replace"].contains(text) else {
      throw disposition.fault(
        "is not merge",
        hint: "remove it: items are merged by primary_key, and a list is replaced when its walk is complete")
    }
  }

  private func path() throws(SyncError) -> String {
    guard let given = endpoint["path"] else { return name }
    let path = try given.text("products")
    guard !path.contains("{") else {
      throw given.fault(
        "depends on another resource",
        hint: "resources of a resource are not supported; declare a list that has all items")
    }
    guard !path.contains("://"), !path.contains("?"), !path.contains("#"), !path.contains(" ") else {
      throw given.fault("is not a path below base_url", hint: "write path: products, and parameters below params")
    }
    return String(path.drop { $0 == "/" })
  }

  /// The paths of the key's members. Empty if the document is the key.
  private func key() throws(SyncError) -> [[String]] {
    guard let given = given("primary_key") else {
      throw part.fault(
        "has no primary_key",
        hint: "write primary_key: id, the member that identifies an item, or primary_key: \"*\" if no member does")
    }
    if given.node.scalar?.string == Self.noKey {
      for name in ["lookup", "order"] {
        guard let other = self.given(name) else { continue }
        throw other.fault("needs a primary_key", hint: "remove it: the items have no key")
      }
      return []
    }
    guard given.node.scalar?.string != DeclarationPart.question else {
      throw given.unanswered(hint: "write primary_key: id, the member that identifies an item")
    }
    var key: [[String]] = []
    if let sequence = given.node.sequence {
      for (index, node) in sequence.enumerated() { key.append(try given.below("[\(index)]", node).memberPath()) }
    } else {
      key = [try given.memberPath()]
    }
    guard (1...3).contains(key.count), Set(key).count == key.count else {
      throw given.fault("must have one to three different members", hint: "write primary_key: [shop, id]")
    }
    return key
  }

  private func order() throws(SyncError) -> Bool {
    guard let given = given("order") else { return false }
    guard try given.text("key") == "key" else {
      throw given.fault(
        "is not key", hint: "write order: key if the items are sorted by their ascending key, or remove it")
    }
    return true
  }

  /// The columns, beginning with those of the key.
  private func columns(_ key: [[String]]) throws(SyncError) -> [DeclaredTable.Column] {
    var declared: [DeclaredTable.Column] = []
    if let given = given("columns") {
      guard let mapping = given.node.mapping else {
        throw given.fault(
          "must have members", hint: "write columns: { title: text, price: { path: pricing.amount, type: numeric } }")
      }
      for (node, value) in mapping {
        let name = node.string ?? ""
        declared.append(try column(name, given.below(".\(Excerpt.of(name, scalars: 40))", value), node.mark))
      }
    }
    var ofKey: [DeclaredTable.Column] = []
    for path in key { ofKey.append(try keyColumn(path, among: declared, isOnly: key.count == 1)) }
    return ofKey + declared.filter { column in !ofKey.contains { $0.name == column.name && $0.path == column.path } }
  }

  /// A key's member that is a valid name is its own column. Any other has the column that `columns` declares for its
  /// path, or a column with a name of dlt's naming convention.
  private func keyColumn(
    _ path: [String], among declared: [DeclaredTable.Column], isOnly: Bool
  ) throws(SyncError) -> DeclaredTable.Column {
    let isPlain = path.count == 1 && DeclaredName.isColumn(path[0])
    let ofPath = isPlain ? nil : declared.first { $0.path == path }
    let name = ofPath?.name ?? DeclaredName.column(of: path)
    let text = path.joined(separator: ".")
    guard DeclaredName.isColumn(name) else {
      throw (given("primary_key") ?? part).fault(
        "\(Excerpt.of(text, scalars: 40)) has no name for its column",
        hint: "write columns: { its_name: { path: \(Excerpt.of(text, scalars: 40)), type: text } }")
    }
    let own = declared.first { $0.name == name }
    let type = own?.type ?? ColumnType(isOnly ? .bigint : .text)
    guard [.text, .bigint, .integer, .uuid].contains(type.base), !type.isArray, own?.path ?? path == path else {
      throw (given("columns") ?? part).fault(
        "the key \(Excerpt.of(text, scalars: 40)) must be a member of the item with the type text, bigint, integer or uuid",
        hint: isPlain
          ? "write columns: { \(name): text }"
          : "write columns: { its_name: { path: \(Excerpt.of(text, scalars: 40)), type: text } }")
    }
    return DeclaredTable.Column(name: name, path: path, type: type)
  }

  /// - Throws: `SyncError` if two members have the same column, or if a table cannot have that many columns.
  private func checkNames(
    _ columns: [DeclaredTable.Column], _ counters: [DeclaredTable.Column]
  ) throws(SyncError) {
    let count = columns.count + counters.count
    guard count <= DeclaredName.maximalColumns else {
      throw (given("columns") ?? part).fault(
        "has \(count) columns, and a table of PostgreSQL has at most 1,600",
        hint: "declare at most \(DeclaredName.maximalColumns): raw has each member, and a view in SQL can read more")
    }
    var members: [String: [String]] = [:]
    for column in columns + counters {
      guard let other = members.updateValue(column.path, forKey: column.name) else { continue }
      let place = given(counters.contains(column) ? "counters" : "columns") ?? given("primary_key") ?? part
      let path = Excerpt.of(column.path.joined(separator: "."), scalars: 60)
      throw place.fault(
        "the members \(Excerpt.of(other.joined(separator: "."), scalars: 60)) and \(path) have the same column "
          + column.name,
        hint: "give one another name: columns: { its_name: { path: \(path), type: \(column.type.name) } }")
    }
  }

  /// The name of the column that `title` declares.
  private func title(_ columns: [DeclaredTable.Column]) throws(SyncError) -> String? {
    guard let given = given("title") else { return nil }
    let path = try given.memberPath()
    let named = path.count == 1 ? columns.first { $0.name == path[0] } : nil
    guard let column = named ?? columns.first(where: { $0.path == path }), column.type == ColumnType(.text) else {
      let text = Excerpt.of(path.joined(separator: "."), scalars: 40)
      throw given.fault(
        "is not a column of type text", hint: "write columns: { its_name: { path: \(text), type: text } }")
    }
    return column.name
  }

  private func column(
    _ name: String, _ part: DeclarationPart, _ mark: Mark?
  ) throws(SyncError) -> DeclaredTable.Column {
    let isMapping = part.node.mapping != nil
    // A name without a path is a member. A member of another name has the column that a key with this member has.
    let column = isMapping || name.contains(".") ? name : DeclaredName.column(of: [name])
    guard DeclaredName.isColumn(column), name.utf8.count <= 200, !name.contains("/*") else {
      throw part.fault(
        "cannot be the name of a column",
        hint: "give it another name: columns: { its_name: { path: \(Excerpt.of(name, scalars: 40)), type: text } }",
        at: mark)
    }
    guard isMapping else {
      return DeclaredTable.Column(name: column, path: [name], type: try type(part))
    }
    let members = try part.members(
      ["path", "type", "data_type", "format"],
      others: [
        "nullable": "columns can always be null", "primary_key": "write primary_key at the resource",
        "precision": "numeric keeps each digit", "scale": "numeric keeps each digit", "name": "the key is the name",
        "unique": "only the key is unique; create an index in SQL", "description": "write COMMENT ON COLUMN in SQL",
      ])
    guard let given = members["type"] ?? members["data_type"] else {
      throw part.fault("has no type", hint: "write { path: pricing.amount, type: numeric }")
    }
    var type = try self.type(given)
    if let format = members["format"] { type = try self.type(type, format) }
    return DeclaredTable.Column(name: name, path: try members["path"]?.memberPath() ?? [name], type: type)
  }

  private func type(_ type: ColumnType, _ part: DeclarationPart) throws(SyncError) -> ColumnType {
    let text = try part.text("epoch")
    guard let format = ColumnType.Format(rawValue: text) else {
      throw part.fault(
        "has an unknown format \(Excerpt.of(text, scalars: 40))",
        hint: Suggestion.choice(for: text, among: ColumnType.Format.allCases.map(\.rawValue)))
    }
    guard format.bases.contains(type.base), !type.isArray else {
      throw part.fault(
        "\(text) is not a format of \(type.name)",
        hint: "use epoch and epoch_ms for timestamptz and date, and number for boolean; not for arrays")
    }
    return ColumnType(type.base, format: format)
  }

  /// The names of dlt's types that have another name in PostgreSQL.
  private static let aliases = [
    "double": "double precision", "float": "double precision", "bool": "boolean", "timestamp": "timestamptz",
    "timestamp with time zone": "timestamptz", "decimal": "numeric", "json": "jsonb", "complex": "jsonb",
    "int": "integer", "string": "text",
  ]

  private func type(_ part: DeclarationPart) throws(SyncError) -> ColumnType {
    let text = try part.text("text")
    let isArray = text.hasSuffix("[]")
    let name = isArray ? String(text.dropLast(2)) : text
    guard let base = ColumnType.Base(rawValue: Self.aliases[name] ?? name) else {
      throw part.fault(
        "has an unknown type \(Excerpt.of(text, scalars: 40))",
        hint: Suggestion.choice(for: name, among: ColumnType.Base.allCases.map(\.rawValue))
          + ", and arrays of them (text[])")
    }
    return ColumnType(base, isArray: isArray)
  }

  /// Counters with a type move from the columns to the counters.
  private func counters(
    _ key: [[String]], _ columns: inout [DeclaredTable.Column]
  ) throws(SyncError) -> [DeclaredTable.Column] {
    guard let given = given("counters") else { return [] }
    var counters: [DeclaredTable.Column] = []
    for member in try given.texts("[views, stock]") {
      let declared = columns.first { $0.path == [member] }
      let name = declared?.name ?? DeclaredName.column(of: [member])
      guard !key.contains(where: { $0[0] == member }), !counters.contains(where: { $0.path == [member] }),
        !columns.contains(where: { $0.path.count > 1 && $0.path[0] == member }),
        // A dot usually means a path, and paths cannot be counters.
        declared != nil || !member.contains("."), member.utf8.count <= 200,
        !member.contains("/*")
      else {
        throw given.fault(
          "\(Excerpt.of(member, scalars: 40)) cannot be a counter",
          hint: "counters are members of the item, once each, outside of the key; a column can only rename one")
      }
      guard DeclaredName.isColumn(name) else {
        throw given.fault(
          "\(Excerpt.of(member, scalars: 40)) cannot be the name of a column",
          hint:
            "give it another name: columns: { its_name: { path: \(Excerpt.of(member, scalars: 40)), type: numeric } }")
      }
      counters.append(DeclaredTable.Column(name: name, path: [member], type: declared?.type ?? ColumnType(.numeric)))
      columns.removeAll { $0.path == [member] }
    }
    return counters
  }

  /// A declared parameter, with its place for errors.
  private struct Parameter {
    let name: String
    let text: DeclaredText
    var template: DateTemplate?
    let part: DeclarationPart
  }

  private func parameters() throws(SyncError) -> [Parameter] {
    var parameters: [Parameter] = []
    let defaults = self.defaults["endpoint"]?.node.mapping?["params"].map {
      self.defaults["endpoint"]?.below(".params", $0)
    }
    for given in [defaults ?? nil, endpoint["params"]].compactMap(\.self) where !given.isNull {
      guard let mapping = given.node.mapping else {
        throw given.fault("must have members", hint: "write params: { per_page: 100 }")
      }
      for (key, node) in mapping {
        let name = key.string ?? ""
        let part = given.below(".\(Excerpt.of(name, scalars: 40))", node)
        guard !name.isEmpty, !part.isNull else {
          throw part.fault("must have a value", hint: "write params: { per_page: 100 }", at: key.mark)
        }
        let (text, template) = try value(name, part)
        let parameter = Parameter(name: name, text: text, template: template, part: part)
        parameters.removeAll { $0.name == name }
        parameters.append(parameter)
      }
    }
    return parameters
  }

  private func value(
    _ name: String, _ part: DeclarationPart
  ) throws(SyncError) -> (text: DeclaredText, template: DateTemplate?) {
    if let type = part.node.mapping?["type"]?.string {
      switch type {
      case "incremental": return (.literal("{incremental}"), nil)
      case "resolve":
        throw part.fault("depends on another resource", hint: "resources of a resource are not supported")
      default: throw part.fault("has an unknown type", hint: "write a text or a number")
      }
    }
    if part.node.mapping?["value"] != nil {
      let members = try part.members(["value", "format"])
      let value = try part.required("value", of: members, hint: Self.dateHint)
      let words = try value.text("{today - 7d}")
      return (.literal(words), try template(words, value, members["format"]))
    }
    let text = try part.declaredText(isSecret: SecretName.hasSecret(name))
    guard case .literal(let words) = text, DateTemplate.isTemplate(words), !words.contains("{incremental.") else {
      return (text, nil)
    }
    return (text, try template(words, part))
  }

  private static let dateHint =
    #"write "{today}", "{now - 7d}" or { value: "{now - 7d}", format: "%Y-%m-%d" }; other formats: epoch, epoch_ms"#

  private func template(
    _ words: String, _ part: DeclarationPart, _ format: DeclarationPart? = nil
  ) throws(SyncError) -> DateTemplate {
    let pattern = try format?.text("%Y-%m-%d")
    do throws(DateTemplate.Fault) {
      return try DateTemplate(words, format: pattern)
    } catch {
      switch error {
      case .format: throw (format ?? part).fault("is not a format of dates", hint: Self.dateHint)
      case .placeholder(let name) where name.hasPrefix("resources."):
        throw part.fault("depends on another resource", hint: "resources of a resource are not supported")
      case .placeholder(let name):
        throw part.fault("has {\(Excerpt.of(name, scalars: 40))}, which is not a date", hint: Self.dateHint)
      }
    }
  }

  private func incremental(
    _ parameters: [Parameter]
  ) throws(SyncError) -> (value: Declaration.Incremental, cursor: [String])? {
    var given = self.given("incremental") ?? endpoint["incremental"]
    var parameter: String?
    for one in parameters {
      if one.part.node.mapping?["type"]?.string == "incremental" { (given, parameter) = (one.part, one.name) }
      if case .literal(let text) = one.text, text.contains("{incremental.") {
        guard ["{incremental.start_value}", "{incremental.last_value}"].contains(text) else {
          throw one.part.fault(
            "has more than the cursor", hint: "write \(one.name): \"{incremental.start_value}\" alone")
        }
        parameter = one.name
      }
    }
    guard let given, !given.isNull else {
      if let parameter {
        throw part.fault("has \(parameter), but no incremental", hint: "write incremental: { cursor_path: updated_at }")
      }
      return nil
    }
    let members = try given.members(
      ["type", "cursor_path", "initial_value", "start_param", "lag", "full_every"],
      others: [
        "end_param": "a walk reads to the end of the list", "end_value": "a walk reads to the end of the list",
        "convert": "the cursor is sent as the service wrote it",
        "transform": "the cursor is sent as the service wrote it", "last_value_func": "the cursor is the largest value",
        "primary_key": "the resource has one", "row_order": "each page is read",
        "allow_external_schedulers": "use jobs",
        "on_cursor_value_missing": "items without a cursor are stored",
        "range_start": "equal values are requested again",
        "range_end": "a walk reads to the end of the list",
      ])
    let path = try given.required(
      "cursor_path", of: members, hint: "write cursor_path: updated_at, the member that says when an item changed")
    parameter = try members["start_param"]?.text("since") ?? parameter
    guard let parameter else {
      throw given.fault("has no start_param", hint: "write start_param: since, the parameter with the earliest change")
    }
    for other in parameters where other.name != parameter {
      guard case .literal(let text) = other.text, text.hasPrefix("{incremental") else { continue }
      throw other.part.fault("has the cursor as well", hint: "remove it, so that one parameter has the cursor")
    }
    let year = Duration.seconds(366 * 86_400)
    let member = try path.memberPath()
    let value = Declaration.Incremental(
      parameter: parameter, cursor: member, initial: try members["initial_value"]?.text("2026-01-01T00:00:00Z"),
      lag: try members["lag"]?.duration(.zero...year) ?? .zero,
      fullEvery: try members["full_every"]?.duration(.seconds(1)...year) ?? .seconds(7 * 86_400))
    // The value has the format that the service accepts, so its items have this format, too.
    if let part = members["initial_value"], let initial = value.initial {
      do {
        _ = try value.since(after: IncrementalCursor(text: initial))
      } catch {
        throw part.fault("cannot be used: \(error.message)", hint: error.hint ?? "")
      }
    }
    return (value, member)
  }

  private func lookup(_ key: [[String]]) throws(SyncError) -> Declaration.Lookup? {
    guard let given = given("lookup") else { return nil }
    var (part, selector) = (given, [String]())
    if given.node.mapping != nil {
      let members = try given.members(["path", "data_selector"])
      part = try given.required("path", of: members, hint: "write lookup: products/{id}")
      selector = try members["data_selector"]?.memberPath(canBeRoot: true) ?? []
    }
    let path = try part.text("products/{id}")
    let names = Declaration.Lookup(path: path, selector: []).names
    let members = key.map { $0.joined(separator: ".") }
    guard Set(names) == Set(members), !path.contains("://"), !path.contains(where: { "?# ".contains($0) }) else {
      throw part.fault(
        "must be a path with each member of the key in braces",
        hint: "write lookup: products/{\(members.joined(separator: "}/{"))}")
    }
    return Declaration.Lookup(path: String(path.drop { $0 == "/" }), selector: selector)
  }

  /// The command that finds the resource's paginator. Secrets are left out of its address.
  private func draftCommand(_ parameters: [Parameter]) throws(SyncError) -> String {
    let shown = parameters.compactMap { parameter -> (String, String)? in
      guard case .literal(let text) = parameter.text, parameter.template == nil, !text.hasPrefix("{incremental"),
        !parameter.text.isLikelySecret(named: parameter.name)
      else { return nil }
      return (parameter.name, text)
    }
    return "syncctl source draft \(RestStream.url(client.baseURL, try path(), shown).shellWord)"
  }

  private func paginator(
    _ parameters: [Parameter], _ selector: [JSONScan.Step], hasBody: Bool
  ) throws(SyncError) -> (Declaration.Paginator, Declaration.ChainRules) {
    let hint =
      "\(try draftCommand(parameters)) finds it and prints the line to write; paginator: single_page if the list has one page"
    guard let given = endpoint["paginator"] ?? client.paginator, !given.isNull else {
      throw part.fault("has no paginator", hint: hint)
    }
    // dlt guesses the paginator in each run. A wrong guess would make a part of the list complete.
    guard (given.node.mapping?["type"] ?? given.node).string != "auto" else { throw given.fault("is auto", hint: hint) }
    let reader = try PaginatorReader(
      given, selector: selector,
      limits: parameters.compactMap { parameter in
        if case .literal(let text) = parameter.text, let limit = Int(text), limit > 0 {
          (parameter.name, limit)
        } else {
          nil
        }
      }, hasBody: hasBody)
    return try reader.paginator()
  }
}
