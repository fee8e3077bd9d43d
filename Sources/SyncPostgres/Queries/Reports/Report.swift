import EmbeddedSQL
package import SyncCore

/// A query with parameters. The file can begin with a header: `-- key: value` or `--   continuation`.
package struct Report: Sendable {
  package let name: String
  package let title: String
  package let description: String
  package var summary: String {
    description.firstRange(of: ". ").map { String(description[..<$0.lowerBound]) + "." } ?? description
  }
  package let source: String?
  package let parameters: [ReportParameter]
  package let columns: [(name: String, help: String)]
  package let spare: [String]
  private let file: SQLScanner
  private let parts: [(range: Range<Int>, parameter: Int?)]

  /// Parses the text of a report's file. The SQL itself is not checked.
  /// - Parameter name: The report's name, also in errors.
  /// - Throws: `SyncError` `.usage` with the line, if the header is wrong, if a parameter is not declared, not used or
  ///   declared twice, or if the text contains NUL.
  package init(name: String, file text: String) throws(SyncError) {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    func fault(_ line: Int, _ message: String, _ hint: String?) -> SyncError {
      SyncError(.usage, "\(Excerpt.of(name)), line \(line): \(message)", hint: hint)
    }

    let header = try Self.header(text, fault)
    func first(_ key: String) -> String? { header.first { $0.key == key }?.value }

    self.name = name
    title = first("title") ?? ""
    description = first("description") ?? ""
    source = first("source")
    spare = first("narrow").map { $0.split(separator: ",").map { $0.trimmingBlanks } } ?? []

    columns = header.filter { $0.key == "column" }.map { entry -> (name: String, help: String) in
      let parts = entry.value.split(separator: "|", maxSplits: 1).map { $0.trimmingBlanks }
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }

    var parameters: [ReportParameter] = []
    let declarations = header.filter { $0.key == "parameter" }
    for entry in declarations {
      do throws(SyncError) {
        parameters.append(try ReportParameter(header: entry.value))
      } catch {
        throw fault(entry.line, error.message, error.hint)
      }
    }

    let names = parameters.map(\.name)
    let indexes = Dictionary(zip(names, names.indices)) { first, _ in first }
    let file = SQLScanner(text)
    if let position = file.scalars.firstIndex(of: "\0") {
      throw fault(file.line(of: position), "the file contains a NUL character", "remove it")
    }

    var (parts, copied, scanner): ([(range: Range<Int>, parameter: Int?)], Int, SQLScanner) = ([], 0, file)
    while let (token, range) = scanner.next() {
      guard token == .parameter else { continue }
      let text = file.text(range)
      guard let index = indexes[String(text.dropFirst())] else {
        let near = Suggestion.nearest(to: String(text.dropFirst()), among: names).map { "did you mean :\($0)?" }
        let hint = near ?? "declare it in the header: -- parameter: NAME TYPE [= DEFAULT] | HELP"
        throw fault(file.line(of: range.lowerBound), "\(Excerpt.of(text, scalars: 40)) is not declared", hint)
      }
      parts.append((copied..<range.lowerBound, nil))
      parts.append((range, index))
      copied = range.upperBound
    }

    parts.append((copied..<file.scalars.count, nil))

    for (index, entry) in declarations.enumerated() where !parts.contains(where: { $0.parameter == index }) {
      let hint = "write :\(names[index]) in the query, or remove it"
      throw fault(entry.line, "parameter \(names[index]) is not used, or is declared twice", hint)
    }

    self.parameters = parameters
    self.file = file
    self.parts = parts
  }

  private static func header(
    _ text: String, _ fault: (Int, String, String?) -> SyncError
  ) throws(SyncError) -> [(key: String, value: String, line: Int)] {
    let keys = ["title", "description", "source", "parameter", "column", "narrow"]
    var entries: [(key: String, value: String, line: Int)] = []
    var continues = false

    // As bytes, because every command reads all headers, and because CR LF is a single `Character`.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = Substring(line).trimmingBlanks
      guard line.isEmpty || line.hasPrefix("--") else { break }
      let comment = line.dropFirst(2)
      if comment.hasPrefix("   "), continues {
        entries[entries.count - 1].value += " " + comment.trimmingBlanks
        continue
      }

      continues = false
      let key = comment.dropFirst(comment.hasPrefix(" ") ? 1 : 0).prefix { ("a"..."z").contains($0) }
      let rest = comment[key.endIndex...]
      guard !key.isEmpty, rest.first == ":" else { continue }

      guard keys.contains(String(key)) else {
        guard key.count > 3, let near = Suggestion.nearest(to: String(key), among: keys) else { continue }
        throw fault(index + 1, "the header has no \(key)", "did you mean \(near)?")
      }

      entries.append((String(key), rest.dropFirst().trimmingBlanks, index + 1))
      continues = true
    }
    return entries
  }

  var sql: String { composed(placeholder) }

  private func placeholder(_ index: Int) -> String { "$\(index + 1)::\(parameters[index].sqlType)" }

  func composed(_ replacement: (Int) -> String) -> String {
    parts.map { part in part.parameter.map(replacement) ?? file.text(part.range) }.joined()
  }

  /// - Parameter character: an offset from 0.
  func location(of character: Int) -> (words: String, exhibit: [String]) {
    let positions = parts.flatMap { part -> [Int] in
      let count = part.parameter.map { placeholder($0).utf8.count }
      return count.map { Array(repeating: part.range.lowerBound, count: $0) } ?? Array(part.range)
    }
    let position = character < positions.count ? positions[character] : file.scalars.count
    let begin = file.scalars[..<position].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let start = max(begin, position - 40)
    let line = file.scalars[start...].prefix(70).prefix { $0 != "\n" && $0 != "\r" }
    let shown = file.text(start..<line.endIndex).replacing("\t", with: " ")
    let mark = String(repeating: " ", count: position - start) + "^"
    return (", line \(file.line(of: position)), column \(position - begin + 1)", [shown, mark])
  }
}
