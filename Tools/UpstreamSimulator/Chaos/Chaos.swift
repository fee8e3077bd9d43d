import Foundation

/// A plan of faults. The seed and the request's number determine the fault.
///
/// Rules for pages or times apply first, in their order. For all other rules together, one random number selects at
/// most one rule, so that no rule lowers the rate of another rule.
package struct Chaos: Sendable, Equatable {
  private static let firstStream: UInt64 = 1 << 32

  package static let none = Chaos(rules: [], outages: [], seed: 0)

  let rules: [Rule]
  /// Times since the start when connections are refused, sorted and without overlaps.
  let outages: [Range<Duration>]
  private let seed: UInt64

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

  package func rule(forRequest number: Int, page: Int?, elapsed: Duration) -> Rule? {
    rules.first { $0.scope.holds(page: page, elapsed: elapsed) && isHit($0, number) }
  }

  private func isHit(_ rule: Rule, _ number: Int) -> Bool {
    rule.share.contains(Draws(seed: seed, stream: Self.firstStream &+ rule.stream).of(number).fraction(0))
  }

  package struct Rule: Sendable, Equatable {
    package let name: String
    package let fault: Fault
    let scope: Scope
    let share: Range<Double>
    /// Rules with the same stream share one random number.
    let stream: UInt64
  }

  enum Scope: Sendable, Equatable {
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

extension Chaos {
  package static var help: String {
    let names = FaultName.all.map { name in
      "  \(name.label.padding(toLength: 24, withPad: " ", startingAt: 0))\(name.summary)"
    }
    return """
      Rules, separated by commas: NAME[@WHERE][=RATE][:VALUE].

      WHERE is a page (7), pages (7-9) or a span of time since the start (10s-70s). RATE is the share of requests, 0 \
      to 1; without it 1. VALUE is the fault's parameter, with the default shown. The seed and the number of a request \
      decide what happens to it. A request has one fault at most: rules with a WHERE come first.

        NNN[:SECONDS]           any status from 400 to 599; Retry-After if given
      \(names.joined(separator: "\n"))
        down@SPAN               refuses connections, as in down@10s-70s
      """
  }
}

package struct ChaosError: Error, CustomStringConvertible, Equatable {
  package let description: String

  init(_ description: String) { self.description = description }
}
