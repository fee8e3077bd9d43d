/// The styles of texts. Raw values are parameters of the terminal's sequence for styles (ECMA-48, SGR).
package enum TextStyle: String, Sendable {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
}
