import Synchronization

/// All metrics of this process. Labels are the values of the family's labels, in their order, and can be anything.
package final class PrometheusRegistry: Sendable {
  package struct Limits: Sendable {
    package var labelSetsPerFamily = 2000
    /// Bytes of one label's value; a longer one is cut with `…`.
    package var labelBytes = 256

    package init() {}
  }

  private typealias Samples = [String: [[String]: MetricValue]]

  private let samples = Mutex<Samples>([:])
  private let families: [MetricFamily]
  private let limits: Limits
  private let processSample: @Sendable () -> ProcessSample?

  package init(
    version: String, families: [MetricFamily] = MetricFamily.catalogue, limits: Limits = Limits(),
    process: @escaping @Sendable () -> ProcessSample? = { ProcessSample.current() }
  ) {
    self.families = families
    self.limits = limits
    processSample = process
    for family in families where family.kind == .counter && family.labels.isEmpty { begin(family) }
    if families.contains(.buildInfo) { set(.buildInfo, [version], to: 1) }
  }

  /// All metrics in a stable order, with a line end at the end. `includingProcess` is false where another program adds
  /// its own, as node_exporter does: it refuses a second `process_cpu_seconds_total`.
  package func exposition(includingProcess: Bool = true) -> String {
    let samples = self.samples.withLock { $0 }
    var text = ExpositionText()
    for family in families { text.append(family, samples[family.name] ?? [:]) }
    if includingProcess, let process = processSample() {
      for (family, value) in process.values { text.append(family, [[]: MetricValue(sum: value)]) }
    }
    return text.text
  }

  /// Creates a counter with value 0, because a rate does not see a counter that appears with 1.
  package func begin(_ family: MetricFamily, _ labels: [String] = []) {
    samples.withLock { change(&$0, family, labels) { _ in } }
  }

  /// Adds to a counter. Negative amounts are ignored, because a falling counter looks like a restart.
  package func count(_ family: MetricFamily, _ labels: [String] = [], by amount: Double = 1) {
    guard amount > 0, amount.isFinite else { return }
    samples.withLock { change(&$0, family, labels) { $0.sum += amount } }
  }

  /// Sorts a time into the buckets of a histogram. A clock that was set back may have made it negative.
  package func time(_ family: MetricFamily, _ labels: [String], _ duration: Duration) {
    let seconds = max(0, duration / .seconds(1))
    let bucket = family.buckets.firstIndex { seconds <= $0 } ?? family.buckets.count
    samples.withLock { samples in
      change(&samples, family, labels) { value in
        value.counts[bucket] += 1
        value.sum += seconds
      }
    }
  }

  package func set(_ family: MetricFamily, _ labels: [String] = [], to value: Double) {
    samples.withLock { change(&$0, family, labels) { $0.sum = value } }
  }

  /// Replaces the samples of a family of gauges, so that removed ones do not stay forever. Of samples with the same
  /// labels the last one counts.
  package func replace(family: MetricFamily, samples new: [(labels: [String], value: Double)]) {
    samples.withLock { samples in
      samples[family.name] = nil
      for sample in new { change(&samples, family, sample.labels) { $0.sum = sample.value } }
    }
  }

  private func change(
    _ samples: inout Samples, _ family: MetricFamily, _ labels: [String], _ body: (inout MetricValue) -> Void
  ) {
    assert(labels.count == family.labels.count, "\(family.name) has the labels \(family.labels), not \(labels)")
    let labels = labels.map { $0.bounded(toBytes: limits.labelBytes) }
    if samples[family.name]?[labels] == nil, samples[family.name]?.count ?? 0 >= limits.labelSetsPerFamily {
      samples[MetricFamily.droppedLabelSets.name, default: [:]][[], default: MetricValue()].sum += 1
      return
    }
    body(&samples[family.name, default: [:]][labels, default: MetricValue(family)])
  }
}

struct MetricValue: Sendable {
  /// A histogram's observations by bucket, not yet cumulative; the last one is for values above all bounds.
  var counts: [UInt64] = []
  var sum = 0.0
}

extension MetricValue {
  init(_ family: MetricFamily) {
    if family.kind == .histogram { counts = Array(repeating: 0, count: family.buckets.count + 1) }
  }
}
