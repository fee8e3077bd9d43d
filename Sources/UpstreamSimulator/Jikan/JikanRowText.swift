/// The members both kinds of row have, in the order of the real ones.
extension JSONText {
  /// Appends a row as the API lists it.
  mutating func jikanRow(_ row: JikanRow) {
    let titles = JikanTitles(row)
    raw(#"{"mal_id":"#)
    int(row.malID)
    raw(#","url":"https:\/\/myanimelist.net\/"#)
    raw(row.kind == .anime ? "anime" : "manga")
    raw(#"\/"#)
    int(row.malID)
    raw(#"\/"#)
    raw(titles.slug)
    raw(#"","images":"#)
    jikanImages(row)
    switch row.kind {
    case .anime: jikanAnimeMembers(row, titles)
    case .manga: jikanMangaMembers(row, titles)
    }
    raw("}")
  }

  private mutating func jikanImages(_ row: JikanRow) {
    let (folder, file) = (1000 + row.draw(.image, below: 999), row.draw(.image, plus: 1, below: 199_999))
    var separator: StaticString = "{"
    for format in ["jpg", "webp"] as [StaticString] {
      raw(separator)
      raw(#"""#)
      raw(format)
      raw(#"":{"#)
      jikanImage(#""image_url":""#, row, folder, file, "", format)
      jikanImage(#"","small_image_url":""#, row, folder, file, "t", format)
      jikanImage(#"","large_image_url":""#, row, folder, file, "l", format)
      raw(#""}"#)
      separator = ","
    }
    raw("}")
  }

  private mutating func jikanImage(
    _ member: StaticString, _ row: JikanRow, _ folder: Int, _ file: Int, _ size: StaticString, _ format: StaticString
  ) {
    raw(member)
    raw(#"https:\/\/cdn.myanimelist.net\/images\/"#)
    raw(row.kind == .anime ? "anime" : "manga")
    raw(#"\/"#)
    int(folder)
    raw(#"\/"#)
    int(file)
    raw(size)
    raw(".")
    raw(format)
  }

  /// Appends `approved`, the list of titles and the single ones.
  mutating func jikanTitles(_ row: JikanRow, _ titles: JikanTitles) {
    raw(#","approved":"#)
    bool(row.isApproved)
    raw(#","titles":[{"type":"Default","title":"#)
    quoted(titles.main)
    for synonym in titles.synonyms {
      raw(#"},{"type":"Synonym","title":"#)
      quoted(synonym)
    }
    if let japanese = titles.japanese {
      raw(#"},{"type":"Japanese","title":"#)
      quoted(japanese)
    }
    if let english = titles.english {
      raw(#"},{"type":"English","title":"#)
      quoted(english)
    }
    if let french = titles.french {
      raw(#"},{"type":"French","title":"#)
      quoted(french)
    }
    raw(#"}],"title":"#)
    quoted(titles.main)
    raw(#","title_english":"#)
    quoted(titles.english)
    raw(#","title_japanese":"#)
    quoted(titles.japanese)
    raw(#","title_synonyms":["#)
    for (number, synonym) in titles.synonyms.enumerated() {
      if number > 0 { raw(",") }
      quoted(synonym)
    }
    raw("]")
  }

  /// Appends the counters from `scored_by` to `favorites`.
  mutating func jikanCounters(_ row: JikanRow) {
    raw(#","scored_by":"#)
    int(row.scoredBy)
    raw(#","rank":"#)
    int(row.rank)
    raw(#","popularity":"#)
    int(row.popularity)
    raw(#","members":"#)
    int(row.members)
    raw(#","favorites":"#)
    int(row.favorites)
  }

  /// Appends `synopsis` and `background`.
  mutating func jikanTexts(_ row: JikanRow) {
    raw(#","synopsis":"#)
    jikanSynopsis(row)
    raw(#","background":"#)
    switch row.draw(.background, below: 100) {
    case ..<45: raw("null")
    case ..<75: raw(#""""#)
    default:
      raw(#""The work "#)
      text(JikanSentences.background)
      text(JikanVocabulary.demographics[row.draw(.background, plus: 1, below: 5)].name)
      text(JikanSentences.backgroundEnd)
      raw(#"""#)
    }
  }

  private mutating func jikanSynopsis(_ row: JikanRow) {
    let length = row.draw(.synopsisLength, below: 100)
    guard length >= 3 else { return raw("null") }
    raw(#"""#)
    let count = length < 15 ? 0 : 4 + length % 8
    if count == 0 { text(JikanSentences.stub) }
    for number in 0..<count {
      if number > 0, number % 4 == 0 { text(JikanSentences.paragraph) }
      text(row.pick(.synopsis, plus: 3 * number, from: JikanSentences.beginnings))
      text(row.pick(.synopsis, plus: 3 * number + 1, from: JikanSentences.names))
      text(row.pick(.synopsis, plus: 3 * number + 2, from: JikanSentences.endings))
    }
    if row.chance(.synopsisExtra, perMille: 100) {
      text(row.pick(.synopsisExtra, plus: 1, from: JikanSentences.oddities))
    }
    if count > 0, length % 5 != 0 {
      text(JikanSentences.paragraph)
      text(JikanSentences.signature)
    }
    if row.edition > 0 {
      raw(" (Revised, edition ")
      int(row.edition)
      raw(")")
    }
    raw(#"""#)
  }

  /// Appends the genres, explicit genres, themes and demographics.
  mutating func jikanGenres(_ row: JikanRow) {
    let vocabulary = JikanVocabulary.self
    jikanEntities(#","genres":["#, "genre", row, .genres, vocabulary.animeGenres, most: 4)
    jikanEntities(
      #","explicit_genres":["#, "genre", row, .explicit, row.isExplicit ? vocabulary.explicitGenres : [], most: 1)
    jikanEntities(#","themes":["#, "genre", row, .themes, vocabulary.themes, most: 3)
    jikanEntities(#","demographics":["#, "genre", row, .demographics, vocabulary.demographics, most: 1)
  }

  /// Appends a list of up to `most` different names; `path` is the part of the address that says what they are.
  mutating func jikanEntities(
    _ member: StaticString, _ path: StaticString, _ row: JikanRow, _ aspect: JikanRow.Aspect,
    _ entities: [JikanVocabulary.Entity], most: Int
  ) {
    raw(member)
    let count = entities.isEmpty ? 0 : most == 1 && aspect == .explicit ? 1 : row.draw(aspect, below: most + 1)
    let first = entities.isEmpty ? 0 : row.draw(aspect, plus: 1, below: entities.count)
    for number in 0..<count {
      let entity = entities[(first + number * 5) % entities.count]
      if number > 0 { raw(",") }
      raw(#"{"mal_id":"#)
      int(entity.number)
      raw(#","type":""#)
      raw(aspect == .authors ? "people" : row.kind == .anime ? "anime" : "manga")
      raw(#"","name":"#)
      quoted(entity.name)
      raw(#","url":"https:\/\/myanimelist.net\/"#)
      if aspect != .authors { raw(row.kind == .anime ? #"anime\/"# : #"manga\/"#) }
      raw(path)
      raw(#"\/"#)
      int(entity.number)
      raw(#"\/"#)
      text(entity.slug)
      raw(#""}"#)
    }
    raw("]")
  }
}
