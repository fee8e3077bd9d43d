import Synchronization

/// Alters JSON bodies with status 200 and items under `data`: shuffled arrays, another spelling.
package final class AlteredUpstream: SimulatedUpstream {
  private static let firstStream: UInt64 = 1 << 34

  private let upstream: any SimulatedUpstream
  private let spelling: Draws?
  private let shuffling: Draws?
  private let answers = Mutex(0)

  /// - Parameters:
  ///   - spelling: The seed of different white space, order of members and escapes in each answer.
  ///   - shuffling: The seed of a different order of the arrays inside of items in each answer.
  package init(_ upstream: any SimulatedUpstream, spelling: UInt64? = nil, shuffling: UInt64? = nil) {
    self.upstream = upstream
    self.spelling = spelling.map { Draws(seed: $0, stream: Self.firstStream) }
    self.shuffling = shuffling.map { Draws(seed: $0, stream: Self.firstStream + 1) }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    var answer = await upstream.answer(request)
    guard answer.status == 200, var tree = JSONTree(answer.body), let data = tree["data"] else { return answer }
    let number = answers.next()
    if let draws = shuffling?.of(number) {
      func shuffled(_ item: JSONTree, _ number: Int) -> JSONTree {
        var numbers = DrawnNumbers(draws.of(number))
        return item.shuffledArrays(by: &numbers)
      }
      tree["data"] =
        if case .array(let items) = data {
          .array(items.enumerated().map { shuffled($1, $0) })
        } else {
          shuffled(data, 0)
        }
    }
    answer.body = spelling.map { tree.bytes(spelledBy: $0.of(number)) } ?? tree.bytes
    return answer
  }
}

extension Mutex<Int> {
  /// Increments the count and returns it.
  borrowing func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
