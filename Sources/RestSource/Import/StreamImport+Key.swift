import SyncCore

extension StreamImport {
  /// Returns the paths of the key's members in the stored documents. Empty if the document is the key.
  mutating func key() -> [[String]] {
    guard let part = stream.member("primary_key") else { return [] }
    var key: [[String]] = []
    var parentFields: [[String]] = []
    for path in declaredKey(part) {
      guard let field = addedFields.field(at: path) else {
        key.append(path)
        continue
      }
      switch field.origin {
      case .record(let origin): key.append(origin)
      case .partition(let names): parentFields.append(names)
      case .computed:
        noteNoKey("\(path.joined(separator: ".")) is computed by a transformation", at: part.line)
        return []
      }
    }

    guard !key.isEmpty else {
      if !parentFields.isEmpty { noteNoKey("the key is only a value of the partition router", at: part.line) }
      return []
    }
    if !parentFields.isEmpty { useParentKey(parentFields, at: part.line) }
    guard key.count <= 3 else {
      noteNoKey("a key has at most three members", at: part.line)
      return []
    }
    return key.distinct()
  }

  private mutating func noteNoKey(_ reason: String, at line: Int) {
    remarks.add(
      line, name, "primary_key is \"*\", because \(reason)", "write members of the documents that identify an item")
  }

  /// Reads a text, a list of texts, or a list of lists, which are paths.
  private mutating func declaredKey(_ part: ManifestPart) -> [[String]] {
    guard part.isList else { return plain(part).map { [[$0]] } ?? [] }
    var key: [[String]] = []
    for element in part.elements {
      if element.isList {
        let path = element.elements.compactMap(\.text)
        if !path.isEmpty { key.append(path) }
      } else if let name = plain(element) {
        key.append([name])
      }
    }
    return key
  }

  private mutating func useParentKey(_ fields: [[String]], at line: Int) {
    if case .parent(let parent) = router, fields.contains([parent.field]) {
      resource.isIdentifiedByParent = true
      return
    }
    remarks.add(
      line, name, "primary_key lacks \(fields.map { $0.joined(separator: ".") }.joined(separator: ", "))",
      "check that the rest identifies an item: items with the same key are one row")
  }
}
