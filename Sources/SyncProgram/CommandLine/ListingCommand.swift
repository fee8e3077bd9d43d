package import ArgumentParser

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
    if let (page, request) = listing.part { streams.noteNext(page, request, output) }
    streams.noteCut(listing.rows.count, of: listing.total)
    streams.noteHints(of: listing, output)
  }
}
