package import ArgumentParser
import Foundation
package import SyncCore
import SyncPostgres
package import SyncProgram
package import Yams

/// Sources that are declared with `type: rest_api`.
package enum RestKind: SourceKind {
  package static let type = "rest_api"
  package static let commands: [any ParsableCommand.Type] = [SourceCommand.self]

  /// Reads the declaration of a source, from the configuration or from the file that its key `file` names. Also adds
  /// the SQL statements of its tables to the program, which its streams need.
  /// - Parameters:
  ///   - node: The value of the source in the configuration file.
  ///   - file: The configuration file. Other files are relative to its folder.
  /// - Throws: `SyncError` `.configuration` that names the line.
  package static func definition(
    _ id: SourceID, _ node: Node, in file: ConfigurationFile
  ) throws(SyncError) -> SourceDefinition {
    var top = DeclarationPart(file: file.path, path: "sources.\(id)", node: node)
    let folder = file.path.lastIndex(of: "/").map { String(file.path[..<$0]) } ?? "."
    if let name = node.mapping?["file"] {
      let members = try top.members(["type", "file"])
      let path = try members["file"]?.text("shop.yaml") ?? ""
      let full = DeclaredPath.full(path, in: folder)
      guard let root = try ConfigurationFile.root(of: full) else {
        throw top.fault(
          "names the empty file \(Excerpt.of(path))", hint: "write client and resources in it", at: name.mark)
      }
      top = DeclarationPart(file: full, path: "\(id)", node: root)
    }
    return definition(of: try DeclarationReader(id: id, top: top, folder: folder).declaration(), in: folder)
  }

  /// Returns the definition of a declared source, and adds the statements of its tables to the program.
  static func definition(of declaration: Declaration, in folder: String) -> SourceDefinition {
    let (id, names) = (declaration.id, declaration.resources.map(\.name))
    for resource in declaration.resources { resource.table.embed() }
    let first = names[0]
    var definition = SourceDefinition(
      id,
      help: SourceHelp(
        content: declaration.baseURL, runs: ["run --source \(id)"],
        streams: "The streams of \(id): \(names.joined(separator: ", "))"),
      favorites: NamedKinds(
        of: id, names, example: "\(id) \(first) 12",
        find: { word, kind, _ in try Self.key(word, of: declaration.resources.first { $0.name == kind }) }),
      source: { (settings) throws(SyncError) in
        try RestSource(declaration, in: folder, settings)
      },
      mappings: { database in
        let recorded = Set(try await DeclaredSchema.recorded(of: id, in: database).map(\.resource))
        return declaration.resources.filter { recorded.contains($0.name) }.map { RestMapping($0) }
      })
    definition.tables = declaration.resources.map(\.table)
    definition.nextLinks = declaration.resources.compactMap(\.paginator.nextLink).distinct()
    definition.headers = [
      "link", "ratelimit", "ratelimit-remaining", "ratelimit-reset", "x-ratelimit-remaining", "x-ratelimit-reset",
    ]
    return definition
  }

  private static func key(_ word: String, of resource: Declaration.Resource?) throws(SyncError) -> Int64 {
    guard let table = resource?.table, table.key.count == 1, !table.hasNumberKey,
      let key = RestKey.value(ofText: word.precomposedStringWithCanonicalMapping, table.columns[0].type)
    else {
      throw SyncError(.usage, "\(Excerpt.of(word, scalars: 40)) is not an id", hint: "give the item's syncctl_key")
    }
    return key
  }
}
