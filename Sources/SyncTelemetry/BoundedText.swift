extension String {
  /// The text with at most that many bytes of UTF-8, including the `…` that marks a cut. No scalar is cut in two.
  func bounded(toBytes limit: Int) -> String {
    // Most texts are short, and checking the whole of a long one would cost what the bound saves.
    if utf8.prefix(limit + 1).count <= limit { return self }
    let room = max(0, limit - Self.ellipsis.utf8.count)
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > room { break }
      kept.append(scalar)
    }
    return String(kept) + Self.ellipsis
  }

  static var ellipsis: String { "…" }
}
