import SyncCore
import Yams

/// A manifest of Airbyte's low-code CDK. Each of its references leads to a value.
///
/// Source: the CDK's component schema (declarative_component_schema.yaml) and its reference resolver.
struct Manifest {
  /// The most references that follow each other before a value.
  static let longestChain = 32

  /// The name of the file, for messages.
  let file: String
  let root: ManifestPart

  /// - Throws: `SyncError` `.configuration` if the file is not a manifest, or if a reference leads to no value.
  init(file: String, root: Node) throws(SyncError) {
    self.file = file
    self.root = ManifestPart(root: root)
    guard self.root.member("streams") != nil || self.root.member("dynamic_streams") != nil else {
      throw SyncError(
        .configuration, "\(file) is not a manifest: it has no streams",
        hint: "give a manifest.yaml of Airbyte, with type: DeclarativeSource")
    }
    try Self.check(root, line: 1, in: root, file: file)
  }

  /// - Throws: `SyncError` for the first reference that leads to no value.
  private static func check(_ node: Node, line: Int, in root: Node, file: String) throws(SyncError) {
    switch node {
    case .mapping(let mapping):
      for (key, value) in mapping { try check(value, line: key.mark?.line ?? line, in: root, file: file) }
    case .sequence(let sequence):
      for element in sequence { try check(element, line: element.mark?.line ?? line, in: root, file: file) }
    case .scalar(let scalar):
      guard ManifestPart.isReference(scalar.string), !ManifestPart.hasTarget(node, in: root) else { return }
      throw SyncError(
        .configuration, "\(file):\(line): \(Excerpt.of(scalar.string, scalars: 100)) leads to no value",
        hint: "correct the reference: #/definitions/NAME is the value of NAME below definitions")
    case .alias: return
    }
  }
}
