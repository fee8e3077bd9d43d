import SyncCore

/// The parts of a manifest that a declaration does not have, or has in another form, and what the user can do.
struct ImportRemarks {
  struct Remark: Equatable {
    let line: Int
    /// The streams that have this part. Empty for a part that belongs to no stream.
    var streams: [String]
    let problem: String
    let advice: String

    /// The remark with its place, as in `manifest.yaml:12: products: …`.
    func text(file: String) -> String {
      let shown = streams.prefix(3).map { Excerpt.of($0, scalars: 60) }.joined(separator: ", ")
      let others = streams.count > 3 ? " and \(streams.count - 3) more" : ""
      return "\(file):\(line): \(shown.isEmpty ? "" : "\(shown)\(others): ")\(problem); \(advice)"
    }
  }

  /// What equal remarks have in common.
  private struct Key: Hashable {
    /// `nil` for a remark that belongs to no stream.
    let line: Int?
    let problem: String
    let advice: String
  }

  private var remarks: [Remark] = []
  private var indices: [Key: Int] = [:]

  /// The remarks in the order of the manifest's lines.
  var sorted: [Remark] {
    remarks.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }

  /// Adds a remark. Streams share a remark about the same line, because they can share a definition. A remark that
  /// belongs to no stream is added once, with its first line.
  mutating func add(_ line: Int, _ stream: String?, _ problem: String, _ advice: String) {
    let key = Key(line: stream == nil ? nil : line, problem: problem, advice: advice)
    guard let index = indices[key] else {
      indices[key] = remarks.count
      remarks.append(Remark(line: line, streams: stream.map { [$0] } ?? [], problem: problem, advice: advice))
      return
    }
    if let stream, remarks[index].streams.last != stream { remarks[index].streams.append(stream) }
  }

  /// Adds what was assumed about options of the user.
  mutating func add(_ assumed: [AssumedOption], at line: Int) {
    for option in assumed {
      let name = "config.\(option.path.joined(separator: "."))"
      if let value = option.value {
        add(
          line, nil, "\(name) has the value \(Excerpt.of(value, scalars: 60))", "write another value if yours differs")
      } else {
        add(line, nil, "\(name) is taken as not set", "write its value where the manifest uses it if you need it")
      }
    }
  }

  /// The streams about which a remark says something.
  var streams: Set<String> { Set(remarks.flatMap(\.streams)) }
}
