extension ITunesSettings {
  /// Reads settings as they are given to a program, such as `size=500,throttle=20/60s,remove=1234`.
  ///
  /// Throws ``ChaosError`` for a word that does not exist and for a value that is none.
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    self.init()
    self.seed = seed
    for entry in text.split(separator: ",").map(\.trimmed) where !entry.isEmpty {
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
      let isRead = try parts.count > 1 ? read(parts[0], String(parts[1]), in: entry) : read(parts[0])
      guard isRead else {
        throw ChaosError("`\(entry)` says nothing of an iTunes; write \(Self.words)")
      }
    }
    guard html + errorMessage + forbidden <= 1 + 1e-9 else {
      throw ChaosError("the shares of html, error and forbidden add up to more than 1 (an answer is one of them)")
    }
  }

  private mutating func read(_ name: Substring) -> Bool {
    guard name == "shuffle" else { return false }
    shuffle = seed
    return true
  }

  private mutating func read(_ name: Substring, _ value: String, in entry: Substring) throws(ChaosError) -> Bool {
    switch name {
    case "size": size = try Self.number(value, 1...Self.sizeLimit, in: entry)
    case "term": terms.append(value)
    case "remove": removed.insert(try Self.number(value, 1...Int.max, in: entry))
    case "added": added = try Self.number(value, 0...Self.addedLimit, in: entry)
    case "day": day = try Self.number(value, 0...1_000_000, in: entry)
    case "shuffle": shuffle = UInt64(try Self.number(value, 0...Int.max, in: entry))
    case "offset":
      guard ["works", "ignored"].contains(value) else { throw ChaosError("`\(entry)`: write works or ignored") }
      honoursOffset = value == "works"
    case "throttle": throttle = try Self.throttle(value, in: entry)
    case "html": html = try Self.rate(value, in: entry)
    case "error": errorMessage = try Self.rate(value, in: entry)
    case "forbidden": forbidden = try Self.rate(value, in: entry)
    case "repeats": repeats = try Self.rate(value, in: entry)
    case "text-ids": textIds = try Self.rate(value, in: entry)
    case "chart-repeats": chartRepeats = try Self.rate(value, in: entry)
    default: return false
    }
    return true
  }

  private static let words = """
    size=N, term=TEXT, remove=ID, added=N, day=N, shuffle[=SEED], offset=works|ignored, throttle=N/TIME, html=RATE, \
    error=RATE, forbidden=RATE, repeats=RATE, text-ids=RATE or chart-repeats=RATE
    """

  private static func rate(_ text: String, in entry: Substring) throws(ChaosError) -> Double {
    guard let rate = Double(text), (0...1).contains(rate) else {
      throw ChaosError("`\(entry)`: `\(text)` is no share; write a number from 0 to 1")
    }
    return rate
  }

  private static func number(
    _ text: String, _ range: ClosedRange<Int>, in entry: Substring
  ) throws(ChaosError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw ChaosError("`\(entry)`: write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func throttle(_ text: String, in entry: Substring) throws(ChaosError) -> Throttle {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(\.trimmed)
    guard parts.count == 2, let requests = Int(parts[0]), (0...1_000_000).contains(requests),
      let window = ChaosParser.duration(parts[1]), window > .zero
    else { throw ChaosError("`\(entry)`: write a number and a time, as in throttle=20/60s") }
    return Throttle(requests: requests, window: window)
  }

  /// The description of settings, for display.
  package static let help = """
    Words, separated by commas:

      size=N                  songs of each term; fewer of everything else (120)
      term=TEXT               a term whose records can be looked up before a search
      remove=ID               a removed record
      added=N                 records of each kind added since, for each term
      day=N                   the day of the charts, which change every day (0)
      shuffle[=SEED]          searches in another order
      offset=works|ignored    whether searches support offset (ignored)
      throttle=N/TIME         403 with an empty body for the searches and lookups beyond N in any TIME, as 20/60s
      html=RATE               share of them that get an HTML page, with 200
      error=RATE              share of them that get an error message, with 200
      forbidden=RATE          share of them that get a 403 with an empty body
      repeats=RATE            share of rows of a search that are duplicated
      text-ids=RATE           share of records with numbers as text
      chart-repeats=RATE      share of charts, by day, with a duplicate number (0.3)
    """
}
