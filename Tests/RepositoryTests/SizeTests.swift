import Testing

/// Every line is read, built and changed for ever. A ceiling holds the size of each target; to raise one needs a
/// decision in docs/decisions.md that says what the lines are worth.
@Suite("The size of the program")
struct SizeTests {
  /// Lines of Swift. The product is all of `Sources`.
  private static let ceilings = [
    "product": 0,
  ]

  @Test("no target has more lines than its ceiling, and no ceiling is 300 lines too high")
  func ceilings() throws {
    var lines: [String: Int] = [:]
    for file in try ["Sources", "Tools"].flatMap({ try Repository.files($0, ["swift"]) }) {
      lines[file.target, default: 0] += file.lines.count
      if file.path.hasPrefix("Sources/") { lines["product", default: 0] += file.lines.count }
    }
    print("lines of Swift: " + lines.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    #expect(Set(lines.keys) == Set(Self.ceilings.keys))
    for (target, ceiling) in Self.ceilings {
      let count = lines[target, default: 0]
      #expect(count <= ceiling, "\(target) has \(count) lines: raising its ceiling needs a decision in docs/decisions.md")
      #expect(count > ceiling - 300, "\(target) has \(count) lines: lower its ceiling, so that they stay away")
    }
  }
}
