import Foundation

struct Hyperlink {
  private static let opening = "\u{1B}]8;;"
  private static let closing = "\u{1B}\\"
  private static let longest = 2_000

  private let target: String

  init?(_ text: String) {
    guard let address = WebAddress(text), address.parts.user == nil, address.parts.password == nil else { return nil }
    target = address.url.utf8.map { byte in
      byte < 0x7F ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
    if target.utf8.count > Self.longest { return nil }
  }

  func around(_ safe: String) -> String { Self.opening + target + Self.closing + safe + Self.opening + Self.closing }

  static func atEnd(of line: String) -> String {
    let start = line.lastIndex(of: " ").map(line.index(after:)) ?? line.startIndex
    let word = String(line[start...])
    return Hyperlink(word).map { line[..<start] + $0.around(word) } ?? line
  }

  static func mark(in text: Substring.UnicodeScalarView) -> String? {
    guard text.starts(with: opening.unicodeScalars) else { return nil }
    let target = text.dropFirst(opening.unicodeScalars.count).prefix { ("!"..."~").contains($0) }
    let isWeb = target.isEmpty || ["http://", "https://"].contains { target.starts(with: $0.unicodeScalars) }
    let mark = opening + String(target) + closing
    return isWeb && text.starts(with: mark.unicodeScalars) ? mark : nil
  }

  static func removed(from bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x1B) else { return bytes }
    let mark = #/\u{1B}\]8;;[!-~]*\u{1B}\\/#.matchingSemantics(.unicodeScalar)
    return Array(String(decoding: bytes, as: UTF8.self).replacing(mark, with: "").utf8)
  }

  /// Whether the terminal's variables show that it supports links. `SYNCCTL_HYPERLINKS` overrides this guess.
  static func isShown(_ environment: (String) -> String?) -> Bool {
    if let choice = environment("SYNCCTL_HYPERLINKS"), !choice.isEmpty {
      return !["0", "no", "off", "false", "never"].contains(choice.lowercased())
    }
    let term = environment("TERM") ?? ""
    // In screen and tmux, all variables except `TERM` describe the outer terminal.
    if term.hasPrefix("screen") || term.hasPrefix("tmux") { return false }
    return ["alacritty", "contour", "foot", "wezterm", "xterm-ghostty", "xterm-kitty"].contains { term.hasPrefix($0) }
      || ["ghostty", "Hyper", "iTerm.app", "vscode", "WezTerm"].contains(environment("TERM_PROGRAM"))
      || ["KONSOLE_VERSION", "WT_SESSION"].contains { environment($0) != nil }
      // Versions of VTE before 0.50 crash on links.
      || (environment("VTE_VERSION").flatMap { Int($0) } ?? 0) >= 5_000
  }
}
