package struct JikanEdits: Sendable, Equatable {
  package var members = 0
  package var counters = 0
  package var texts = 0
  package var titles: Set<Int> = []
  package var empty: Set<String> = []

  package init(members: Int = 0, counters: Int = 0, texts: Int = 0, titles: Set<Int> = [], empty: Set<String> = []) {
    self.members = members
    self.counters = counters
    self.texts = texts
    self.titles = titles
    self.empty = empty
  }

  private static let moves = -1_000_000_000...1_000_000_000

  package init(_ text: String) throws(ChaosError) {
    self.init()
    for word in SettingWord.list(text) {
      switch (word.name, word.value) {
      case ("members", _): members = try word.number(Self.moves)
      case ("counters", _): counters = try word.number(Self.moves)
      case ("texts", _): texts = try word.number(0...1_000_000)
      case ("title", _): titles.insert(try word.number(1...Int.max))
      default: throw word.problem("write members=N, counters=N, texts=N or title=ID")
      }
    }
  }

  package static let help = """
    Changes to the generated data; words, separated by commas:

      members=N    the members of every row, by N
      counters=N   every counter of every row, by N; scores by hundredths
      texts=N      the texts of N in a hundred rows; no counter
      title=ID     another title for the items with that number; may be repeated
    """
}
