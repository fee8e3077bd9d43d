extension Duration {
  /// Whole microseconds, rounded towards zero: as finely as PostgreSQL keeps a time.
  package var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
