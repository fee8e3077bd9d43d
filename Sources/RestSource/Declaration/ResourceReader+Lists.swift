import JSONScan
import SyncCore
import SyncPostgres
import Yams

/// The keys of resources with several lists.
extension ResourceReader {
  /// The keys that need a parent.
  private static let parentKeys = ["include_from_parent", "identity", "with_parent", "refresh", "refresh_every"]
  private static let longestTime = Duration.seconds(366 * 86_400)
  private static let needsParent =
    "write {resources.NAME.MEMBER} in path, params or json for a list of each item of the resource NAME, or remove it"

  /// Returns the lists; `nil` if the resource has one.
  /// - Parameters:
  ///   - requests: The result of `requests()`.
  ///   - parent: The resource that `requests.parent` names.
  func lists(of requests: Requests, parent: Declaration.Resource?) throws(SyncError) -> Declaration.Lists? {
    if let link = requests.parent, let parent {
      return .parent(
        Declaration.Parent(
          resource: link.resource,
          members: link.members,
          included: try included(),
          identifies: try identifies(parent),
          refresh: try refresh(parent),
          vanishesWithParent: try value("with_parent")?.flag() ?? false))
    }
    for key in Self.parentKeys {
      guard let part = value(key) else { continue }
      throw part.fault("needs a parent, but no placeholder names one", hint: Self.needsParent)
    }
    guard let values = requests.values else { return nil }
    try checkFilling(requests.path, values)
    return .values(name: values.name, values: values.values)
  }

  /// - Throws: `SyncError` if the path of a list would lead elsewhere.
  private func checkFilling(_ path: String, _ values: Values) throws(SyncError) {
    guard let value = values.values.first(where: { !ListPlaceholder.canFill(path, with: [$0]) }) else { return }
    throw values.part.fault(
      "has \(Excerpt.of(value, scalars: 40)), which makes a part of the path a folder", hint: "remove this value")
  }

  /// Returns the paths of `include_from_parent`.
  private func included() throws(SyncError) -> [[String]] {
    guard let part = value("include_from_parent") else { return [] }
    guard let sequence = part.node.sequence, !sequence.isEmpty else {
      throw part.fault("must be a list of members", hint: "write include_from_parent: [id, owner.login]")
    }
    var paths: [[String]] = []
    for (index, node) in sequence.enumerated() {
      let element = part.below("[\(index)]", node)
      let path = try element.memberPath()
      guard !paths.contains(path) else { throw element.fault("is in the list twice", hint: "remove it") }
      paths.append(path)
    }
    return paths
  }

  private func identifies(_ parent: Declaration.Resource) throws(SyncError) -> Bool {
    guard let part = value("identity") else { return false }
    guard try part.text("with_parent") == "with_parent" else {
      throw part.fault(
        "is not with_parent",
        hint: "write identity: with_parent if items of two lists can have the same key, or remove it")
    }
    guard !parent.table.key.isEmpty else {
      throw part.fault("needs a key of \(parent.name), which has none", hint: "write a primary_key at \(parent.name)")
    }
    return true
  }

  private func refresh(_ parent: Declaration.Resource) throws(SyncError) -> Declaration.Parent.Refresh? {
    guard let part = value("refresh") else {
      guard let every = value("refresh_every") else { return nil }
      throw every.fault("needs refresh", hint: "write refresh: changed, or remove it: each run requests each list")
    }

    let hint = "write refresh: changed, or refresh: { changed: comments_count } for a counter or column of the parent"
    var member: [String]?
    if part.node.mapping != nil {
      let members = try part.members(["changed"])
      member = try changingMember(try part.required("changed", of: members, hint: hint), of: parent)
    } else if try part.text("changed") != "changed" {
      throw part.fault("is not changed", hint: hint)
    }
    let every = try value("refresh_every")?.duration(.seconds(1)...Self.longestTime) ?? .seconds(7 * 86_400)
    return Declaration.Parent.Refresh(member: member, every: every)
  }

  /// Returns the path of the parent's counter or column that `part` names, by its path or its own name.
  private func changingMember(
    _ part: DeclarationPart, of parent: Declaration.Resource
  ) throws(SyncError) -> [String] {
    let path = try part.memberPath()
    let columns = parent.table.columns + parent.table.counters
    if columns.contains(where: { $0.path == path }) { return path }
    guard path.count == 1, let column = columns.first(where: { $0.name == path[0] }) else {
      let text = Excerpt.of(path.joined(separator: "."), scalars: 40)
      throw part.fault(
        "is neither a counter nor a column of \(parent.name)", hint: "write counters: [\(text)] at \(parent.name)")
    }
    return column.path
  }

  /// Returns the columns of the parent's key, which `identity: with_parent` puts before the child's own key. Their
  /// members have the names of dlt's `include_from_parent`.
  /// - Parameters:
  ///   - parent: The resource that `lists` names.
  ///   - ownKey: The paths of `primary_key`.
  func parentColumns(
    _ lists: Declaration.Lists?, _ parent: Declaration.Resource?, ownKey: [[String]]
  ) throws(SyncError) -> [DeclaredTable.Column] {
    guard case .parent(let link)? = lists, let parent else { return [] }
    let prefix = "_\(parent.name)_"
    if let member = ownKey.first(where: { $0[0].hasPrefix(prefix) }) {
      throw (value("primary_key") ?? part).fault(
        "has \(Excerpt.of(member[0], scalars: 60)), which items do not have",
        hint: "write identity: with_parent, and only members of the item in primary_key")
    }
    guard link.identifies, let identity = value("identity") else { return [] }
    guard !ownKey.isEmpty else {
      throw identity.fault("needs a primary_key", hint: "write primary_key: id, or remove identity")
    }

    var columns: [DeclaredTable.Column] = []
    for column in parent.table.keyColumns {
      let name = prefix + column.name
      guard DeclaredName.isColumn(name) else {
        throw identity.fault(
          "makes the column \(name), whose name is too long",
          hint: "write columns: { id: { path: …, type: … } } at \(parent.name), with a short name")
      }
      columns.append(DeclaredTable.Column(name: name, path: [name], type: column.type))
    }
    return columns
  }

  /// - Throws: `SyncError` for keys that say something about the one list of a resource.
  func refuseOrderAndIncremental(_ requests: Requests) throws(SyncError) {
    let reason = "cannot be combined with several lists"
    if let order = value("order") { throw order.fault(reason, hint: "remove it: positions are stored for each list") }
    let rules = [value("incremental"), endpoint["incremental"]].compactMap(\.self).first { !$0.isNull }
    let sender = requests.parameters.first { $0.template?.hasCursor == true }?.part
    guard let cursor = rules ?? sender ?? requests.startText ?? requests.endText else { return }
    throw cursor.fault(
      reason, hint: "remove it: each walk reads the whole list; with a parent, refresh: changed skips unchanged lists")
  }

  /// Returns the member of `key_as`.
  func keyAs(_ selector: [JSONScan.Step]) throws(SyncError) -> String? {
    guard let part = value("key_as") else { return nil }
    let name = try part.text("id")
    guard DeclaredName.canBeMember(name) else {
      throw part.fault("has a name that cannot be a member here", hint: "write a short name, as in key_as: id")
    }
    guard selector.contains(.values) else {
      throw part.fault(
        "needs a data_selector with .*",
        hint: "write data_selector: rates.* if the items are the values of the object rates, or remove it")
    }
    return name
  }

  /// Checks the members that items get before they are stored: the name of `key_as`, and the parent's key.
  /// - Parameter key: The paths of the whole key.
  func checkAddedMembers(
    _ keyAs: String?, key: [[String]], hasNumberKey: Bool, _ parentColumns: [DeclaredTable.Column]
  ) throws(SyncError) {
    let isNamed = keyAs.map { key.contains([$0]) } ?? false
    if let keyAs, isNamed, hasNumberKey {
      throw (value("columns") ?? part).fault(
        "the key \(Excerpt.of(keyAs, scalars: 40)) is the name of a member, which is a text",
        hint: "remove its type, or write text")
    }
    if let lookup = value("lookup"), isNamed || !parentColumns.isEmpty {
      let reason = isNamed ? "key_as" : "identity: with_parent"
      throw lookup.fault(
        "cannot be combined with \(reason)", hint: "remove it: the item at its own address does not have its whole key")
    }
    for column in parentColumns {
      let isDeclared = try declaredColumns().contains { $0.path == column.path }
      guard isDeclared || keyAs == column.name else { continue }
      throw (value(isDeclared ? "columns" : "key_as") ?? part).fault(
        "has \(column.name), which identity: with_parent writes", hint: "remove it, or give it another name")
    }
  }
}
