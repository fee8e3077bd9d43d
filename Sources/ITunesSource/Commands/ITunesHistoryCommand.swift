import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct ITunesHistoryCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List past searches, look-ups and shown items, newest first.",
    usage: "syncctl itunes history [<options>]",
    discussion: """
      The actions are search, lookup (from the service) and show (from the mirror). If more entries follow, \
      standard error prints the command for the next page; --after also accepts an entry's number.

      Examples:
        syncctl itunes history
        syncctl itunes history --limit 5 --format json
      """)

  @OptionGroup var pages: PagedLimitOptions<TwentyRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let request = try pages.request()
    let page = try await common.context().withExistingMirror { database in
      try await request.read { limit, start in
        try await ITunesQueries.lookups(limit: limit, after: start, in: database)
      }
    }
    return Self.listing(page, isFirst: request.start == nil).paged(page, request)
  }

  static func listing(_ page: ListPage, isFirst: Bool) -> Listing {
    Listing(
      page.rows,
      emptyMessage: isFirst
        ? "Nothing has been looked up yet; start with syncctl itunes search TERM." : "There are no earlier entries.",
      titles: ["artist_name": "artist"], cut: ["term", "artist_name"]
    ).laidOut(hiding: ["number"], leaving: ["class"], ["artist_name"], ["country"], ["results"])
  }
}
