/// Maps rows to unique ids with gaps, and ids to rows, by a Feistel permutation within blocks. A row keeps its id when
/// the list grows. Half of the ids of a block are unused, as in the real service.
struct ScatteredIdentifiers: Sendable {
  private let halfBits: UInt64
  private let draws: Draws

  /// - Parameter halfBits: a block has `1 << (2 * halfBits)` ids.
  init(seed: UInt64, stream: UInt64, halfBits: UInt64) {
    self.halfBits = halfBits
    draws = Draws(seed: seed, stream: stream)
  }

  private var rowsPerBlock: Int { 1 << Int(2 * halfBits - 1) }
  private var numbersPerBlock: Int { 2 * rowsPerBlock }
  private var mask: UInt64 { 1 << halfBits - 1 }

  func identifier(ofRow row: Int) -> Int {
    let block = row / rowsPerBlock
    let within = UInt64(row % rowsPerBlock)
    var (left, right) = (within >> halfBits, within & mask)
    for round in 0..<4 {
      (left, right) = (right, left ^ roundValue(right, round, block))
    }
    return block * numbersPerBlock + Int(left << halfBits | right) + 1
  }

  func row(ofIdentifier identifier: Int) -> Int? {
    guard identifier >= 1 else { return nil }
    let block = (identifier - 1) / numbersPerBlock
    let within = UInt64((identifier - 1) % numbersPerBlock)
    var (left, right) = (within >> halfBits, within & mask)
    for round in (0..<4).reversed() {
      (left, right) = (right ^ roundValue(left, round, block), left)
    }
    let row = Int(left << halfBits | right)
    return row < rowsPerBlock ? block * rowsPerBlock + row : nil
  }

  private func roundValue(_ half: UInt64, _ round: Int, _ block: Int) -> UInt64 {
    UInt64(draws.of(block &* 4 &+ round).draw(Int(half), below: 1 << Int(halfBits)))
  }
}
