/// The trees of picture addresses.
enum PokeSprites {
  private static let root = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon"

  private static let sides = [
    "back_default", "back_female", "back_shiny", "back_shiny_female", "front_default", "front_female", "front_shiny",
    "front_shiny_female",
  ]
  private static let fronts = ["front_default", "front_female", "front_shiny", "front_shiny_female"]
  private static let gray = [
    "back_default", "back_gray", "back_transparent", "front_default", "front_gray", "front_transparent",
  ]
  private static let old = ["back_default", "back_shiny", "front_default", "front_shiny", "front_transparent"]
  private static let crystal = [
    "back_default", "back_shiny", "back_shiny_transparent", "back_transparent", "front_default", "front_shiny",
    "front_shiny_transparent", "front_transparent",
  ]
  private static let plain = ["back_default", "back_shiny", "front_default", "front_shiny"]
  private static let icon = ["front_default", "front_female"]

  /// By generation and games; the last generation whose Pokémon are shown there.
  private static let versions: [(generation: String, newest: Int, games: [(String, [String])])] = [
    ("generation-i", 151, [("red-blue", gray), ("yellow", gray)]),
    ("generation-ii", 251, [("crystal", crystal), ("gold", old), ("silver", old)]),
    (
      "generation-iii", 386,
      [("emerald", ["front_default", "front_shiny"]), ("firered-leafgreen", plain), ("ruby-sapphire", plain)]
    ),
    ("generation-iv", 493, [("diamond-pearl", sides), ("heartgold-soulsilver", sides), ("platinum", sides)]),
    ("generation-ix", 1025, [("scarlet-violet", icon)]),
    ("generation-v", 649, [("black-white", sides)]),
    ("generation-vi", 721, [("omegaruby-alphasapphire", fronts), ("x-y", fronts)]),
    ("generation-vii", 809, [("icons", icon), ("ultra-sun-ultra-moon", fronts)]),
    ("generation-viii", 1025, [("brilliant-diamond-shining-pearl", icon), ("icons", icon)]),
  ]

  static func pokemon(_ id: Int, hasFemale: Bool) -> PokeJSON {
    let other: PokeJSON = [
      "dream_world": pictures(["front_default", "front_female"], "other/dream-world", id, hasFemale: false, "svg"),
      "home": pictures(fronts, "other/home", id, hasFemale: hasFemale),
      "official-artwork": pictures(["front_default", "front_shiny"], "other/official-artwork", id, hasFemale: false),
      "showdown": pictures(sides, "other/showdown", id, hasFemale: hasFemale, "gif"),
    ]
    let games = versions.map { generation, newest, games -> (String, PokeJSON) in
      let entries = games.map { name, kinds -> (String, PokeJSON) in
        let path = "versions/\(generation)/\(name)"
        let isShown = id <= newest
        guard generation == "generation-v" else {
          return (name, pictures(kinds, path, isShown ? id : nil, hasFemale: hasFemale))
        }
        let moving = pictures(sides, "\(path)/animated", isShown ? id : nil, hasFemale: hasFemale, "gif")
        let still = members(kinds, path, isShown ? id : nil, hasFemale: hasFemale)
        return (name, .object([("animated", moving)] + still))
      }
      return (generation, .object(entries))
    }
    let own = members(sides, nil, id, hasFemale: hasFemale)
    return .object(own + [("other", other), ("versions", .object(games))])
  }

  static func form(_ id: Int) -> PokeJSON {
    let versions: PokeJSON = [
      "generation-ix": [
        "scarlet-violet": pictures(icon, "versions/generation-ix/scarlet-violet", id, hasFemale: false)
      ],
      "generation-viii": [
        "brilliant-diamond-shining-pearl": pictures(
          icon, "versions/generation-viii/brilliant-diamond-shining-pearl", id, hasFemale: false)
      ],
    ]
    return .object(members(sides, nil, id, hasFemale: false) + [("versions", versions)])
  }

  private static func pictures(
    _ kinds: [String], _ path: String?, _ id: Int?, hasFemale: Bool, _ suffix: String = "png"
  ) -> PokeJSON {
    .object(members(kinds, path, id, hasFemale: hasFemale, suffix))
  }

  /// - Parameter id: nil for one that is not shown there.
  private static func members(
    _ kinds: [String], _ path: String?, _ id: Int?, hasFemale: Bool, _ suffix: String = "png"
  ) -> [(String, PokeJSON)] {
    kinds.map { kind in
      guard let id, hasFemale || !kind.hasSuffix("female") else { return (kind, .null) }
      // `back_shiny_female` is in `back/shiny/female`; front sprites have no separate folder.
      let folders = kind.split(separator: "_").filter { $0 != "front" && $0 != "default" }
      let parts = [path].compactMap(\.self) + folders.map { String($0) }
      return (kind, .string("\(root)/\(parts.map { "\($0)/" }.joined())\(id).\(suffix)"))
    }
  }
}
