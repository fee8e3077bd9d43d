import ArgumentParser
import Foundation
import SyncCore
import SyncProgram

extension SourceCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the declaration of a manifest of Airbyte.",
      discussion: """
        Reads a manifest of Airbyte's low-code CDK (manifest.yaml, type: DeclarativeSource), and writes its streams as \
        resources. No request is sent. Messages name each part that the declaration lacks, or has in another form, \
        with the manifest's line and what you can do. The exit status is 0 also with messages, as after draft.

        Options of the user become variables if they are secrets, and otherwise texts that begin with TODO. Paginators \
        that are not known become a question, which check and run refuse until you answer it. Python classes are not \
        run.

        Examples:
          syncctl source import manifest.yaml > shop.yaml
          syncctl source import manifest.yaml --name shop > shop.yaml
        """)

    @Argument(help: "A manifest.yaml.", completion: .file(extensions: ["yaml", "yml"]))
    var manifest: String

    @Option(help: "The source's name (default: from the address).")
    var name: String?

    func run() async throws {
      guard let root = try ConfigurationFile.root(of: manifest) else {
        throw SyncError(.configuration, "\(Excerpt.of(manifest)) is empty", hint: "give a manifest.yaml of Airbyte")
      }
      let result = try ManifestImport(
        Manifest(file: manifest, root: root), id: name.map { Draft.identifier($0) })
      let streams = StandardStreams()
      if let declaration = result.declaration { try streams.print(rendered: declaration.text) }
      for remark in result.remarks { streams.warn(remark.text(file: manifest)) }
      guard result.declaration != nil else {
        throw SyncError(
          .configuration, "\(Excerpt.of(manifest)): no stream can be written",
          hint: "declare the lists by hand: the warnings name the reasons")
      }
      streams.note(result.summary)
    }
  }
}

extension ManifestImport {
  /// The numbers of streams, resources and remarks.
  var summary: String {
    let streams = HumanFormat.counted(streamCount, "stream")
    let resources = HumanFormat.counted(declaration?.resources.count ?? 0, "resource")
    return "\(streams), \(resources) written, \(wholeCount) of them without a remark, "
      + HumanFormat.counted(remarks.count, "remark")
  }
}
