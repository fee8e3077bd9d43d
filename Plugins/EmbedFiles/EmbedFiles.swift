import Foundation
import PackagePlugin

/// Embeds a target's `.sql` and `.version` files in `EmbeddedSQL`, its `.json` files in `EmbeddedJSON`, and its
/// `.mustache`, `.css` and `.svg` files in `EmbeddedWeb`. Every file is an input of the command, so the command runs
/// again if a file is edited, added or deleted.
@main
struct EmbedFiles: BuildToolPlugin {
  private static let enums = [
    ("EmbeddedSQL", [".sql", ".version"]), ("EmbeddedJSON", [".json"]), ("EmbeddedWeb", [".mustache", ".css", ".svg"]),
  ]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = target.directoryURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    return try Self.enums.compactMap { name, suffixes in
      let files = paths.filter { path in suffixes.contains { path.hasSuffix($0) } }.map { root.appending(path: $0) }
      guard !files.isEmpty else { return nil }
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+Files.swift")
      return .buildCommand(
        displayName: "Embedding \(files.count) files in \(name)",
        executable: try context.tool(named: "embed-files").url,
        arguments: [name, root.path, output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    }
  }
}
