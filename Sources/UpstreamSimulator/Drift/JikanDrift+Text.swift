extension JikanDrift {
  /// The most changes of one kind before an answer.
  private static let largestRate = 1000.0
  private static let largestNumber = 1_000_000_000

  /// Reads a plan of changes: a rate alone, or words with their values, separated by commas.
  ///
  /// Throws ``ChaosError`` for a word or a value that does not exist.
  package init(_ text: String) throws(ChaosError) {
    self.init()
    for entry in text.split(separator: ",") {
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
      try read(entry.trimmed, name: parts[0], value: parts.count > 1 ? String(parts[1]) : nil)
    }
    guard isFree || insertions + removals + moves <= 1 + 1e-9 else {
      throw ChaosError(
        "at most one change precedes an answer, so the rates together are 1 at most; `free` allows more")
    }
  }

  private mutating func read(_ entry: Substring, name: Substring, value: String?) throws(ChaosError) {
    switch (name, value) {
    case ("insert", let value?): insertions = try Self.rate(value, in: entry, most: Self.largestRate)
    case ("remove", let value?): removals = try Self.rate(value, in: entry, most: Self.largestRate)
    case ("move", let value?): moves = try Self.rate(value, in: entry, most: Self.largestRate)
    case ("free", nil): isFree = true
    case ("ties", nil): shufflesTies = true
    case ("empty", let value?): emptyPages = try Self.rate(value, in: entry, most: 1)
    case ("short", let value?): shortPages = try Self.rate(value, in: entry, most: 1)
    case ("loop", let value?): loop = try Self.loop(value, in: entry)
    case ("total", let value?): totalError = try Self.integer(value, in: entry)
    case ("last", let value?): lastPageError = try Self.integer(value, in: entry)
    case ("end", let value?): falseEnd = try Self.integer(value, in: entry)
    default:
      guard value == nil, let rate = Double(name), (0...1).contains(rate) else {
        throw ChaosError("`\(entry)` says nothing of a list that changes; write a rate (0.1), \(Self.words)")
      }
      (insertions, removals, moves) = (rate / 4, rate / 4, rate / 2)
    }
  }

  private static let words = """
    insert=RATE, remove=RATE, move=RATE, free, ties, empty=RATE, short=RATE, loop=FROM-TO, total=±N, last=±N or \
    end=PAGE
    """

  private static func rate(_ text: String, in entry: Substring, most: Double) throws(ChaosError) -> Double {
    guard let rate = Double(text), (0...most).contains(rate) else {
      throw ChaosError("`\(entry)`: `\(text)` is no rate; write a number from 0 to \(Int(most)), as in insert=0.05")
    }
    return rate
  }

  private static func integer(_ text: String, in entry: Substring) throws(ChaosError) -> Int {
    guard let number = Int(text), (-largestNumber...largestNumber).contains(number) else {
      throw ChaosError("`\(entry)`: `\(text)` is not a whole number")
    }
    return number
  }

  private static func loop(_ text: String, in entry: Substring) throws(ChaosError) -> Loop {
    let ends = text.split(separator: "-", maxSplits: 1).map { Int($0) }
    guard ends.count == 2, let from = ends[0], let to = ends[1], 1 <= to, to < from, from <= largestNumber else {
      throw ChaosError("`\(entry)`: write the page from which on an earlier page repeats, as in loop=7-3")
    }
    return Loop(from: from, to: to)
  }

  /// The description of a plan, for display.
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
