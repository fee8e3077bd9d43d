import Testing

@Suite("The size of the program")
struct SizeTests {
  /// The maximum numbers of lines of Swift. The product is all of `Sources`.
  private static let ceilings = [
    "product": 43_500,
    "SyncProgram": 11_550,
    "SyncPostgres": 9_700,
    "UpstreamSimulator": 4_000,
    "SyncEngine": 3_900,
    "JikanSource": 3_000,
    "ITunesSource": 2_850,
    "PokeAPISource": 2_450,
    "RestSource": 2_450,
    "SyncCore": 2_400,
    "LibPQ": 1_600,
    "JSONScan": 1_450,
    "SyncTelemetry": 1_150,
    "SyncHTTP": 1_050,
    "SyncWeb": 1_000,
    "upstream-sim": 250,
    "AcceptedConnections": 100,
    "Hashing": 100,
    "syncctl": 50,
  ]

  @Test("no target has more lines than its ceiling, and no ceiling is 300 lines too high")
  func ceilings() throws {
    var lines: [String: Int] = [:]
    for file in try ["Sources", "Tools"].flatMap({ try Repository.files($0, ["swift"]) }) {
      // A file ends with a line break, so the last element is empty and not a line.
      let count = file.lines.count - 1
      lines[file.target, default: 0] += count
      if file.path.hasPrefix("Sources/") { lines["product", default: 0] += count }
    }
    let figures = lines.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
    print("lines of Swift: \(figures.joined(separator: ", "))")
    #expect(Set(lines.keys) == Set(Self.ceilings.keys))
    for (target, ceiling) in Self.ceilings {
      let count = lines[target, default: 0]
      #expect(count <= ceiling, "\(target): \(count) lines. Raising a ceiling requires a decision in docs/decisions")
      #expect(count > ceiling - 300, "\(target): \(count) lines. Lower its ceiling, or it will fill again")
    }
  }
}
