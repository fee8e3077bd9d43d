package import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres
import Synchronization

/// The options of each command that reads the configuration.
package struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Configuration file to read.", valueName: "file"))
  var config: String?

  package init() {}

  /// Loads the configuration from the file and the environment. Only the first successful call prints warnings about
  /// variables.
  ///
  /// - Throws: `SyncError` `.configuration` if the file or a setting is invalid.
  package func configuration() throws -> Configuration {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.load(configFlag: config, environment: environment)
    if !Self.hasWarned.exchange(true, ordering: .relaxed) {
      let variables = EnvironmentVariables(values: environment)
      for warning in variables.warnings(file: configuration.file?.value) { StandardStreams().warn(warning) }
    }
    return configuration
  }

  /// Some commands read the configuration more than once.
  private static let hasWarned = Atomic(false)

  /// Loads the configuration for a database session. Does not connect. Throws the errors of `configuration()`.
  package func context() throws -> Context { Context(configuration: try configuration()) }
}

/// A command whose answer is one table.
package protocol ListingCommand: AsyncParsableCommand {
  var output: FormatOptions { get }
  func listing() async throws -> Listing
}

extension ListingCommand {
  /// Prints the listing to standard output. Notes on standard error name the next page, omitted rows and hints.
  ///
  /// Hints are printed only with tables.
  package func run() async throws {
    let streams = StandardStreams()
    let listing = try await listing()
    try streams.print(listing, output)
    if let (page, turn) = listing.part { streams.noteNext(page, turn) }
    streams.noteCut(listing.rows.count, of: listing.total)
    for hint in listing.hints where output.format == .table { streams.note(hint) }
  }
}
