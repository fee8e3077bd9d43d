enum JikanGenres {
  private static let tables: [(filter: String, entities: [JikanVocabulary.Entity])] = [
    ("genres", JikanVocabulary.animeGenres + JikanVocabulary.explicitGenres),
    ("explicit_genres", JikanVocabulary.explicitGenres),
    ("themes", JikanVocabulary.themes),
    ("demographics", JikanVocabulary.demographics),
  ]

  static func answer(
    _ kind: SimulatedKind, _ parameters: QueryParameters, _ settings: JikanSettings
  ) throws(SimulatedJikanProblem) -> SimulatedAnswer {
    let filter = try JikanListQuery.choice("filter", of: tables.map(\.filter), parameters)
    let entities = tables.filter { filter == nil || $0.filter == filter }.flatMap(\.entities)
    let rows = entities.map { entity -> SimulatedJSON in
      let draws = Draws(seed: settings.seed, stream: kind == .anime ? 7 : 8).of(entity.number)
      let count = 20 + draws.draw(0, below: 5000) + settings.revision
      return #"""
        {"mal_id":\#(entity.number),"name":\#(entity.name),\#
        "url":"https:\/\/myanimelist.net\/\#(text: kind.rawValue)\/genre\/\#(entity.number)\/\#(text: entity.slug)",\#
        "count":\#(count)}
        """#
    }
    let body: SimulatedJSON = #"{"data":\#(.array(rows))}"#
    return .json(body.bytes, headers: [HeaderField("Cache-Control", "public, s-maxage=86400")])
  }
}
