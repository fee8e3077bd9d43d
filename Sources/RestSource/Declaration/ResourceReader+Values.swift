import SyncCore
import Yams

/// The `values` of a resource, which has one list for each value.
extension ResourceReader {
  /// The name and the values of the lists, with their place for errors.
  struct Values {
    let name: String
    /// Distinct and not empty, in the order of the declaration or of its file.
    let values: [String]
    let part: DeclarationPart
  }

  /// The most values, and so the most lists, of a resource.
  private static let maximalValues = 10_000
  /// The most bytes of a value, which is part of addresses and stored with each item.
  private static let longestValue = 1_000
  /// The most bytes of a file with values.
  private static let longestFile = 1 << 20
  private static let hint = "write values: { city: [berlin, taipei] } or values: { city: { file: cities.txt } }"

  /// Returns the values; `nil` if the resource declares none.
  func values() throws(SyncError) -> Values? {
    guard let part = value("values") else { return nil }
    guard let mapping = part.node.mapping, mapping.count == 1, let (key, node) = mapping.first else {
      throw part.fault("must have one name", hint: Self.hint)
    }
    let name = key.string ?? ""
    // A name of a date would be read as a date.
    guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]{0,39}/) != nil, !["today", "now"].contains(name) else {
      throw part.fault("has a name that cannot be a placeholder", hint: Self.hint, at: key.mark)
    }
    guard !SecretName.hasSecret(name) else {
      throw part.fault(
        "has the name of a secret, and values are stored and shown", hint: "write { env: NAME } in params",
        at: key.mark)
    }

    let below = part.below(".\(name)", node)
    let values = try below.node.mapping == nil ? Self.listed(below) : fileValues(below)
    guard (1...Self.maximalValues).contains(values.count) else {
      throw below.fault(
        "has \(values.count.grouped) values", hint: "give 1 to \(Self.maximalValues.grouped) values")
    }
    return Values(name: name, values: values, part: part)
  }

  /// Reads a list of values. Numbers keep their spelling.
  private static func listed(_ part: DeclarationPart) throws(SyncError) -> [String] {
    guard let sequence = part.node.sequence else { throw part.fault("must be a list", hint: hint) }
    var values: [String] = []
    var seen: Set<String> = []
    for (index, node) in sequence.enumerated() {
      let element = part.below("[\(index)]", node)
      guard node.mapping == nil else {
        throw element.fault("is not a text", hint: "\(hint); values are stored, so they cannot be secrets")
      }
      let value = try element.text("[berlin, taipei]")
      if let problem = problem(of: value, &seen) { throw element.fault(problem, hint: "remove it") }
      values.append(value)
    }
    return values
  }

  /// Reads the values of a file: one in a line, without blanks around it. Empty lines and lines that begin with `#` are
  /// skipped.
  private func fileValues(_ part: DeclarationPart) throws(SyncError) -> [String] {
    let members = try part.members(
      ["file"], others: ["env": "values are stored and shown, so they cannot be secrets"])
    let filePart = try part.required("file", of: members, hint: Self.hint)
    let path = try filePart.text("cities.txt")
    let shown = Excerpt.of(path, scalars: 100)
    guard let text = SecretFile.text(path, in: folder, longest: Self.longestFile) else {
      throw filePart.fault(
        "names \(shown), which cannot be read as a text in UTF-8 of at most 1 MiB",
        hint: "give a regular file; its path is relative to the folder of the configuration file")
    }

    var values: [String] = []
    var seen: Set<String> = []
    // Editors of Windows write a byte order mark, which is not part of the first value.
    let lines = text.trimmingPrefix("\u{FEFF}").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let value = line.trimmingBlanks
      guard !value.isEmpty, !value.hasPrefix("#") else { continue }
      let isSafe = value.unicodeScalars.allSatisfy { !$0.isUnsafe }
      let problem = isSafe ? Self.problem(of: value, &seen) : "has a control or an invisible character"
      if let problem {
        throw filePart.fault("has in line \(index + 1) of \(shown) a value that \(problem)", hint: "correct this line")
      }
      values.append(value)
    }
    return values
  }

  /// Returns why a value cannot be used; `nil` if it can.
  /// - Parameter seen: The values before it, to which the value is added.
  private static func problem(of value: String, _ seen: inout Set<String>) -> String? {
    guard value.utf8.count <= longestValue else { return "has more than \(longestValue.grouped) bytes" }
    guard seen.insert(value).inserted else { return "repeats the value \(Excerpt.of(value, scalars: 40))" }
    return nil
  }
}
