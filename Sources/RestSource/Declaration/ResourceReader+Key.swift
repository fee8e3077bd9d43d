import SyncCore
import SyncPostgres
import SyncProgram
import Yams

/// The `primary_key` of a resource.
extension ResourceReader {
  /// The `primary_key` of items that nothing but their documents identifies.
  static let noKey = "*"

  /// Returns the paths of the key's members. Empty if the document is the key.
  func key() throws(SyncError) -> [[String]] {
    guard let part = value("primary_key") else {
      throw part.fault(
        "has no primary_key",
        hint: "write primary_key: id, the member that identifies an item, or primary_key: \"*\" if no member does")
    }
    if part.node.scalar?.string == Self.noKey {
      try refuseLookupAndOrder("needs a primary_key", hint: "remove it: the items have no key")
      return []
    }
    guard part.node.scalar?.string != DeclarationPart.question else {
      throw part.unanswered(hint: "write primary_key: id, the member that identifies an item")
    }

    var key: [[String]] = []
    if let sequence = part.node.sequence {
      for (index, node) in sequence.enumerated() { key.append(try part.below("[\(index)]", node).memberPath()) }
    } else {
      key = [try part.memberPath()]
    }
    guard (1...3).contains(key.count), Set(key).count == key.count else {
      throw part.fault("must have one to three different members", hint: "write primary_key: [shop, id]")
    }
    return key
  }

  /// Returns the column of a member of the key.
  ///
  /// A member that is a valid name is its own column. Any other member has the column that `columns` declares for its
  /// path, or a column with a name of dlt's naming convention.
  /// - Parameter isNumber: Whether the column without a declared type is a number, and not a text.
  func keyColumn(
    _ path: [String], among declared: [DeclaredTable.Column], isNumber: Bool
  ) throws(SyncError) -> DeclaredTable.Column {
    let isPlain = path.count == 1 && DeclaredName.isColumn(path[0])
    let columnOfPath = isPlain ? nil : declared.first { $0.path == path }
    let name = columnOfPath?.name ?? DeclaredName.column(of: path)
    let text = path.joined(separator: ".")
    guard DeclaredName.isColumn(name) else {
      throw (value("primary_key") ?? part).fault(
        "\(Excerpt.of(text, scalars: 40)) has no name for its column",
        hint: "write columns: { its_name: { path: \(Excerpt.of(text, scalars: 40)), type: text } }")
    }

    let columnOfName = declared.first { $0.name == name }
    let type = columnOfName?.type ?? ColumnType(isNumber ? .bigint : .text)
    let isKeyType = [.text, .bigint, .integer, .uuid].contains(type.base) && !type.isArray
    guard isKeyType, columnOfName?.path ?? path == path else {
      throw (value("columns") ?? part).fault(
        "the key \(Excerpt.of(text, scalars: 40)) must be a member of the item with the type text, bigint, integer or uuid",
        hint: isPlain
          ? "write columns: { \(name): text }"
          : "write columns: { its_name: { path: \(Excerpt.of(text, scalars: 40)), type: text } }")
    }
    return DeclaredTable.Column(name: name, path: path, type: type)
  }
}
