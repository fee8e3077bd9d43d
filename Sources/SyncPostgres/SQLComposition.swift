/// How files of `sql/` are put together: a name in a comment, as in `/* columns */`, stands for the part of that name.
enum SQLComposition {
  /// - Returns: nil if a part is missing.
  static func composed(_ text: String, part: (String) -> String?) -> String? {
    var text = text
    while let place = text.firstMatch(of: /\/\* ([a-z][a-z -]*) \*\//) {
      guard let whole = part(String(place.output.1)) else { return nil }
      text.replaceSubrange(place.range, with: whole.trimmingSuffix { $0.isNewline })
    }
    return text
  }

  /// The parts that a file says, by name: each begins with its name and a colon in a comment.
  static func parts(of file: String) -> [String: String] {
    let names = file.matches(of: /(?m)^\/\* ([a-z][a-z -]*): \*\//)
    let ends = names.dropFirst().map(\.range.lowerBound) + [file.endIndex]
    let parts = zip(names, ends).map { name, end in
      (String(name.output.1), String(file[name.range.upperBound..<end].drop(while: \.isWhitespace)))
    }
    return Dictionary(parts) { $1 }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !isTrimmed($0) }.map { index(after: $0) } ?? startIndex)]
  }
}
