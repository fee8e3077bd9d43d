/// A file that a page returns in place of HTML, which browsers store.
package struct WebFile: Sendable {
  let name: String
  let type: String
  let text: String

  /// - Parameters:
  ///   - name: The name of the stored file. Only ASCII letters, digits, `-`, `_` and `.` are kept.
  ///   - type: The media type without a charset, such as `text/csv`. The text is sent in UTF-8.
  package init(name: String, type: String, text: String) {
    self.name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    self.type = type
    self.text = text
  }
}
