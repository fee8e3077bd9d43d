import SyncCore
import SyncPostgres

extension Declaration.Lists {
  /// Returns the lists as the table of their places stores them.
  /// - Parameter parent: The table of the parent; `nil` for values.
  func inTable(parent: DeclaredTable?) -> DeclaredTable.Lists {
    guard case .parent(let link) = self, let parent else { return DeclaredTable.Lists() }
    func column(_ path: [String], _ column: DeclaredTable.Column?) -> DeclaredTable.Column {
      DeclaredTable.Column(
        name: "_\(link.resource)_\(DeclaredName.column(of: path))", path: path, type: column?.type ?? ColumnType(.text))
    }
    let counters = parent.counters.filter { link.included.contains($0.path) }
    let members = link.included.filter { path in !counters.contains { $0.path == path } }
    return DeclaredTable.Lists(
      parent: DeclaredTable.Lists.Parent(
        table: parent.name, resource: link.resource,
        included: members.map { path in column(path, parent.columns.first { $0.path == path }) },
        includedCounters: counters.map { column($0.path, $0) }, vanishesWithParent: link.vanishesWithParent))
  }
}

extension Declaration.Resource {
  /// The name of the resource whose items have a list each; `nil` without a parent.
  var parentName: String? { if case .parent(let parent)? = lists { parent.resource } else { nil } }

  /// Returns the place of a member that requests of a child contain. The name of the resource's `values` is a member,
  /// and so are the members of its own parent, with the names that `include_from_parent` gives them.
  func memberForChildren(_ path: [String]) -> ParentLists.Member {
    guard path.count == 1, !parentKey.contains(path[0]) else { return .document(path) }
    if case .values(path[0], _)? = lists { return .listName }
    let parent = table.lists?.parent
    if let column = parent?.included.first(where: { $0.name == path[0] }) {
      return .grandparent(column.path, isCounter: false)
    }
    if let column = parent?.includedCounters.first(where: { $0.name == path[0] }) {
      return .grandparent(column.path, isCounter: true)
    }
    return .document(path)
  }

  /// Returns the list whose first page shows whether the declaration fits the service: the list of the first value, or
  /// the latest window. `nil` for a resource of one list, and for lists of parent items, which only the mirror knows.
  /// - Parameter now: Seconds since 1970.
  func firstList(now: Int64) throws(SyncError) -> [StreamList]? {
    if let windows = try incremental?.windows(since: nil, now: now) { return windows.suffix(1) }
    guard case .values(_, let values)? = lists, let value = values.first else { return nil }
    return [StreamList(name: value, values: [value])]
  }
}
