enum PokeSprites {
  private static let root = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites"
  private static let fronts = "front_default front_female front_shiny front_shiny_female"
  private static let sides = "back_default back_female back_shiny back_shiny_female \(fronts)"
  private static let gray = "back_default back_gray back_transparent front_default front_gray front_transparent"
  private static let plain = "back_default back_shiny front_default front_shiny"
  private static let icon = "front_default front_female"
  private static let crystal =
    "\(plain) back_shiny_transparent back_transparent front_shiny_transparent front_transparent"

  private static let versions: [(generation: String, newest: Int, games: [(name: String, kinds: String)])] = [
    ("generation-i", 151, [("red-blue", gray), ("yellow", gray)]),
    (
      "generation-ii", 251,
      [("crystal", crystal), ("gold", "\(plain) front_transparent"), ("silver", "\(plain) front_transparent")]
    ),
    (
      "generation-iii", 386,
      [("emerald", "front_default front_shiny"), ("firered-leafgreen", plain), ("ruby-sapphire", plain)]
    ),
    ("generation-iv", 493, [("diamond-pearl", sides), ("heartgold-soulsilver", sides), ("platinum", sides)]),
    ("generation-ix", 1025, [("scarlet-violet", icon)]),
    ("generation-v", 649, [("black-white", sides)]),
    ("generation-vi", 721, [("omegaruby-alphasapphire", fronts), ("x-y", fronts)]),
    ("generation-vii", 809, [("icons", icon), ("ultra-sun-ultra-moon", fronts)]),
    ("generation-viii", 1025, [("brilliant-diamond-shining-pearl", icon), ("icons", icon)]),
  ]

  static func pokemon(_ id: Int, hasFemale: Bool) -> SimulatedJSON {
    func pictures(
      _ kinds: String, _ path: String, _ suffix: String = "png", female: Bool? = nil, newest: Int = .max
    ) -> [(String, SimulatedJSON?)] {
      members(kinds, path, id <= newest ? id : nil, hasFemale: female ?? hasFemale, suffix)
    }
    func folder(_ kind: String) -> String { "other/\(kind)/" }
    let other: SimulatedJSON = .object([
      ("dream_world", .object(pictures(icon, folder("dream-world"), "svg", female: false))),
      ("home", .object(pictures(fronts, folder("home")))),
      ("official-artwork", .object(pictures("front_default front_shiny", folder("official-artwork"), female: false))),
      ("showdown", .object(pictures(sides, folder("showdown"), "gif"))),
    ])
    let games = versions.map { generation, newest, games -> (String, SimulatedJSON?) in
      let entries = games.map { name, kinds -> (String, SimulatedJSON?) in
        let path = "versions/\(generation)/\(name)/"
        let moving = pictures(sides, "\(path)animated/", "gif", newest: newest)
        let still = pictures(kinds, path, newest: newest)
        return (name, .object(generation == "generation-v" ? [("animated", .object(moving))] + still : still))
      }
      return (generation, .object(entries))
    }
    return .object(pictures(sides, "") + [("other", other), ("versions", .object(games))])
  }

  static func form(_ id: Int) -> SimulatedJSON {
    let games = [("generation-ix", "scarlet-violet"), ("generation-viii", "brilliant-diamond-shining-pearl")]
    let versions = games.map { generation, game -> (String, SimulatedJSON?) in
      let pictures = members(icon, "versions/\(generation)/\(game)/", id, hasFemale: false)
      return (generation, .object([(game, .object(pictures))]))
    }
    return .object(members(sides, "", id, hasFemale: false) + [("versions", .object(versions))])
  }

  /// - Parameter id: Nil for pictures that do not exist.
  private static func members(
    _ kinds: String, _ path: String, _ id: Int?, hasFemale: Bool, _ suffix: String = "png"
  ) -> [(String, SimulatedJSON?)] {
    kinds.split(separator: " ").map { kind -> (String, SimulatedJSON?) in
      guard let id, hasFemale || !kind.hasSuffix("female") else { return (String(kind), .null) }
      // `back_shiny_female` is in `back/shiny/female`. Front sprites have no folder of their own.
      let folders = kind.split(separator: "_").filter { $0 != "front" && $0 != "default" }.map { "\($0)/" }.joined()
      return (String(kind), .string("\(root)/pokemon/\(path)\(folders)\(id).\(suffix)"))
    }
  }

  private static let icons: [(generation: String, games: String)] = [
    ("generation-iii", "colosseum emerald firered-leafgreen ruby-sapphire xd"),
    ("generation-iv", "diamond-pearl heartgold-soulsilver platinum"), ("generation-ix", "scarlet-violet"),
    ("generation-v", "black-2-white-2 black-white"), ("generation-vi", "omega-ruby-alpha-sapphire x-y"),
    ("generation-vii", "lets-go-pikachu-lets-go-eevee sun-moon ultra-sun-ultra-moon"),
    ("generation-viii", "brilliant-diamond-shining-pearl legends-arceus sword-shield"),
  ]

  static func type(_ id: Int) -> SimulatedJSON {
    .object(
      icons.map { generation, games -> (String, SimulatedJSON?) in
        let entries = games.split(separator: " ").map { game -> (String, SimulatedJSON?) in
          let address = "\(root)/types/\(generation)/\(game)"
          let hasSymbol = ["generation-viii", "generation-ix"].contains(generation) && id <= 18
          let icon = id > 18 ? nil : "\(address)/\(id).png"
          let symbol = hasSymbol ? "\(address)/small/\(id).png" : nil
          return (String(game), #"{"name_icon":\#(icon),"symbol_icon":\#(symbol)}"#)
        }
        return (generation, .object(entries))
      })
  }
}
