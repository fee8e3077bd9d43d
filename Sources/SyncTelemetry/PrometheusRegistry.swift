import Synchronization

/// The values of all metrics of a process. Any thread can change them.
///
/// The functions that change a value take the label values in the order of `MetricFamily.labels`. Each combination of
/// label values is a sample. A family has at most `mostLabelSets` samples; a further sample is dropped and counted in
/// `droppedLabelSets`.
package final class PrometheusRegistry: Sendable {
  private typealias Samples = [String: [[String]: MetricValue]]

  private let samples = Mutex<Samples>([:])
  private let families: [MetricFamily]
  private let mostLabelSets: Int
  private static let labelBytes = 256
  private let processSample: @Sendable () -> ProcessSample?

  /// Creates a registry. Counters without labels begin with 0.
  /// - Parameters:
  ///   - families: The families that `exposition` returns.
  ///   - mostLabelSets: The maximum number of samples of a family.
  ///   - process: Returns the resources of the process, for each exposition.
  package init(
    version: String, families: [MetricFamily] = MetricFamily.catalogue, mostLabelSets: Int = 2000,
    process: @escaping @Sendable () -> ProcessSample? = { ProcessSample.current() }
  ) {
    self.families = families
    self.mostLabelSets = mostLabelSets
    processSample = process
    for family in families where family.type == .counter && family.labels.isEmpty { begin(family) }
    if families.contains(.buildInfo) { set(.buildInfo, [version], to: 1) }
  }

  /// Returns all metrics in Prometheus' text format, in a stable order.
  /// - Parameter includingProcess: Must be false in a file for node_exporter, because node_exporter already exports
  ///   `process_cpu_seconds_total`.
  package func exposition(includingProcess: Bool = true) -> String {
    let samples = self.samples.withLock { $0 }
    var text = ExpositionText()
    for family in families { text.append(family, samples[family.name] ?? [:]) }
    if includingProcess, let process = processSample() {
      for (family, value) in process.values { text.append(family, [[]: MetricValue(sum: value)]) }
    }
    return text.text
  }

  /// Creates the counter with the value 0, because `rate()` misses the first increment of a counter that begins with 1.
  /// An existing counter keeps its value.
  package func begin(_ family: MetricFamily, _ labels: [String] = []) {
    samples.withLock { change(&$0, family, labels) { _ in } }
  }

  /// Adds to a counter. Ignores negative amounts, because a counter that falls would look like a restart.
  package func count(_ family: MetricFamily, _ labels: [String] = [], by amount: Double = 1) {
    guard amount > 0, amount.isFinite else { return }
    samples.withLock { change(&$0, family, labels) { $0.sum += amount } }
  }

  /// Adds a duration to a histogram, in seconds. A negative duration counts as zero.
  /// - Parameters:
  ///   - family: A histogram with bounds in seconds. Any other family stops the program.
  ///   - labels: The label values, in the order of `family.labels`; empty for a family without labels.
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

  /// Sets a gauge.
  package func set(_ family: MetricFamily, _ labels: [String] = [], to value: Double) {
    samples.withLock { change(&$0, family, labels) { $0.sum = value } }
  }

  /// Replaces all samples of a gauge at once, so that samples of streams or jobs that no longer exist disappear.
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
    let labels = labels.map { $0.bounded(toBytes: Self.labelBytes) }
    if samples[family.name]?[labels] == nil, samples[family.name]?.count ?? 0 >= mostLabelSets {
      samples[MetricFamily.droppedLabelSets.name, default: [:]][[], default: MetricValue()].sum += 1
      return
    }
    body(&samples[family.name, default: [:]][labels, default: MetricValue(family)])
  }
}

struct MetricValue: Sendable {
  /// The count of each bucket, without the counts of lower buckets.
  var counts: [UInt64] = []
  var sum = 0.0
}

extension MetricValue {
  init(_ family: MetricFamily) {
    if family.type == .histogram { counts = Array(repeating: 0, count: family.buckets.count + 1) }
  }
}
