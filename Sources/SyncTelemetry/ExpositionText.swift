/// Prometheus' text format 0.0.4: <https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>
struct ExpositionText {
  private(set) var text = ""

  mutating func append(_ family: MetricFamily, _ samples: [[String]: MetricValue]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
    text += "# TYPE \(family.name) \(family.type.rawValue)\n"
    for (values, value) in samples.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let labels = zip(family.labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
      if family.type == .histogram {
        histogram(family, labels, value)
      } else {
        line(family.name, labels, Self.number(value.sum))
      }
    }
  }

  private mutating func histogram(_ family: MetricFamily, _ labels: [String], _ observations: MetricValue) {
    var below: UInt64 = 0
    for (bound, count) in zip(family.buckets + [.infinity], observations.counts) {
      below &+= count
      line("\(family.name)_bucket", labels + ["le=\"\(Self.number(bound))\""], String(below))
    }
    line("\(family.name)_sum", labels, Self.number(observations.sum))
    line("\(family.name)_count", labels, String(below))
  }

  private mutating func line(_ name: String, _ labels: [String], _ value: String) {
    text += name
    if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
    text += " \(value)\n"
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if value == value.rounded(), abs(value) < 0x1p63 { return String(Int64(value)) }
    return value.description
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": #"\\"#, "\n": #"\n"#, "\"": quotes ? #"\""# : "\""]
    return text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
