/// The positions where a list repeats rows. Each block of rows has one repeat at a random position.
struct RepeatedRows: Sendable {
  private let firstBlock: Int
  private let blockSize: Int
  private let distance: Int
  private let draws: Draws

  init?(rate: Double, distance: Int, draws: Draws) {
    guard rate > 0 else { return nil }
    blockSize = max(2, Int((1 / min(rate, 0.5)).rounded()))
    firstBlock = (distance - 1 + blockSize - 1) / blockSize
    self.distance = distance
    self.draws = draws
  }

  func total(of count: Int) -> Int { count + max(0, count / blockSize - firstBlock) }

  func row(at position: Int, of count: Int) -> Int {
    let start = firstBlock * blockSize
    guard position >= start else { return position }
    let block = firstBlock + (position - start) / (blockSize + 1)
    let offset = (position - start) % (blockSize + 1)
    guard block < count / blockSize else { return position - max(0, count / blockSize - firstBlock) }
    let repeated = repeatOffset(ofBlock: block)
    let base = block * blockSize
    if offset < repeated { return base + offset }
    return offset == repeated ? base + offset - distance : base + offset - 1
  }

  /// Returns the position of the repeat in its block, from 1. A repeat of the previous row must not be the first row of
  /// a page.
  private func repeatOffset(ofBlock block: Int) -> Int {
    let drawn = 1 + draws.of(block).draw(0, below: blockSize)
    guard distance == 1 else { return drawn }
    let start = firstBlock * blockSize + (block - firstBlock) * (blockSize + 1)
    for step in 0..<blockSize {
      let offset = 1 + (drawn - 1 + step) % blockSize
      if Self.smallPrimes.allSatisfy({ (start + offset) % $0 != 0 }) { return offset }
    }
    // The usual page sizes are 25 and 50.
    return (start + drawn) % 25 == 0 ? (drawn == 1 ? 2 : drawn - 1) : drawn
  }

  private static let smallPrimes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
}
