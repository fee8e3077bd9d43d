/// The members of an anime row.
extension JSONText {
  /// Appends everything after the images.
  mutating func jikanAnimeMembers(_ row: JikanRow, _ titles: JikanTitles) {
    let (type, dates) = (row.type?.parameter ?? "", JikanDates(row))
    jikanTrailer(row)
    jikanTitles(row, titles)
    raw(#","type":"#)
    quoted(row.type?.text.escaped)
    raw(#","source":"#)
    quoted(row.pick(.source, from: JikanVocabulary.sources))
    raw(#","episodes":"#)
    let isSeries = ["tv", "ona", "ova"].contains(type)
    let isOpen = row.status != .finished
    int(isOpen ? nil : isSeries ? 1 + row.draw(.episodes, below: type == "tv" ? 52 : 12) : 1)
    raw(#","status":"#)
    quoted(row.statusLabel)
    raw(#","airing":"#)
    bool(row.status == .current)
    raw(#","aired":"#)
    dates.write(to: &self)
    raw(#","duration":""#)
    jikanDuration(row, isSeries: isSeries)
    raw(#"","rating":"#)
    if let rating = row.rating { quoted(rating.text) } else { raw("null") }
    raw(#","score":"#)
    hundredths(row.score)
    jikanCounters(row)
    jikanTexts(row)
    jikanSeason(row, isTelevision: type == "tv", from: dates.from)
    let companies = JikanVocabulary.companies
    jikanEntities(#","producers":["#, "producer", row, .producers, companies, most: 4)
    jikanEntities(#","licensors":["#, "producer", row, .licensors, companies, most: 2)
    jikanEntities(#","studios":["#, "producer", row, .studios, companies, most: 2)
    jikanGenres(row)
  }

  private mutating func jikanTrailer(_ row: JikanRow) {
    raw(#","trailer":{"youtube_id":"#)
    guard row.chance(.trailer, perMille: 450) else {
      raw(#"null,"url":null,"embed_url":null,"images":{"image_url":null,"small_image_url":null,"#)
      return raw(#""medium_image_url":null,"large_image_url":null,"maximum_image_url":null}}"#)
    }
    let name = (0..<11).map { Self.trailerAlphabet[row.draw(.trailer, plus: $0, below: 64)] }
    quoted(name)
    raw(#","url":"https:\/\/www.youtube.com\/watch?v="#)
    raw(name)
    raw(#"","embed_url":"https:\/\/www.youtube.com\/embed\/"#)
    raw(name)
    raw(#"?enablejsapi=1&wmode=opaque&autoplay=1","images":{"image_url"#)
    for (member, file) in Self.trailerImages {
      raw(member)
      raw(#"":"https:\/\/img.youtube.com\/vi\/"#)
      raw(name)
      raw(file)
    }
    raw("}}")
  }

  private static let trailerAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let trailerImages: [(member: StaticString, file: StaticString)] = [
    ("", #"\/default.jpg""#), (#","small_image_url"#, #"\/sddefault.jpg""#),
    (#","medium_image_url"#, #"\/mqdefault.jpg""#), (#","large_image_url"#, #"\/hqdefault.jpg""#),
    (#","maximum_image_url"#, #"\/maxresdefault.jpg""#),
  ]

  /// Appends the text of a duration: free form, as typed by hand.
  private mutating func jikanDuration(_ row: JikanRow, isSeries: Bool) {
    let drawn = row.draw(.duration, below: 1000)
    switch drawn {
    case ..<30: return raw("Unknown")
    case ..<60:
      int(15 + drawn % 45)
      raw(" sec")
    default:
      let minutes = row.type?.parameter == "movie" ? 20 + drawn % 130 : isSeries ? 3 + drawn % 27 : 1 + drawn % 60
      if minutes >= 60 {
        int(minutes / 60)
        raw(" hr")
      }
      if minutes % 60 != 0 {
        if minutes >= 60 { raw(" ") }
        int(minutes % 60)
        raw(" min")
      }
    }
    if isSeries { raw(" per ep") }
  }

  /// Appends `season`, `year` and `broadcast`, which only television has.
  private mutating func jikanSeason(_ row: JikanRow, isTelevision: Bool, from: JikanDates.Day?) {
    guard isTelevision, let from else {
      raw(#","season":null,"year":null,"broadcast":{"day":null,"time":null,"timezone":null,"string":"#)
      return raw(isTelevision ? #""Unknown"}"# : "null}")
    }
    raw(#","season":""#)
    raw(Array(JikanSeason.names[(from.month - 1) / 3].utf8))
    raw(#"","year":"#)
    int(from.year)
    guard let weekday = row.broadcastDay(from: from) else {
      return raw(#","broadcast":{"day":null,"time":null,"timezone":null,"string":"Unknown"}"#)
    }
    let day = JikanVocabulary.weekdays[weekday]
    let (hour, minute) = (row.draw(.broadcast, plus: 501, below: 24), row.draw(.broadcast, plus: 502, below: 12) * 5)
    raw(#","broadcast":{"day":"#)
    quoted(day)
    raw(#","time":""#)
    jikanTime(hour, minute)
    raw(#"","timezone":"Asia\/Tokyo","string":""#)
    text(day)
    raw(" at ")
    jikanTime(hour, minute)
    raw(#" (JST)"}"#)
  }

  private mutating func jikanTime(_ hour: Int, _ minute: Int) {
    twoDigits(hour)
    raw(":")
    twoDigits(minute)
  }
}
