import CoreMetrics

/// The registry's families as what one counts with.
extension PrometheusRegistry {
  /// Creates a counter with value 0, because a rate does not see a counter that appears with 1.
  package func begin(_ family: MetricFamily, _ labels: [(String, String)]) {
    Counter(label: family.name, dimensions: labels, factory: self).increment(by: 0)
  }

  func count(_ family: MetricFamily, _ labels: [(String, String)], by amount: Int = 1) {
    guard amount > 0 else { return }
    Counter(label: family.name, dimensions: labels, factory: self).increment(by: amount)
  }

  func add(_ family: MetricFamily, _ labels: [(String, String)], _ amount: Double) {
    guard amount > 0 else { return }
    FloatingPointCounter(label: family.name, dimensions: labels, factory: self).increment(by: amount)
  }

  func time(_ family: MetricFamily, _ labels: [(String, String)], _ duration: Duration) {
    Timer(label: family.name, dimensions: labels, factory: self).recordNanoseconds(Int64(duration / .nanoseconds(1)))
  }

  package func set(_ family: MetricFamily, _ labels: [(String, String)] = [], to value: Double) {
    Meter(label: family.name, dimensions: labels, factory: self).set(value)
  }

  package func increment(_ family: MetricFamily, _ labels: [(String, String)] = []) {
    count(family, labels)
  }
}
