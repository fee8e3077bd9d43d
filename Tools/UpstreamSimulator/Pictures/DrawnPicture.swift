/// A picture in SVG. Equal arguments draw the same picture.
enum DrawnPicture {
  /// A poster of two to three. The text is an address of `JikanSettings.hasTitledPictures`: its last part is the title
  /// with underscores instead of spaces, and a size after the last underscore.
  case poster(String)
  /// A creature on no background. Its colour is that of the first type of the handmade Pokémon with this id, or else of
  /// the id. The kinds `shiny` and `female` change it.
  case creature(Int, kinds: Set<String>)
  /// A square cover.
  case cover(String)

  var svg: String {
    switch self {
    case .poster(let text): Self.poster(text)
    case .creature(let id, let kinds): Self.creature(id, kinds)
    case .cover(let text): Self.cover(text)
    }
  }

  private static func draws(_ text: String) -> Draws {
    Draws(seed: 1, stream: 1 << 48).of(Int(truncatingIfNeeded: ConditionalUpstream.digest(Array(text.utf8))))
  }

  private static func drawing(_ width: Int, _ height: Int, _ content: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">\
    \(content)</svg>
    """
  }

  private static func colour(_ hue: Int, _ saturation: Int, _ lightness: Int) -> String {
    "hsl(\(hue % 360),\(saturation)%,\(lightness)%)"
  }

  private static func gradient(_ from: String, _ to: String, _ width: Int, _ height: Int) -> String {
    """
    <linearGradient id="g" x2="0.4" y2="1"><stop stop-color="\(from)"/><stop offset="1" stop-color="\(to)"/>\
    </linearGradient><rect width="\(width)" height="\(height)" fill="url(#g)"/>
    """
  }

  private static func circle(_ x: Int, _ y: Int, _ radius: Int, _ paint: String) -> String {
    "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" \(paint)/>"
  }

  private static func poster(_ address: String) -> String {
    let text = address.lastIndex(of: "_").map { String(address[..<$0]) } ?? address
    let draws = draws(text)
    let hue = draws.draw(0, below: 360)
    let sky = gradient(colour(hue, 62, 30), colour(hue + 40 + draws.draw(1, below: 60), 70, 64), 200, 300)
    let sun = circle(
      40 + draws.draw(2, below: 120), 60 + draws.draw(3, below: 60), 18 + draws.draw(4, below: 34),
      "fill=\"\(colour(hue + 180, 85, 82))\" opacity=\"0.9\"")
    let hills = (0..<3).map { number -> String in
      let (top, peak) = (150 + 26 * number, 10 + draws.draw(5 + number, below: 180))
      let rise = 20 + draws.draw(10 + number, below: 60)
      let paint = "fill=\"\(colour(hue + 20, 50, 26 - 7 * number))\" opacity=\"0.85\""
      return "<path d=\"M0 \(top)L\(peak) \(top - rise)L200 \(top + 10)V300H0Z\" \(paint)/>"
    }
    let words = (text.split(separator: "/").last ?? "").split(separator: "_").filter { !$0.isEmpty }
    let lines = words.prefix(6).reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < 11 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    let size = min(30, 300 / max(8, lines.map(\.count).max() ?? 0))
    let title = lines.enumerated().map { number, line in
      let y = 284 - (lines.count - 1 - number) * size * 11 / 10
      let shown = line.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " " || $0 == "-") }
      return "<text x=\"100\" y=\"\(y)\">\(shown)</text>"
    }
    return drawing(
      200, 300,
      """
      \(sky)\(sun)\(hills.joined())<g fill="white" font-family="sans-serif" font-weight="800" font-size="\(size)" \
      text-anchor="middle">\(title.joined())</g>
      """)
  }

  private static func cover(_ text: String) -> String {
    let draws = draws(text)
    let hue = draws.draw(0, below: 360)
    let paint = "fill=\"none\" stroke=\"\(colour(hue + 60, 80, 82))\" stroke-width=\"\(3 + draws.draw(1, below: 8))\""
    let (x, y, step) = (draws.draw(2, below: 300), draws.draw(3, below: 300), 24 + draws.draw(4, below: 20))
    let shapes = (1...7).map { number -> String in
      switch draws.draw(5, below: 3) {
      case 0: circle(x, y, number * step, paint)
      case 1: "<path d=\"M\(number * 50 - 60) 310L\(x) \(y)\" \(paint)/>"
      default:
        """
        <rect x="\(x - number * step)" y="\(y - number * step)" width="\(2 * number * step)" \
        height="\(2 * number * step)" transform="rotate(\(number * 9) \(x) \(y))" \(paint)/>
        """
      }
    }
    let background = gradient(colour(hue, 70, 24), colour(hue + 50, 72, 52), 300, 300)
    return drawing(300, 300, background + shapes.joined())
  }

  private static let hues = [
    "normal": 40, "fire": 14, "water": 215, "electric": 50, "grass": 110, "ice": 180, "fighting": 2, "poison": 300,
    "ground": 35, "flying": 255, "psychic": 340, "bug": 70, "rock": 45, "ghost": 270, "dragon": 262, "dark": 25,
    "steel": 225, "fairy": 325,
  ]

  private static let paleTypes: Set = ["normal", "rock", "dark", "steel"]

  private static func paint(_ id: Int, _ draws: Draws) -> (hue: Int, saturation: Int) {
    let document = PokeWorld.shared.document(PokeAPIAddress("pokemon", id)).flatMap { JSONTree($0) }
    let type = document?["types"]?.elements.first?["type"]?.text("name") ?? ""
    let hue = (hues[type] ?? draws.draw(0, below: 360)) + draws.draw(1, below: 14)
    return (hue, paleTypes.contains(type) ? 26 : 68)
  }

  private static func creature(_ id: Int, _ kinds: Set<String>) -> String {
    let draws = draws("creature \(id)")
    var (hue, saturation) = paint(id, draws)
    if kinds.contains("shiny") { hue += 150 }
    let body = "fill=\"\(colour(hue, saturation, 56))\" stroke=\"\(colour(hue, 60, 26))\" stroke-width=\"4\""
    let (width, height) = (44 + draws.draw(2, below: 18), 40 + draws.draw(3, below: 18))
    let (head, top) = (34 + draws.draw(4, below: 14), 96 - draws.draw(5, below: 16))
    let ear = 16 + draws.draw(6, below: 40)
    let ears = [-1, 1].map { side in
      let x = 100 + side * (head - 12)
      return draws.draw(7, below: 2) == 0
        ? "<path d=\"M\(x - 12) \(top - 12)L\(x + side * 12) \(top - head - ear)L\(x + 12) \(top - 8)Z\" \(body)/>"
        : circle(100 + side * head, top - head + 10, 8 + ear / 4, body)
    }
    let tail = "<path d=\"M\(100 + width - 8) 150q40 10 30 \(-30 - ear)q-24 20 -44 \(10 + ear)z\" \(body)/>"
    let feet = [-1, 1].map { side in
      "<ellipse cx=\"\(100 + side * 24)\" cy=\"184\" rx=\"20\" ry=\"10\" \(body)/>"
    }
    let belly = """
      <ellipse cx="100" cy="146" rx="\(width * 3 / 5)" ry="\(height * 3 / 5)" fill="\(colour(hue + 20, 70, 84))"/>
      """
    let eyes = [-1, 1].map { side in
      circle(100 + side * 14, top - 2, 6, "fill=\"black\"") + circle(102 + side * 14, top - 5, 2, "fill=\"white\"")
    }
    let bow = "<path d=\"M100 \(top - head)l-18 -12v22zl18 -12v22z\" fill=\"\(colour(hue + 160, 80, 60))\"/>"
    return drawing(
      200, 200,
      """
      \(tail)\(feet.joined())<ellipse cx="100" cy="140" rx="\(width)" ry="\(height)" \(body)/>\(belly)\
      \(ears.joined())\(circle(100, top, head, body))\(eyes.joined())\
      <path d="M92 \(top + 12)q8 8 16 0" fill="none" stroke="black" stroke-width="3"/>\
      \(kinds.contains("female") ? bow : "")
      """)
  }
}
