/// The tables of genres, which come whole, without pages.
enum JikanGenres {
  private static let tables: [(filter: String, entities: [JikanVocabulary.Entity])] = [
    // As on the site, the explicit ones are here too: their numbers recur in the next table.
    ("genres", JikanVocabulary.animeGenres + JikanVocabulary.explicitGenres),
    ("explicit_genres", JikanVocabulary.explicitGenres),
    ("themes", JikanVocabulary.themes),
    ("demographics", JikanVocabulary.demographics),
  ]

  /// One table, or without a filter all of them one after the other.
  static func answer(
    _ kind: JikanKind, _ parameters: QueryParameters, _ settings: JikanSettings
  ) throws(JikanProblem) -> SimulatedAnswer {
    let filter = try JikanListQuery.choice("filter", of: tables.map(\.filter), parameters)
    var json = JSONText(capacity: 8000)
    json.raw(#"{"data":["#)
    var isFirst = true
    for table in tables where filter == nil || table.filter == filter {
      for entity in table.entities {
        if !isFirst { json.raw(",") }
        isFirst = false
        write(entity, kind, settings, to: &json)
      }
    }
    json.raw("]}")
    return .json(json.bytes, headers: [HeaderField("Cache-Control", "public, s-maxage=86400")])
  }

  private static func write(
    _ entity: JikanVocabulary.Entity, _ kind: JikanKind, _ settings: JikanSettings, to json: inout JSONText
  ) {
    json.raw(#"{"mal_id":"#)
    json.int(entity.number)
    json.raw(#","name":"#)
    json.quoted(entity.name)
    json.raw(#","url":"https:\/\/myanimelist.net\/"#)
    json.raw(kind == .anime ? "anime" : "manga")
    json.raw(#"\/genre\/"#)
    json.int(entity.number)
    json.raw(#"\/"#)
    json.text(entity.slug)
    json.raw(#"","count":"#)
    let draws = Draws(seed: settings.seed, stream: kind == .anime ? 7 : 8).of(entity.number)
    json.int(20 + draws.draw(0, below: 5000) + settings.revision)
    json.raw("}")
  }
}
