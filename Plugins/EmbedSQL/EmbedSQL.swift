import Foundation
import PackagePlugin

/// Turns the `.sql` and `.version` files of a target into one Swift file, so that the binary contains its SQL.
///
/// Every file is an input of the command: an edit, an addition or a deletion makes it run again.
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
