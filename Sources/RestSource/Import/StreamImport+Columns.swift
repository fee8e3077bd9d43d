import SyncCore
import SyncPostgres

extension StreamImport {
  /// The transformations after which the members of a record have other names.
  static let renamingTransformations: Set<String> = [
    "DpathFlattenFields", "FlattenFields", "KeysReplace", "KeysToLower", "KeysToSnakeCase",
  ]

  /// Reads the columns: the top-level members of an inline schema that are single values, and the key.
  mutating func readColumns() {
    var columns: [FlowMember] = []
    var taken: Set<String> = []
    let properties = hasRenamedMembers ? [] : schemaProperties
    let types = Dictionary(properties.map { ($0.path, $0.type) }) { first, _ in first }
    for path in resource.key {
      guard let column = keyColumn(path, schemaType: types[path]) else { continue }
      taken.insert(column.name)
      columns.append(column)
    }

    let memberNames = Set(properties.filter { $0.path.count == 1 }.map { $0.path[0] })
    for property in properties where !resource.key.contains(property.path) {
      guard columns.count < Self.mostColumns else { break }
      guard let column = Self.column(property, memberNames, taken) else { continue }
      taken.insert(column.name)
      columns.append(column)
    }
    resource.columns = columns
  }

  /// A table has more columns of its own.
  private static let mostColumns = 1_500

  private var hasRenamedMembers: Bool {
    (stream.member("transformations")?.elements ?? []).contains { transformation in
      Self.renamingTransformations.contains(transformation.type ?? "")
    }
  }

  /// A member of the schema with its path in the stored document.
  private struct Property {
    let name: String
    let path: [String]
    let type: String
  }

  /// The members of the inline schema with the types of columns.
  private var schemaProperties: [Property] {
    let loader = stream.member("schema_loader")
    let loaders = loader?.isList == true ? loader?.elements ?? [] : [loader].compactMap(\.self)
    let schema = loaders.lazy.compactMap { $0.member(["schema", "properties"]) }.first
    return (schema?.entries ?? []).compactMap { name, value in
      guard let type = Self.columnType(value), let path = addedFields.stored([name]) else { return nil }
      return Property(name: name, path: path, type: type)
    }
  }

  /// Returns the type of a column for a type of JSON Schema; `nil` for objects and for several types.
  private static func columnType(_ schema: ManifestPart) -> String? {
    guard let part = schema.member("type") else { return nil }
    let names = (part.isList ? part.elements.compactMap(\.text) : [part.text].compactMap(\.self))
      .filter { $0 != "null" }
    let hasNumbers = Set(names) == ["number", "integer"]
    guard names.count == 1 || hasNumbers else { return nil }
    switch hasNumbers ? "number" : names[0] {
    case "boolean": return "boolean"
    case "integer": return "bigint"
    case "number": return "numeric"
    case "string":
      let format = schema.member("format")?.text
      return format == "date-time" ? "timestamptz" : format == "date" ? "date" : "text"
    default: return nil
    }
  }

  /// Returns the column of a member of the schema; `nil` if no column can have its name.
  private static func column(
    _ property: Property, _ memberNames: Set<String>, _ taken: Set<String>
  ) -> FlowMember? {
    let isOwn = property.path == [property.name]
    let column = DeclaredName.column(of: [property.name])
    guard DeclaredName.isColumn(column), !taken.contains(column), DeclaredName.canBeMember(property.name) else {
      return nil
    }
    if isOwn, column == property.name { return FlowMember(column, .text(property.type)) }
    guard !memberNames.contains(column) || column == property.name else { return nil }
    return FlowMember(column, columnValue(property.path, property.type))
  }

  private static func columnValue(_ path: [String], _ type: String) -> FlowValue {
    .mapping([FlowMember("path", ImportedResource.path(path)), FlowMember("type", .text(type))])
  }

  /// Returns the column of a member of the key; `nil` if it needs no declaration.
  ///
  /// A key without a type in the schema is a text, because a text can also be the digits of a number.
  private func keyColumn(_ path: [String], schemaType: String?) -> FlowMember? {
    let type = schemaType == "bigint" || schemaType == "numeric" ? "bigint" : "text"
    if path.count == 1, DeclaredName.isColumn(path[0]) { return FlowMember(path[0], .text(type)) }
    let usual = DeclaredName.column(of: path)
    let spare = "key_\((resource.key.firstIndex(of: path) ?? 0) + 1)"
    let name = [usual, usual + "_", spare].first { DeclaredName.isColumn($0) } ?? spare
    return FlowMember(name, Self.columnValue(path, type))
  }
}
