import SyncCore

/// A query with a name and parameters: a file of `sql/reports`, or one of a user.
///
/// The comments at its top are the header, a `-- key: value` in each line; a line that begins with three blanks
/// continues the one above. Everything in it may be omitted.
package struct Report: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package let name: String
    package let help: String
  }

  package let name: String
  package let title: String
  package let description: String
  /// The first sentence of the description.
  package var summary: String {
    description.firstRange(of: ". ").map { String(description[..<$0.lowerBound]) + "." } ?? description
  }
  /// Nil for one of no source, or of several.
  package let source: String?
  package let parameters: [ReportParameter]
  /// What its columns mean.
  package let columns: [Column]
  /// Columns that a narrow terminal omits.
  package let spare: [String]
  let text: ReportText

  /// - Throws: `ReportFault`.
  package init(name: String, file: String) throws(ReportFault) {
    self.name = name
    // As an editor of another system has saved it.
    let file = file.hasPrefix("\u{FEFF}") ? String(file.dropFirst()) : file
    let header = try ReportHeader(file)
    title = header.one("title") ?? ""
    description = header.one("description") ?? ""
    source = header.one("source")
    spare = header.one("narrow").map { $0.split(separator: ",").map { $0.trimmingBlanks } } ?? []
    var parameters: [ReportParameter] = []
    for entry in header.entries where entry.key == "parameter" {
      let parameter = try ReportParameter(header: entry.value, line: entry.line)
      guard !parameters.contains(where: { $0.option == parameter.option }) else {
        throw ReportFault(
          line: entry.line, message: "parameter \(parameter.name) is declared twice", hint: "declare it once")
      }
      parameters.append(parameter)
    }
    self.parameters = parameters
    columns = header.entries.filter { $0.key == "column" }.map { entry in
      let parts = entry.value.split(separator: "|", maxSplits: 1).map { $0.trimmingBlanks }
      return Column(name: parts.first ?? "", help: parts.count > 1 ? parts[1] : "")
    }
    text = try ReportText(file)
    let names = parameters.map(\.name)
    let used = text.parameters
    if let unknown = used.first(where: { !names.contains($0.name) }) {
      let line = 1 + file.unicodeScalars.prefix(unknown.place).count { $0 == "\n" }
      throw ReportFault(
        line: line, message: ":\(Excerpt.of(unknown.name, scalars: 40)) is not declared",
        hint: Suggestion.nearest(to: unknown.name, among: names).map { "did you mean :\($0)?" }
          ?? "declare it in the header: -- parameter: NAME TYPE [= DEFAULT] | HELP")
    }
    for entry in header.entries where entry.key == "parameter" {
      let name = entry.value.prefix { !$0.isWhitespace }
      guard used.contains(where: { $0.name == name }) else {
        throw ReportFault(
          line: entry.line, message: "parameter \(name) is not used", hint: "write :\(name) in the query, or remove it")
      }
    }
  }

  /// A parameter in the statement that is sent.
  func placeholder(_ name: String) -> String {
    guard let place = parameters.firstIndex(where: { $0.name == name }) else { return ":\(name)" }
    return parameters[place].placeholder(place + 1)
  }
}

/// The comments at the top of a report's file.
private struct ReportHeader {
  struct Entry {
    let key: String
    var value: String
    let line: Int
  }

  private(set) var entries: [Entry] = []

  /// Reads ` key: value`. By hand, as parameters are: every command that opens a mirror reads all reports, and making
  /// regular expressions took half of its time.
  private static func member(_ text: Substring) -> (key: String, value: String)? {
    let text = text.first == " " ? text.dropFirst() : text
    let key = text.prefix { ("a"..."z").contains($0) }
    let rest = text[key.endIndex...]
    guard !key.isEmpty, rest.first == ":" else { return nil }
    return (String(key), String(rest.dropFirst().drop { $0 == " " }))
  }

  func one(_ key: String) -> String? { entries.first { $0.key == key }?.value }

  init(_ file: String) throws(ReportFault) {
    let keys = ["title", "description", "source", "parameter", "column", "narrow"]
    var continues = false
    // A CR LF is one character.
    let lines = file.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let line = line.trimmingBlanks
      guard line.isEmpty || line.hasPrefix("--") else { return }
      let text = line.dropFirst(2)
      if text.hasPrefix("   "), continues {
        entries[entries.count - 1].value += " " + text.trimmingBlanks
        continue
      }
      continues = false
      guard let (key, value) = Self.member(text) else { continue }
      guard keys.contains(key) else {
        // Any other comment is one.
        guard let near = Suggestion.nearest(to: key, among: keys), key.count > 3 else { continue }
        throw ReportFault(line: index + 1, message: "the header has no \(key)", hint: "did you mean \(near)?")
      }
      guard key == "parameter" || key == "column" || one(key) == nil else {
        throw ReportFault(line: index + 1, message: "the header has \(key) twice", hint: "say it once")
      }
      entries.append(Entry(key: key, value: value, line: index + 1))
      continues = true
    }
  }
}
