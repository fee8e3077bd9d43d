/// Settings of the generated iTunes and changes to its data; see ``help``.
package struct ITunesSettings: Sendable, Equatable {
  package var seed: UInt64 = 1
  package var removed: Set<Int> = []
  package var added = 0
  package var day = 0
  package var html = 0.0
  package var errorMessage = 0.0
  package var forbidden = 0.0
  package var chartRepeats = 0.3

  package init() {}

  /// Reads settings such as `day=3,remove=1234`. Throws ``ChaosError`` for an invalid word or value.
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    self.seed = seed
    for word in SettingWord.list(text) {
      switch word.name {
      case "remove": removed.insert(try word.number(1...Int.max))
      case "added": added = try word.number(0...64)
      case "day": day = try word.number(0...1_000_000)
      case "html": html = try word.rate()
      case "error": errorMessage = try word.rate()
      case "forbidden": forbidden = try word.rate()
      case "chart-repeats": chartRepeats = try word.rate()
      default:
        throw word.problem(
          "write remove=ID, added=N, day=N, html=RATE, error=RATE, forbidden=RATE or chart-repeats=RATE")
      }
    }
  }

  package static let help = """
    Words, separated by commas:

      remove=ID               a removed record
      added=N                 records of each kind added since
      day=N                   the day of the charts, which change every day (0)
      html=RATE               share of searches and lookups that get an HTML page, with 200
      error=RATE              share of them that get an error message, with 200
      forbidden=RATE          share of them that get a 403 with an empty body
      chart-repeats=RATE      share of charts, by day, with a duplicate number (0.3)
    """
}
