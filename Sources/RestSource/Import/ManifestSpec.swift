import SyncProgram

/// The options that a manifest asks its user for: `spec.connection_specification`, a JSON Schema.
struct ManifestSpec {
  /// An option of the user.
  struct Option {
    let isSecret: Bool
    let isRequired: Bool
    /// `nil` without a default.
    let standard: JinjaValue?
  }

  private let schema: ManifestPart?

  init(_ manifest: Manifest) {
    schema = manifest.root.member(["spec", "connection_specification"])
  }

  /// Returns the option at a path such as `credentials`, `token`; `nil` if the manifest does not describe it.
  func option(_ path: [String]) -> Option? {
    guard var place = schema else { return nil }
    var isRequired = false
    for name in path {
      guard let found = Self.property(name, in: place) else { return nil }
      isRequired = found.isRequired
      place = found.value
    }
    return Option(
      isSecret: place.member("airbyte_secret")?.flag ?? false || SecretName.hasSecret(path.last ?? ""),
      isRequired: isRequired,
      standard: place.member("default").flatMap(JinjaValue.init))
  }

  /// Returns whether the option at the path is a secret: because the manifest says so, or because of its name.
  func isSecret(_ path: [String]) -> Bool {
    option(path)?.isSecret ?? SecretName.hasSecret(path.last ?? "")
  }

  /// Returns a property of a schema, or of one of its alternatives.
  private static func property(_ name: String, in schema: ManifestPart) -> (value: ManifestPart, isRequired: Bool)? {
    if let value = schema.member("properties")?.member(name) {
      return (value, schema.member("required")?.elements.contains { $0.text == name } ?? false)
    }
    for alternatives in ["oneOf", "anyOf", "allOf"] {
      for alternative in schema.member(alternatives)?.elements ?? [] {
        guard let value = alternative.member("properties")?.member(name) else { continue }
        return (value, alternative.member("required")?.elements.contains { $0.text == name } ?? false)
      }
    }
    return nil
  }
}
