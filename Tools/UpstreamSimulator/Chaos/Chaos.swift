/// A plan of faults: which requests go wrong and how, decided by a seed and the number of the request.
///
/// ``help`` describes the text of a plan. Rules with a place come first, and of several the first written. The rates
/// without a place are shares of one whole, so that each is kept exactly.
package struct Chaos: Sendable, Equatable {
  /// The most rules of one plan.
  static let ruleLimit = 100

  /// Apart from the streams of generated rows, which have small numbers.
  private static let firstStream: UInt64 = 1 << 32

  /// No faults at all.
  package static let none = Chaos(rules: [], outages: [], seed: 0)

  let rules: [Rule]
  /// The spans, since the start, in which connections are refused; in order and apart.
  let outages: [Range<Duration>]
  private let seed: UInt64

  /// Reads a plan.
  ///
  /// Throws ``ChaosError`` for a name, rate, place or value that does not exist.
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    var parser = ChaosParser()
    try parser.read(text)
    self = try parser.plan(seed: seed)
  }

  init(rules: [Rule], outages: [Range<Duration>], seed: UInt64) {
    self.rules = rules
    self.outages = outages
    self.seed = seed
  }

  package var isEmpty: Bool { rules.isEmpty && outages.isEmpty }

  /// The rule that a request falls under, or nil where it is answered as it should be.
  ///
  /// The same plan gives the same for the same arguments, in every run and on every machine.
  ///
  /// - Parameters:
  ///   - number: of the request, from 1 on.
  ///   - page: the requested page, if the request names one.
  ///   - elapsed: since the start, for rules that hold for a span of time.
  package func rule(forRequest number: Int, page: Int?, elapsed: Duration) -> Rule? {
    rules.first { $0.place.holds(page: page, elapsed: elapsed) && isHit($0, number) }
  }

  /// Whether this request begins a burst of the rule or is part of an earlier one.
  private func isHit(_ rule: Rule, _ number: Int) -> Bool {
    let draws = Draws(seed: seed, stream: Self.firstStream &+ rule.stream)
    return (0..<min(rule.burst, max(number, 0))).contains { back in
      rule.share.contains(draws.of(number - back).fraction(0))
    }
  }

  /// One line of a plan.
  package struct Rule: Sendable, Equatable {
    /// The name as it was written.
    package let name: String
    package let fault: Fault
    let place: Place
    /// The part of all draws that are hits.
    let share: Range<Double>
    /// Rules with the same stream share their draws, and so never hit one request both.
    let stream: UInt64
    /// Requests in a row that one hit spoils.
    let burst: Int
  }

  /// Where a rule holds.
  enum Place: Sendable, Equatable {
    case anywhere
    case pages(ClosedRange<Int>)
    case time(Range<Duration>)

    func holds(page: Int?, elapsed: Duration) -> Bool {
      switch self {
      case .anywhere: true
      case .pages(let pages): page.map(pages.contains) ?? false
      case .time(let span): span.contains(elapsed)
      }
    }
  }
}

/// A plan of faults that cannot be read: what is wrong with it, and what would be valid.
package struct ChaosError: Error, CustomStringConvertible, Equatable {
  package let description: String

  init(_ description: String) { self.description = description }
}
