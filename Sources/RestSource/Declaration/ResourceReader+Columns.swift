import SyncCore
import SyncPostgres
import SyncProgram
import Yams

extension ResourceReader {
  /// Returns the columns, beginning with those of the key. Columns of counters are among them.
  /// - Parameters:
  ///   - key: The paths of the item's own members of the key.
  ///   - isWhole: Whether `key` is the whole key, without members of a parent's key.
  ///   - keyAs: The member with the name of the item, which is a text.
  func columns(
    _ key: [[String]], isWhole: Bool, keyAs: String?
  ) throws(SyncError) -> [DeclaredTable.Column] {
    let declared = try declaredColumns()
    var keyColumns: [DeclaredTable.Column] = []
    for path in key {
      let isNumber = key.count == 1 && isWhole && path != keyAs.map { [$0] }
      keyColumns.append(try keyColumn(path, among: declared, isNumber: isNumber))
    }

    let otherColumns = declared.filter { column in
      !keyColumns.contains { $0.name == column.name && $0.path == column.path }
    }
    return keyColumns + otherColumns
  }

  /// Returns the columns below `columns`, in the order of the file.
  func declaredColumns() throws(SyncError) -> [DeclaredTable.Column] {
    guard let part = value("columns") else { return [] }
    guard let mapping = part.node.mapping else {
      throw part.fault(
        "must have members", hint: "write columns: { title: text, price: { path: pricing.amount, type: numeric } }")
    }
    var columns: [DeclaredTable.Column] = []
    for (node, value) in mapping {
      let name = node.string ?? ""
      let columnPart = part.below(".\(Excerpt.of(name, scalars: 40))", value)
      columns.append(try Self.column(name, columnPart, nameMark: node.mark))
    }
    return columns
  }

  /// Returns the column of an entry of `columns`.
  /// - Parameters:
  ///   - name: The entry's key, which is the column's name, or a member that has no `path`.
  ///   - nameMark: The place of `name` in the file.
  private static func column(
    _ name: String, _ part: DeclarationPart, nameMark: Mark?
  ) throws(SyncError) -> DeclaredTable.Column {
    let isMapping = part.node.mapping != nil
    // A name without a path is a member. A member of another name has the column that a key with this member has.
    let columnName = isMapping || name.contains(".") ? name : DeclaredName.column(of: [name])
    guard DeclaredName.isColumn(columnName), DeclaredName.canBeMember(name) else {
      throw part.fault(
        "cannot be the name of a column",
        hint: "give it another name: columns: { its_name: { path: \(Excerpt.of(name, scalars: 40)), type: text } }",
        at: nameMark)
    }
    guard isMapping else {
      return DeclaredTable.Column(name: columnName, path: [name], type: try ColumnType(part))
    }

    let members = try part.members(["path", "type", "data_type", "format"], others: unsupportedColumnKeys)
    guard let typePart = members["type"] ?? members["data_type"] else {
      throw part.fault("has no type", hint: "write { path: pricing.amount, type: numeric }")
    }
    var type = try ColumnType(typePart)
    if let format = members["format"] { type = try type.formatted(format) }
    return DeclaredTable.Column(name: columnName, path: try members["path"]?.memberPath() ?? [name], type: type)
  }

  private static let unsupportedColumnKeys = [
    "nullable": "columns can always be null",
    "primary_key": "write primary_key at the resource",
    "precision": "numeric keeps each digit",
    "scale": "numeric keeps each digit",
    "name": "the key is the name",
    "unique": "only the key is unique; create an index in SQL",
    "description": "write COMMENT ON COLUMN in SQL",
  ]

  /// Returns the columns of the counters. A column with a counter's path is the counter's column.
  /// - Parameters:
  ///   - key: The paths of the key's members, which cannot be counters.
  ///   - columns: All columns that the resource declares.
  func counters(
    outside key: [[String]], among columns: [DeclaredTable.Column]
  ) throws(SyncError) -> [DeclaredTable.Column] {
    guard let part = value("counters") else { return [] }
    var counters: [DeclaredTable.Column] = []
    for member in try part.texts("[views, stock]") {
      let column = columns.first { $0.path == [member] }
      let isInKey = key.contains { $0[0] == member }
      let isRepeated = counters.contains { $0.path == [member] }
      let hasColumnInside = columns.contains { $0.path.count > 1 && $0.path[0] == member }
      // A dot usually means a path, and paths cannot be counters.
      let isMember = column != nil || !member.contains(".")
      guard !isInKey, !isRepeated, !hasColumnInside, isMember, DeclaredName.canBeMember(member) else {
        throw part.fault(
          "\(Excerpt.of(member, scalars: 40)) cannot be a counter",
          hint: "counters are members of the item, once each, outside of the key; a column can only rename one")
      }

      let name = column?.name ?? DeclaredName.column(of: [member])
      guard DeclaredName.isColumn(name) else {
        throw part.fault(
          "\(Excerpt.of(member, scalars: 40)) cannot be the name of a column",
          hint:
            "give it another name: columns: { its_name: { path: \(Excerpt.of(member, scalars: 40)), type: numeric } }")
      }
      counters.append(DeclaredTable.Column(name: name, path: [member], type: column?.type ?? ColumnType(.numeric)))
    }
    return counters
  }

  /// - Throws: `SyncError` if two members have the same column, or if a table cannot have that many columns.
  func checkNames(_ columns: [DeclaredTable.Column], _ counters: [DeclaredTable.Column]) throws(SyncError) {
    let count = columns.count + counters.count
    guard count <= DeclaredName.maximalColumns else {
      throw (value("columns") ?? part).fault(
        "has \(count) columns, and a table of PostgreSQL has at most 1,600",
        hint: "declare at most \(DeclaredName.maximalColumns): raw has each member, and a view in SQL can read more")
    }

    var paths: [String: [String]] = [:]
    for column in columns + counters {
      guard let otherPath = paths.updateValue(column.path, forKey: column.name) else { continue }
      let faultyPart = value(counters.contains(column) ? "counters" : "columns") ?? value("primary_key") ?? part
      let path = Excerpt.of(column.path.joined(separator: "."), scalars: 60)
      throw faultyPart.fault(
        "the members \(Excerpt.of(otherPath.joined(separator: "."), scalars: 60)) and \(path) have the same column "
          + column.name,
        hint: "give one another name: columns: { its_name: { path: \(path), type: \(column.type.name) } }")
    }
  }

  /// Returns the name of the column that `title` declares.
  func title(_ columns: [DeclaredTable.Column]) throws(SyncError) -> String? {
    guard let part = value("title") else { return nil }
    let path = try part.memberPath()
    let columnOfName = path.count == 1 ? columns.first { $0.name == path[0] } : nil
    let column = columnOfName ?? columns.first { $0.path == path }
    guard let column, column.type == ColumnType(.text) else {
      let text = Excerpt.of(path.joined(separator: "."), scalars: 40)
      throw part.fault(
        "is not a column of type text", hint: "write columns: { its_name: { path: \(text), type: text } }")
    }
    return column.name
  }
}
