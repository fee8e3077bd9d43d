extension Duration {
  /// Whole microseconds, rounded towards zero: as finely as PostgreSQL keeps a time. The nearest that fits.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum
  }

  /// Seconds that a database or a service has told, which may be infinite: no more than 30,000 years.
  package init(clamping seconds: Double) {
    self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12))
  }
}
