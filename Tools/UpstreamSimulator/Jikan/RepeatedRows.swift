/// Where a list shows a row a second time.
///
/// Every block of `blockSize` rows has one repeat, at a random place; so any position of the longer list is computed,
/// and nothing is stored however long the list is.
struct RepeatedRows: Sendable {
  /// Repeats start with this block, so that the repeated row exists.
  private let firstBlock: Int
  private let blockSize: Int
  /// How many rows before the repeat its original is; 1 is the row just before.
  private let distance: Int
  private let draws: Draws

  /// `rate` is the share of rows shown twice, up to a half; 0 or less repeats nothing.
  init?(rate: Double, distance: Int, draws: Draws) {
    guard rate > 0 else { return nil }
    blockSize = max(2, Int((1 / min(rate, 0.5)).rounded()))
    firstBlock = (distance - 1 + blockSize - 1) / blockSize
    self.distance = distance
    self.draws = draws
  }

  /// The length of the list with its repeats, for one of `count` rows.
  func total(of count: Int) -> Int { count + max(0, count / blockSize - firstBlock) }

  /// The row at a position of the list with its repeats; the list has `count` rows without them.
  func row(at position: Int, of count: Int) -> Int {
    let start = firstBlock * blockSize
    guard position >= start else { return position }
    let block = firstBlock + (position - start) / (blockSize + 1)
    let offset = (position - start) % (blockSize + 1)
    // The last rows do not fill a block and carry no repeat.
    guard block < count / blockSize else { return position - max(0, count / blockSize - firstBlock) }
    let repeated = repeatOffset(ofBlock: block)
    let base = block * blockSize
    if offset < repeated { return base + offset }
    return offset == repeated ? base + offset - distance : base + offset - 1
  }

  /// The place of the repeat in its block, from 1.
  ///
  /// For neighbours it avoids the first place of a page, whatever the page size from 2 to 50: both must be on one
  /// page.
  private func repeatOffset(ofBlock block: Int) -> Int {
    let drawn = 1 + draws.of(block).draw(0, below: blockSize)
    guard distance == 1 else { return drawn }
    let start = firstBlock * blockSize + (block - firstBlock) * (blockSize + 1)
    for step in 0..<blockSize {
      let offset = 1 + (drawn - 1 + step) % blockSize
      if Self.smallPrimes.allSatisfy({ (start + offset) % $0 != 0 }) { return offset }
    }
    // Blocks this small may have no such place; then the usual page sizes, 25 and 50, must do.
    return (start + drawn) % 25 == 0 ? (drawn == 1 ? 2 : drawn - 1) : drawn
  }

  private static let smallPrimes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
}
