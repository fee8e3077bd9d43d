import Synchronization

/// An upstream whose answers are rewritten: with invalid items, with reordered arrays, or with another spelling of the
/// same content.
///
/// For JSON bodies with status 200 that hold an object or a list of objects under `data`; all others stay as they are.
package struct AlteredUpstream: SimulatedUpstream {
  /// Apart from the streams of generated rows, which have small numbers.
  private static let firstStream: UInt64 = 1 << 34

  private let upstream: any SimulatedUpstream
  private let badItems: BadItems?
  private let spelling: Draws?
  private let shuffling: Draws?
  private let answers = AnswerCount()

  /// - Parameters:
  ///   - badItems: which items are invalid, and how.
  ///   - spelling: a seed; each answer has other blanks, another order of members and other escapes.
  ///   - shuffling: a seed; the elements of arrays inside of items have another order in each answer.
  package init(
    _ upstream: any SimulatedUpstream, badItems: BadItems? = nil, spelling: UInt64? = nil, shuffling: UInt64? = nil
  ) {
    self.upstream = upstream
    self.badItems = badItems
    self.spelling = spelling.map { Draws(seed: $0, stream: Self.firstStream) }
    self.shuffling = shuffling.map { Draws(seed: $0, stream: Self.firstStream + 1) }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    var answer = await upstream.answer(request)
    guard answer.status == 200, var tree = JSONTree(answer.body), let data = tree["data"] else { return answer }
    let number = answers.next()
    tree["data"] =
      if case .array(let items) = data {
        .array(items.enumerated().map { altered($1, Self.draws(shuffling, number, item: $0)) })
      } else {
        altered(data, Self.draws(shuffling, number, item: 0))
      }
    answer.body = spelling.map { tree.bytes(spelledBy: $0.of(number)) } ?? tree.bytes
    return answer
  }

  private static func draws(_ draws: Draws?, _ answer: Int, item: Int) -> DrawnNumbers? {
    draws.map { DrawnNumbers($0.of(answer).of(item)) }
  }

  private func altered(_ item: JSONTree, _ numbers: DrawnNumbers?) -> JSONTree {
    var item = item
    if var numbers { item = item.shuffledArrays(by: &numbers) }
    badItems?.spoil(&item)
    return item
  }
}

/// Numbers the answers, from 1 on.
private final class AnswerCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
