import Synchronization

/// The worlds of all terms that were searched for, and of those that were named before.
final class ITunesCatalogue: Sendable {
  /// Terms that are remembered; beyond them the records of all terms are forgotten, which a new search undoes.
  private static let termLimit = 100_000
  private static let longestTerm = 200
  /// Whatever holds these letters finds nothing.
  private static let unknown = "zzzz"

  private let seed: UInt64
  private let terms = Mutex<[Int: String]>([:])

  init(seed: UInt64) { self.seed = seed }

  /// The world of a term, from now on found by its number too; nil for a term that finds nothing.
  func world(of term: String, _ settings: ITunesSettings) -> ITunesWorld? {
    let words = term.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty, words.count <= Self.longestTerm, !words.contains(Self.unknown) else { return nil }
    return ITunesWorld(number: number(of: words), term: Self.displayed(words), settings)
  }

  /// The world of that number, if there is one.
  func world(_ number: Int, _ settings: ITunesSettings) -> ITunesWorld? {
    if (0..<ITunesWorld.inventedCount).contains(number) { return ITunesWorld(number: number, term: nil, settings) }
    return terms.withLock { $0[number] }.map { ITunesWorld(number: number, term: Self.displayed($0), settings) }
  }

  /// A number for a term: drawn, or the next one if it is another term's already.
  private func number(of words: String) -> Int {
    let digest = Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(words.utf8)))
    let free = ITunesAddress.worlds - ITunesWorld.inventedCount
    var place = Draws(seed: seed, stream: 1 << 44).of(digest).draw(0, below: free)
    return terms.withLock { terms in
      if terms.count >= Self.termLimit { terms = [:] }
      // Ends: there are more places than terms.
      while let known = terms[place + ITunesWorld.inventedCount], known != words { place = (place + 1) % free }
      terms[place + ITunesWorld.inventedCount] = words
      return place + ITunesWorld.inventedCount
    }
  }

  /// Capitalized, however it was written.
  private static func displayed(_ words: String) -> String {
    words.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
