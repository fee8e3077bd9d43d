extension Sequence<UInt8> {
  /// FNV-1a, 64 bits: tells few things apart, and nothing that somebody makes alike on purpose.
  package var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
