/// A line of a drawing, in parts with a style each. The texts are escaped when the line is printed.
package struct StyledLine: Sendable, Equatable {
  struct Span: Sendable, Equatable {
    var text: String
    var style: TextStyle = .plain
  }

  var spans: [Span]

  init(_ spans: [Span]) { self.spans = spans }
  init(_ text: String, _ style: TextStyle = .plain) { spans = [Span(text: text, style: style)] }

  var text: String { spans.map(\.text).joined() }
}
