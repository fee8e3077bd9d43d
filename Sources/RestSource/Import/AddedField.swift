/// A member that a transformation `AddFields` writes into each record. The stored documents do not have it.
struct AddedField {
  /// Where the value comes from.
  enum Origin: Equatable {
    /// Another member of the record.
    case record([String])
    /// A value of the partition router.
    case partition([String])
    /// A computed value.
    case computed
  }

  let path: [String]
  let origin: Origin
  let line: Int

  /// Returns the fields that the transformations of a stream add, in their order.
  static func fields(of stream: ManifestPart, _ spec: ManifestSpec) -> [AddedField] {
    (stream.member("transformations")?.elements ?? []).flatMap { fields(in: $0, spec) }
  }

  /// Returns the fields that a transformation adds; none unless it is `AddFields`.
  static func fields(in transformation: ManifestPart, _ spec: ManifestSpec) -> [AddedField] {
    guard transformation.type == "AddFields" else { return [] }
    let isConditional = transformation.member("condition") != nil
    return (transformation.member("fields")?.elements ?? []).map { field in
      AddedField(
        path: field.member("path")?.elements.compactMap(\.text) ?? [],
        origin: isConditional ? .computed : origin(field.member("value"), in: field, spec),
        line: field.line)
    }
  }

  private static func origin(_ value: ManifestPart?, in field: ManifestPart, _ spec: ManifestSpec) -> Origin {
    guard let text = value?.text else { return .computed }
    let parts = JinjaTemplate(text).parts
    guard parts.count == 1, case .expression(let expression, _) = parts[0] else { return .computed }
    var evaluator = JinjaEvaluator(component: field, spec: spec)
    guard case .reference(let path) = evaluator.simplified(expression), path.count > 1 else { return .computed }
    switch path[0] {
    case "record": return .record(Array(path.dropFirst()))
    case "stream_partition", "stream_slice": return .partition(Array(path.dropFirst()))
    default: return .computed
    }
  }
}

extension [AddedField] {
  /// Returns the last field with this path, which is the one that counts.
  func field(at path: [String]) -> AddedField? { last { $0.path == path } }

  /// Returns the path that a member of a record has in the stored document; `nil` if the document does not have it.
  func stored(_ path: [String]) -> [String]? {
    guard let field = field(at: path) else { return path }
    if case .record(let origin) = field.origin { return origin }
    return nil
  }
}
