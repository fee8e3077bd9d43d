import Foundation
import PackagePlugin

/// Embeds the `.sql` and `.version` files of a target, and its `.json` files, in one Swift file for each enum. Every
/// file is an input of the command, so that edits, additions and deletions run it again.
@main
struct EmbedSQL: BuildToolPlugin {
  private static let enums = [("EmbeddedSQL", [".sql", ".version"]), ("EmbeddedJSON", [".json"])]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    return try Self.enums.compactMap { name, suffixes in
      let files = paths.filter { path in suffixes.contains { path.hasSuffix($0) } }.map { root.appending(path: $0) }
      guard !files.isEmpty else { return nil }
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+Files.swift")
      return .buildCommand(
        displayName: "Embedding \(files.count) files in \(name)", executable: try context.tool(named: "embed-sql").url,
        arguments: [name, root.path, output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    }
  }
}
