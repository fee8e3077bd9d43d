import ArgumentParser
package import SyncPostgres

/// `--after`: a cursor that an earlier page gave, or an id.
package struct After: ExpressibleByArgument {
  package let start: PageStart

  init?(argument: String) {
    if let id = Int64(argument), id >= 0 {
      start = .id(id)
    } else if let cursor = PageCursor(argument) {
      start = .cursor(cursor)
    } else {
      return nil
    }
  }
}

enum NextPage {
  /// - Parameters:
  ///   - arguments: those of this command, the program's name not among them.
  ///   - replaced: options that the cursor takes the place of, with how many words follow each.
  static func command(
    _ arguments: [String], after cursor: PageCursor, replacing replaced: [String: Int] = [:]
  ) -> String {
    let replaced = replaced.merging(["--after": 1]) { $1 }
    // What follows -- is no option.
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var words = ["syncctl"]
    var rest = arguments[..<end]
    while let word = rest.popFirst() {
      if let following = replaced[word] {
        rest = rest.dropFirst(following)
      } else if !replaced.keys.contains(where: { word.hasPrefix("\($0)=") }) {
        words.append(word)
      }
    }
    return (words + ["--after", cursor.description] + arguments[end...]).map(quoted).joined(separator: " ")
  }

  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./:=,+@%".unicodeScalars.contains($0)
      }
    return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
  }
}

extension StandardStreams {
  /// Says how a listing continues. The line is a command to copy, and no width breaks it.
  package func noteNext(_ cursor: PageCursor?, replacing replaced: [String: Int] = [:]) {
    guard let cursor else { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    note(unbroken: "next: \(NextPage.command(arguments, after: cursor, replacing: replaced))")
  }
}
