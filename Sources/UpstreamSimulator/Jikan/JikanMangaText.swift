/// The members of a manga row.
extension JSONText {
  /// Appends everything after the images.
  mutating func jikanMangaMembers(_ row: JikanRow, _ titles: JikanTitles) {
    jikanTitles(row, titles)
    raw(#","type":"#)
    quoted(row.type?.text.escaped)
    let isKnown = row.status == .finished || row.status == .discontinued
    raw(#","chapters":"#)
    int(isKnown ? 1 + row.draw(.episodes, below: 240) : nil)
    raw(#","volumes":"#)
    int(isKnown && !row.chance(.volumes, perMille: 150) ? 1 + row.draw(.volumes, plus: 1, below: 40) : nil)
    raw(#","status":"#)
    quoted(row.statusLabel)
    raw(#","publishing":"#)
    bool(row.status == .current)
    raw(#","published":"#)
    JikanDates(row).write(to: &self)
    raw(#","score":"#)
    hundredths(row.score)
    raw(#","scored":"#)
    hundredths(row.score)
    jikanCounters(row)
    jikanTexts(row)
    jikanEntities(#","authors":["#, "people", row, .authors, JikanVocabulary.people, most: 2)
    jikanEntities(#","serializations":["#, "magazine", row, .serializations, JikanVocabulary.magazines, most: 1)
    jikanGenres(row)
  }
}
