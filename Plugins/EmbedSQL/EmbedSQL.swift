import Foundation
import PackagePlugin

/// Embeds the `.sql` and `.version` files of a target in one Swift file. Every file is an input of the command, so that
/// edits, additions and deletions run it again.
@main
struct EmbedSQL: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL+Files.swift")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".sql") || $0.hasSuffix(".version") }
      .sorted()
      .map { root.appending(path: $0) }
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) SQL files", executable: try context.tool(named: "embed-sql").url,
        arguments: [root.path, output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }
}
