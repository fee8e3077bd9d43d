import ArgumentParser
import SyncPostgres

/// `--after`: a cursor that an earlier page gave, or an id.
struct After: ExpressibleByArgument {
  let start: PageStart

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

/// The command that shows the next page.
enum NextPage {
  /// - Parameter arguments: those of this command, the program's name not among them.
  static func command(_ arguments: [String], after cursor: PageCursor) -> String {
    var words = ["syncctl"]
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--after" {
        _ = rest.popFirst()
      } else if !word.hasPrefix("--after=") {
        words.append(word)
      }
    }
    return (words + ["--after", cursor.description]).map(quoted).joined(separator: " ")
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
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
  func noteNext(_ cursor: PageCursor?) {
    guard let cursor else { return }
    note(unbroken: "next: \(NextPage.command(Array(CommandLine.arguments.dropFirst()), after: cursor))")
  }
}
