import SyncCore
import Testing
import Yams

@testable import RestSource

/// Imports manifests that tests write.
enum ImportedManifest {
  static func read(_ yaml: String, id: String? = "shop") throws -> ManifestImport {
    let root = try DeclarationText.node(yaml)
    return ManifestImport(try Manifest(file: "manifest.yaml", root: root), id: id)
  }

  /// Imports a manifest whose only stream is `items`.
  /// - Parameters:
  ///   - requester: More lines of the requester.
  ///   - retriever: More lines of the retriever, such as a paginator.
  ///   - stream: More lines of the stream.
  ///   - options: The properties of the user's options.
  static func stream(
    requester: String = "", retriever: String = "", stream: String = "primary_key: id",
    path: String = "/v2/items", options: String = ""
  ) throws -> ManifestImport {
    try read(
      """
      type: DeclarativeSource
      streams:
        - type: DeclarativeStream
          name: items
      \(indented(stream, by: 4))
          retriever:
            type: SimpleRetriever
            requester:
              type: HttpRequester
              url_base: https://api.example.org
              path: "\(path)"
      \(indented(requester, by: 8))
            record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      \(indented(retriever, by: 6))
      spec:
        type: Spec
        connection_specification:
          type: object
          required: [account]
          properties:
            account: { type: string }
            region: { type: string }
            size: { type: integer, default: 25 }
            key: { type: string, airbyte_secret: true }
      \(indented(options, by: 6))
      """)
  }

  private static func indented(_ text: String, by count: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }
}

extension ManifestImport {
  var text: String { declaration?.text ?? "" }

  var resources: [ImportedResource] { declaration?.resources ?? [] }

  var messages: [String] { remarks.map { $0.text(file: "manifest.yaml") } }

  /// The declaration as syncctl reads it, and so proof that syncctl accepts it.
  func accepted() throws -> Declaration {
    let declaration = try #require(declaration, "\(messages)")
    return try DeclarationText.read(declaration.text, id: SourceID(rawValue: declaration.id))
  }

  /// The resource of this name.
  func resource(_ name: String) throws -> ImportedResource {
    try #require(resources.first { $0.name == name }, "\(messages)")
  }

  /// The lines of the only resource below `endpoint`, without indentation.
  func endpoint() throws -> [String] {
    let lines = try #require(resources.first, "\(messages)").lines()
    return lines.drop { $0 != "  endpoint:" }.dropFirst().prefix { $0.hasPrefix("    ") }.map {
      String($0.dropFirst(4))
    }
  }

  /// The value of a line of the only resource, such as `incremental`.
  func line(_ key: String) throws -> String? {
    let lines = try #require(resources.first, "\(messages)").lines().map { line in
      line.drop { $0 == " " || $0 == "-" }
    }
    return lines.first { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.count + 2)) }
  }
}
