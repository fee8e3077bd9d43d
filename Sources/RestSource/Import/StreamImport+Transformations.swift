import SyncCore

extension StreamImport {
  /// Notes the parts of a stream that change its records.
  mutating func readTransformations() {
    for transformation in stream.member("transformations")?.elements ?? [] {
      switch transformation.type {
      case "AddFields":
        for field in AddedField.fields(in: transformation, context.spec) { readAddedField(field) }
      case "RemoveFields":
        remarks.add(
          transformation.line, name, "RemoveFields is not carried out",
          "raw has the removed members, too; remove them in a view in SQL")
      case let type? where Self.renamingTransformations.contains(type):
        remarks.add(
          transformation.line, name, "\(type) is not carried out, so the members keep the service's names",
          "check primary_key and columns, and rename members in a view in SQL")
      case let type:
        let shown = Excerpt.of(transformation.className ?? type ?? "a transformation", scalars: 100)
        remarks.add(transformation.line, name, "\(shown) is not carried out", Self.view)
      }
    }
    noteFilter()
    noteUploads()
  }

  private mutating func readAddedField(_ field: AddedField) {
    let path = Excerpt.of(field.path.joined(separator: "."), scalars: 60)
    switch field.origin {
    case .record(let origin):
      guard origin != field.path, !isUsed(origin, as: field.path) else { return }
      remarks.add(
        field.line, name,
        "the copy of \(Excerpt.of(origin.joined(separator: "."), scalars: 60)) in \(path) is not made",
        "columns can name a path: columns: { its_name: { path: …, type: text } }")
    case .partition(let names):
      if case .parent(let parent) = router, names == [parent.field] {
        let member = parent.key.joined(separator: ".")
        if !resource.included.contains(member) { resource.included.append(member) }
      } else {
        remarks.add(field.line, name, "the field \(path) is not added", "a view in SQL can add what a request contains")
      }
    case .computed:
      remarks.add(field.line, name, "the field \(path) is not computed", Self.view)
    }
  }

  /// Whether the key, the cursor or a column takes the place of a copied member.
  private func isUsed(_ origin: [String], as path: [String]) -> Bool {
    guard path.count == 1 else { return false }
    let member = FlowMember("path", ImportedResource.path(origin))
    let isColumn = resource.columns.contains { column in
      if case .mapping(let members) = column.value { members.contains(member) } else { false }
    }
    return isColumn || resource.key.contains(origin)
      || resource.incremental.contains(FlowMember("cursor_path", ImportedResource.path(origin)))
  }

  private mutating func noteFilter() {
    guard let selector = stream.member(["retriever", "record_selector"]) else { return }
    guard let filter = selector.member("record_filter") else { return }
    // A filter by the interval is the CDK's own incremental walk, which saves no request.
    let condition = filter.member("condition").map { text($0, in: filter) }
    guard condition?.hasInterval != true else { return }
    let shown = filter.className.map { " (\(Excerpt.of($0, scalars: 100)))" } ?? ""
    remarks.add(
      filter.line, name, "record_filter\(shown) is not carried out, so the table has each record",
      "write a view in SQL with its condition")
  }

  private mutating func noteUploads() {
    guard let uploader = stream.member("file_uploader") else { return }
    leaveOut("file_uploader", at: uploader.line, "files are not downloaded")
  }

  // MARK: Items

  /// Returns the path of the items; `nil` if the body is the list.
  mutating func selector(_ retriever: ManifestPart) throws(UnusableStream) -> String? {
    guard let selector = retriever.member("record_selector"), let extractor = selector.member("extractor") else {
      return nil
    }
    noteClass(of: extractor, "extractor")
    if let expander = extractor.member("record_expander") {
      leaveOut("record_expander", at: expander.line, "extend data_selector by its path, as in invoices[*].lines")
    }

    guard let path = extractor.member("field_path") else {
      remarks.add(
        extractor.line, name, "data_selector is missing, because the extractor names no field_path",
        "write data_selector: PATH unless the body is the list")
      return nil
    }
    var names: [String] = []
    for element in path.elements {
      guard let name = text(element, in: extractor).plain else {
        throw UnusableStream(
          line: element.line, reason: "its field_path contains an expression that is not read",
          advice: "write the resource by hand")
      }
      if !name.isEmpty { names.append(name) }
    }
    let paginator = retriever.member("paginator")
    let hasPages = paginator.map { $0.type != "NoPagination" } ?? false
    return selectorText(names, hasPages: hasPages, at: path.line)
  }

  /// Returns the path in the notation of declarations; `nil` if the body is the list.
  ///
  /// The CDK's `*` stands for the elements of a list or for the values of an object. Before another name, it is taken
  /// for elements. At the end, it is taken for elements if the list has pages, and otherwise for values.
  private mutating func selectorText(_ names: [String], hasPages: Bool, at line: Int) -> String? {
    var names = names[...]
    let endsWithAll = names.last == "*"
    if endsWithAll {
      names = names.dropLast()
      remarks.add(
        line, name,
        "the * at the end of field_path is taken for \(hasPages ? "elements" : "the values of an object")",
        hasPages ? "add .* to data_selector for the values of an object" : "remove .* from data_selector for a list")
    }
    var text = ""
    for name in names { text += name == "*" ? "[*]" : (text.isEmpty ? "" : ".") + name }
    if endsWithAll, !hasPages { text += text.isEmpty ? "$.*" : ".*" }
    return text.isEmpty ? nil : text
  }
}
