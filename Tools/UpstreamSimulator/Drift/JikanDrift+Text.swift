extension JikanDrift {
  private static let largestRate = 1000.0
  private static let largestNumber = 1_000_000_000

  /// Reads a rate, or words with values, separated by commas. Throws ``ChaosError`` for an invalid word or value.
  package init(_ text: String) throws(ChaosError) {
    self.init()
    let numbers = -Self.largestNumber...Self.largestNumber
    for word in SettingWord.list(text) {
      switch (word.name, word.value) {
      case ("insert", _): insertions = try word.rate(most: Self.largestRate)
      case ("remove", _): removals = try word.rate(most: Self.largestRate)
      case ("move", _): moves = try word.rate(most: Self.largestRate)
      case ("free", nil): isFree = true
      case ("ties", nil): shufflesTies = true
      case ("empty", _): emptyPages = try word.rate()
      case ("short", _): shortPages = try word.rate()
      case ("loop", let value?): loop = try Self.loop(value, in: word)
      case ("total", _): totalError = try word.number(numbers)
      case ("last", _): lastPageError = try word.number(numbers)
      case ("end", _): falseEnd = try word.number(numbers)
      default:
        guard word.value == nil, let rate = Double(word.name), (0...1).contains(rate) else {
          throw word.problem("write a rate (0.1), \(Self.words)")
        }
        (insertions, removals, moves) = (rate / 4, rate / 4, rate / 2)
      }
    }
    guard isFree || insertions + removals + moves <= 1 + 1e-9 else {
      throw ChaosError(
        "at most one change precedes an answer, so the rates together are 1 at most; `free` allows more")
    }
  }

  private static let words = """
    insert=RATE, remove=RATE, move=RATE, free, ties, empty=RATE, short=RATE, loop=FROM-TO, total=±N, last=±N or \
    end=PAGE
    """

  private static func loop(_ text: String, in word: SettingWord) throws(ChaosError) -> Loop {
    let ends = text.split(separator: "-", maxSplits: 1).map { Int($0) }
    guard ends.count == 2, let from = ends[0], let to = ends[1], 1 <= to, to < from, from <= largestNumber else {
      throw word.problem("write the page from which on an earlier page repeats, as in loop=7-3")
    }
    return Loop(from: from, to: to)
  }

  package static let help = """
    A rate alone (0.1) is the share of page requests before which the list changes: half of the changes move an item \
    to another place, a quarter each insert and remove one. Or words, separated by commas:

      insert=R remove=R move=R  each kind separately, R in changes per request
      free                      several changes between two requests, which may hide each other
      ties                      items with the same score in another order in each answer
      empty=RATE short=RATE     answers without rows, or without their last ones
      loop=7-3                  from page 7 on, pages 3 to 6 repeatedly; loop=2-1 ignores the page
      total=+10 last=-2         wrong number of items, or wrong last page
      end=4                     page 4 says that it is the last
    """
}
