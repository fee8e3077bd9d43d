package import SyncCore

/// What is wrong with a report's file, and where.
package struct ReportFault: Error, Equatable {
  /// From 1.
  package let line: Int
  package let message: String
  package let hint: String

  /// The same for the person who wrote the file.
  package func error(in file: String) -> SyncError {
    SyncError(.usage, "\(Excerpt.of(file)), line \(line): \(message)", hint: hint)
  }
}

/// The statement of a report, taken apart at its parameters: `:name` outside of literals, quoted names, comments and
/// dollar quotes.
package struct ReportText: Equatable {
  enum Piece: Equatable {
    case text(String)
    /// Its name, and the place in the file.
    case parameter(String, at: Int)
  }

  let pieces: [Piece]
  /// Where in the file the first piece begins: characters, from 0.
  private let start: Int
  private let file: String

  /// - Parameter file: the text of the whole file; its header is comments.
  /// - Throws: `ReportFault` for anything but one query.
  init(_ file: String) throws(ReportFault) {
    var scanner = Scanner(file)
    var pieces: [Piece] = []
    var (begin, end): (Int?, Int?) = (nil, nil)
    var copied = 0
    if let place = file.unicodeScalars.firstIndex(of: "\0") {
      let line = 1 + file.unicodeScalars[..<place].count { $0 == "\n" }
      throw ReportFault(line: line, message: "the file holds a NUL character", hint: "remove it")
    }
    while let token = scanner.next() {
      if token.kind == .blank { continue }
      if end != nil {
        throw scanner.fault(
          token, "a second statement begins here", "a report is one statement: give each one its own file")
      }
      if begin == nil {
        guard token.kind != .end else { continue }
        let word = scanner.text(token).lowercased()
        guard ["select", "with", "values", "table", "("].contains(word) else {
          throw scanner.fault(
            token, "a report is a query, which begins with SELECT, WITH, VALUES or TABLE",
            "syncctl db psql runs other statements")
        }
        begin = token.start
        copied = token.start
      }
      switch token.kind {
      case .end: end = token.start
      case .parameter:
        pieces += [
          .text(scanner.text(copied..<token.start)),
          .parameter(scanner.text(token.start + 1..<token.end), at: token.start),
        ]
        copied = token.end
      case .number:
        throw scanner.fault(
          token, "\(scanner.text(token)) is not a parameter of a report",
          "declare one in the header, and write it as :name")
      case .blank, .other: break
      }
    }
    guard let begin else {
      throw ReportFault(line: 1, message: "the file holds no statement", hint: "a report is a query, such as SELECT …")
    }
    // Comments at the end stay: nothing is added after them on their line.
    pieces.append(.text(scanner.text(copied..<(end ?? scanner.count))))
    self.pieces = pieces
    self.file = file
    start = begin
  }

  /// The parameters that it uses, with their places.
  var parameters: [(name: String, place: Int)] {
    pieces.compactMap { if case .parameter(let name, let place) = $0 { (name, place) } else { nil } }
  }

  /// - Parameter replacement: what a parameter becomes.
  func sql(_ replacement: (String) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .parameter(let name, _): replacement(name)
      }
    }.joined()
  }

  /// The place in the file of a character of `sql`; both from 0.
  func place(of character: Int, in replacement: (String) -> String) -> Int {
    var (left, place) = (character, start)
    for piece in pieces {
      switch piece {
      case .text(let text):
        let count = text.unicodeScalars.count
        if left < count { return place + left }
        left -= count
        place += count
      case .parameter(let name, let at):
        let count = replacement(name).unicodeScalars.count
        if left < count { return at }
        left -= count
        place = at + 1 + name.unicodeScalars.count
      }
    }
    return place
  }
}

extension ReportText {
  /// A place of the file in words, and its line with a mark.
  func shown(_ place: Int) -> (words: String, exhibit: [String]) {
    let before = file.unicodeScalars.prefix(place)
    let begin = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
    let column = before.distance(from: begin, to: before.endIndex)
    let line = file.unicodeScalars[begin...].prefix { $0 != "\n" && $0 != "\r" }
    // A long line is shown from shortly before the place.
    let skipped = max(0, column - 40)
    let shown = String(String.UnicodeScalarView(line.dropFirst(skipped).prefix(70))).replacing("\t", with: " ")
    let mark = String(repeating: " ", count: column - skipped) + "^"
    return (", line \(1 + before.count { $0 == "\n" }), column \(column + 1)", [shown, mark])
  }

  /// The tokens of PostgreSQL's SQL, as far as parameters need them.
  package struct Scanner {
    package enum Kind: Equatable {
      /// White space and comments.
      case blank
      /// `:name`
      case parameter
      /// `$1`
      case number
      /// `;`
      case end
      case other
    }

    package struct Token: Equatable {
      package let kind: Kind
      package let start: Int
      package let end: Int
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0

    package init(_ text: String) { scalars = Array(text.unicodeScalars) }

    package var count: Int { scalars.count }

    package func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }

    func text(_ token: Token) -> String { text(token.start..<token.end) }

    func fault(_ token: Token, _ message: String, _ hint: String) -> ReportFault {
      ReportFault(line: 1 + scalars[..<token.start].count { $0 == "\n" }, message: message, hint: hint)
    }

    package mutating func next() -> Token? {
      guard place < scalars.count else { return nil }
      let start = place
      let kind = advance()
      return Token(kind: kind, start: start, end: place)
    }

    private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
      place + offset < scalars.count ? scalars[place + offset] : nil
    }

    private mutating func advance() -> Kind {
      let first = scalars[place]
      place += 1
      switch first {
      case " ", "\t", "\n", "\r", "\u{B}", "\u{C}": return .blank
      case ";": return .end
      case "-" where scalar() == "-":
        while let next = scalar(), next != "\n", next != "\r" { place += 1 }
        return .blank
      case "/" where scalar() == "*":
        skipComment()
        return .blank
      case "'": skip(to: "'", escapes: false)
      case "\"": skip(to: "\"", escapes: false)
      case "$":
        if scalar().map(Self.isDigit) == true {
          while scalar().map(Self.isDigit) == true { place += 1 }
          return .number
        }
        skipDollarQuote()
      case ":":
        // A cast, and := of a named argument.
        if scalar() == ":" || scalar() == "=" {
          place += 1
        } else if scalar().map(Self.beginsName) == true {
          while scalar().map(Self.isOfParameter) == true { place += 1 }
          return .parameter
        }
      case _ where Self.beginsName(first):
        // In E'…' a backslash escapes the quote.
        if first == "e" || first == "E", scalar() == "'" {
          place += 1
          skip(to: "'", escapes: true)
        } else {
          while scalar().map(Self.continuesName) == true { place += 1 }
        }
      case _ where Self.isDigit(first):
        // 1e5 and 0x1F are no names after a number.
        while let next = scalar(), Self.continuesName(next) || next == "." { place += 1 }
      default: break
      }
      return .other
    }

    /// Up to the end of a literal or a quoted name, in which two quotes stand for one.
    private mutating func skip(to quote: Unicode.Scalar, escapes: Bool) {
      while let next = scalar() {
        place += 1
        if escapes, next == "\\" {
          place = min(place + 1, scalars.count)
        } else if next == quote {
          guard scalar() == quote || escapes && skipToContinuation() else { return }
          place += 1
        }
      }
    }

    /// A literal that follows on another line is a part of the one before, and has its escapes.
    private mutating func skipToContinuation() -> Bool {
      let end = place
      var hasLineEnd = false
      while let next = scalar(), " \t\n\r\u{C}".unicodeScalars.contains(next) {
        hasLineEnd = hasLineEnd || next == "\n" || next == "\r"
        place += 1
      }
      if hasLineEnd, scalar() == "'" { return true }
      place = end
      return false
    }

    /// Comments are nested.
    private mutating func skipComment() {
      var depth = 1
      place += 1
      while depth > 0, let next = scalar() {
        place += 1
        if next == "/", scalar() == "*" {
          place += 1
          depth += 1
        } else if next == "*", scalar() == "/" {
          place += 1
          depth -= 1
        }
      }
    }

    /// `$tag$ … $tag$`; a `$` that begins none is left alone.
    private mutating func skipDollarQuote() {
      var end = place
      while end < scalars.count, scalars[end] != "$", Self.continuesName(scalars[end]) { end += 1 }
      guard end < scalars.count, scalars[end] == "$" else { return }
      let tag = Array(scalars[(place - 1)...end])
      place = end + 1
      while place < scalars.count {
        if scalars[place...].starts(with: tag) {
          place += tag.count
          return
        }
        place += 1
      }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value >= 0x80
    }

    private static func isOfParameter(_ scalar: Unicode.Scalar) -> Bool { beginsName(scalar) || isDigit(scalar) }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
      isOfParameter(scalar) || scalar == "$"
    }
  }
}
