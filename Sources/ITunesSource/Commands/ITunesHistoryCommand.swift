import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct ITunesHistoryCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show what was searched for, looked up and shown, newest first.",
    usage: "syncctl itunes history [<options>]",
    discussion: """
      Actions: search; lookup, from the service; show, from the mirror. While there is more than --limit, \
      standard error has the command for the next page.

      Examples:
        syncctl itunes history
        syncctl itunes history --limit 5 --format json
      """)

  @Option(name: .long, help: ArgumentHelp("How many entries; 0 for all.", valueName: "n"))
  var limit = 20

  @Option(
    name: .long,
    help: ArgumentHelp("Continue after a page, or after the entry with this number.", valueName: "cursor|number"))
  var after: After?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try Bounds.limit(limit)
    let page = try await common.context().withExistingMirror { database in
      try await ITunesQueries.lookups(limit: limit, after: after?.start, in: database)
    }
    var listing = Listing(
      page.rows,
      emptyMessage: after == nil
        ? "Nothing has been looked up yet: syncctl itunes search TERM does." : "Nothing was looked up before that.",
      titles: ["artist_name": "artist"], cut: ["term", "artist_name"]
    ).laidOut(hiding: ["number"], leaving: ["class"], ["artist_name"], ["country"], ["results"])
    listing.next = page.next
    return listing
  }
}
