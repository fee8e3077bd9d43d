/// Members that are lists of texts.
extension PokeWorld {
  func language(_ id: Int) -> PokeJSON { link(.language, id) }

  /// What a thing is called, in those languages in which it is known.
  func names(_ kind: PokeKind, _ id: Int) -> PokeJSON {
    let name = name(kind, id)
    guard let known = PokeFacts.translations[kind]?[name], known.count == 3 else {
      let title = PokeNames.title(name)
      return names([(9, title), (5, title), (6, title)])
    }
    return names([(1, known[1]), (4, known[2]), (5, known[0]), (6, known[0]), (9, known[0]), (11, known[1])])
  }

  func names(_ names: [(language: Int, name: String)]) -> PokeJSON {
    .array(
      names.filter { !$0.name.isEmpty }.map { ["language": language($0.language), "name": .string($0.name)] })
  }

  func descriptions(_ draws: Draws) -> PokeJSON {
    .array([5, 6, 9].map { ["description": PokeText.short($0, draws), "language": language($0)] })
  }

  func effects(_ draws: Draws, _ languages: [Int] = [5, 9]) -> PokeJSON {
    .array(languages.map { ["effect": PokeText.effect($0, draws.of($0)), "language": language($0)] })
  }

  func verboseEffects(_ draws: Draws, _ languages: [Int] = [5, 6, 9]) -> PokeJSON {
    .array(
      languages.map {
        [
          "effect": PokeText.effect($0, draws.of($0)), "language": language($0),
          "short_effect": PokeText.short($0, draws.of($0)),
        ]
      })
  }

  func effectChanges(_ draws: Draws, since generation: Int) -> PokeJSON {
    guard draws.draw(90, below: 6) == 0 else { return [] }
    return [
      [
        "effect_entries": effects(draws, [9]),
        "version_group": link(.versionGroup, draws.pick(91, PokeGames.since(generation))),
      ]
    ]
  }

  /// One text for each group of games and language; in the first games in English alone.
  ///
  /// - Parameter text: the name of the member that holds it, which is not the same everywhere.
  func groupTexts(_ text: String, _ draws: Draws, since generation: Int, most: Int) -> PokeJSON {
    let groups = PokeGames.since(max(generation, 2)).prefix(draws.number(92, 1...most))
    return .array(
      groups.flatMap { group in
        let generation = PokeGames.group(group)?.generation ?? 1
        return (generation < 6 ? [9] : PokeText.languages).map { language -> PokeJSON in
          [
            text: PokeText.flavor(language, generation: generation, draws.of(group)),
            "language": self.language(language), "version_group": link(.versionGroup, group),
          ]
        }
      })
  }
}
