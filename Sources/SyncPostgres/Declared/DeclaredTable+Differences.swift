import SyncCore

/// The differences between the declaration and the recorded state of a table.
extension DeclaredTable {
  /// Begins the recorded names of counters. It has a dot, because a member can move from the columns to the counters.
  static let counterPrefix = "counters."

  /// The name of a column in `DeclaredSchema.Recorded.columns`.
  func recordName(of column: Column) -> String {
    (counters.contains(column) ? Self.counterPrefix : "") + column.name
  }

  /// The table that has the column.
  func relation(of column: Column) -> String { counters.contains(column) ? countersName : name }

  /// The columns of documents that are not recorded.
  func addedColumns(to recorded: DeclaredSchema.Recorded) -> [Column] {
    columns.filter { recorded.columns[$0.name] == nil }
  }

  /// The columns and counters that are recorded with another path or type.
  func changedColumns(in recorded: DeclaredSchema.Recorded) -> [Column] {
    (columns + counters).filter { column in
      recorded.columns[recordName(of: column)].map { $0 != .init(column) } ?? false
    }
  }

  /// The recorded names of columns and counters that are no longer declared, sorted.
  func removedNames(from recorded: DeclaredSchema.Recorded) -> [String] {
    let declared = (columns + counters).map { recordName(of: $0) }
    return recorded.columns.keys.filter { !declared.contains($0) }.sorted()
  }

  func hasOtherCounters(than recorded: DeclaredSchema.Recorded) -> Bool {
    Set(recorded.counters) != Set(counters.map { $0.path[0] })
  }

  /// Whether the recorded table of positions has another primary key, because the resource had one list or lists with
  /// other names.
  func hasOtherLists(than recorded: DeclaredSchema.Recorded) -> Bool {
    hasList && recorded.hasList && recorded.listNameType != lists?.nameType
  }

  /// The counters that are not recorded.
  func newCounters(to recorded: DeclaredSchema.Recorded) -> [Column] {
    counters.filter { recorded.columns[recordName(of: $0)] == nil }
  }

  /// Whether an older program computed hashes that depend on the spelling of the key's members.
  func mustBeRekeyed(_ recorded: DeclaredSchema.Recorded) -> Bool {
    !hasNumberKey && !key.isEmpty && recorded.relations.identity < DeclaredIdentity.current
  }

  /// The recorded tables that a user has dropped.
  func droppedRelations(of recorded: DeclaredSchema.Recorded) -> [String] {
    let isCounted = !counters.isEmpty && !recorded.counters.isEmpty
    return (isCounted && !recorded.relations.hasCounters ? [countersName] : [])
      + (hasList && recorded.hasList && !recorded.relations.hasList ? [listName] : [])
  }

  /// - Throws: `SyncError` `.configuration` if the recorded table has another key or another path of items.
  func refuseOtherKey(_ recorded: DeclaredSchema.Recorded) throws(SyncError) {
    let declaredKey = keyColumns.map { Self.keyText($0.name, path: $0.path, type: $0.type.description) }
    let recordedKey = recorded.key.map { name in
      let column = recorded.columns[name]
      return Self.keyText(name, path: column?.path ?? [name], type: column?.type ?? "")
    }
    guard declaredKey == recordedKey else {
      // A key without members is the whole document.
      func list(_ members: [String]) -> String { members.isEmpty ? "*" : members.joined(separator: ", ") }
      throw otherDeclaration("primary_key", recorded: list(recordedKey), declared: list(declaredKey))
    }
    guard recorded.selector == selector else {
      throw otherDeclaration("data_selector", recorded: recorded.selector, declared: selector)
    }
  }

  private static func keyText(_ name: String, path: [String], type: String) -> String {
    path == [name] ? "\(name) \(type)" : "\(path.joined(separator: ".")) \(type) as \(name)"
  }

  private func otherDeclaration(_ key: String, recorded: String, declared: String) -> SyncError {
    SyncError(
      .configuration,
      "\(name) was mirrored with the \(key) \(Excerpt.of(recorded, scalars: 80)), and "
        + "its declaration now has \(Excerpt.of(declared, scalars: 80))",
      hint: "give the resource another name, which makes another table; the old table stays as it is")
  }
}
