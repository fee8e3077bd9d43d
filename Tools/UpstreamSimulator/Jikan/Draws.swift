/// Random numbers that depend only on the seed, the stream and the arguments, on every machine.
struct Draws: Sendable, Equatable {
  private let key: UInt64

  /// - Parameter stream: below 100 for generated rows. Other uses begin at multiples of `1 << 32`.
  init(seed: UInt64, stream: UInt64) { key = Self.mixed(Self.mixed(seed) ^ stream) }

  func of(_ index: Int) -> Draws { Draws(key: Self.mixed(key ^ UInt64(bitPattern: Int64(index)))) }

  func draw(_ aspect: Int, below limit: Int) -> Int {
    Int(truncatingIfNeeded: Self.mixed(key ^ UInt64(bitPattern: Int64(aspect) &+ 1)) % UInt64(limit))
  }

  func fraction(_ aspect: Int) -> Double { Double(draw(aspect, below: 1 << 53)) / Double(1 << 53) }

  func isHit(_ aspect: Int, rate: Double) -> Bool { rate > 0 && fraction(aspect) < rate }

  private init(key: UInt64) { self.key = key }

  /// The finalizer of SplitMix64.
  static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

struct DrawnNumbers: RandomNumberGenerator {
  private let draws: Draws
  private var count = 0

  init(_ draws: Draws) { self.draws = draws }

  mutating func next() -> UInt64 {
    count += 2
    return UInt64(draws.draw(count, below: 1 << 32)) << 32 | UInt64(draws.draw(count + 1, below: 1 << 32))
  }
}
