extension JikanRow {
  var json: SimulatedJSON {
    let titles = SimulatedTitles(self)
    return #"""
      {"mal_id":\#(malID),\#
      "url":"https:\/\/myanimelist.net\/\#(text: kind.rawValue)\/\#(malID)\/\#(text: titles.slug)","images":\#(images(titles)),\#
      \#(kind == .anime ? anime(titles) : manga(titles)),"genres":\#(genres(.genres, JikanVocabulary.animeGenres, 4)),\#
      "explicit_genres":\#(genres(.explicit, isExplicit ? JikanVocabulary.explicitGenres : [], 1)),\#
      "themes":\#(genres(.themes, JikanVocabulary.themes, 3)),\#
      "demographics":\#(genres(.demographics, JikanVocabulary.demographics, 1))}
      """#
  }

  private func anime(_ titles: SimulatedTitles) -> SimulatedJSON {
    let (label, dates) = (type?.parameter ?? "", JikanDates(self))
    let isSeries = ["tv", "ona", "ova"].contains(label)
    let episodes = status != .finished ? nil : isSeries ? 1 + draw(.episodes, below: label == "tv" ? 52 : 12) : 1
    return #"""
      "trailer":\#(trailer),\#(titled(titles)),"type":\#(type?.text),\#
      "source":\#(pick(.source, from: JikanVocabulary.sources)),"episodes":\#(episodes),"status":\#(statusLabel),\#
      "airing":\#(status == .current),"aired":\#(dates.json),"duration":\#(duration(isSeries: isSeries)),\#
      "rating":\#(rating?.text),"score":\#(.hundredths(score)),\#(counters),\#(texts),\#
      \#(season(isTelevision: label == "tv", from: dates.from)),\#
      "producers":\#(entities("producer", .producers, JikanVocabulary.companies, 4)),\#
      "licensors":\#(entities("producer", .licensors, JikanVocabulary.companies, 2)),\#
      "studios":\#(entities("producer", .studios, JikanVocabulary.companies, 2))
      """#
  }

  private func manga(_ titles: SimulatedTitles) -> SimulatedJSON {
    let isKnown = status == .finished || status == .discontinued
    let chapters = isKnown ? 1 + draw(.episodes, below: 240) : nil
    let volumes = isKnown && !chance(.volumes, perMille: 150) ? 1 + draw(.volumes, plus: 1, below: 40) : nil
    return #"""
      \#(titled(titles)),"type":\#(type?.text),"chapters":\#(chapters),"volumes":\#(volumes),"status":\#(statusLabel),\#
      "publishing":\#(status == .current),"published":\#(JikanDates(self).json),"score":\#(.hundredths(score)),\#
      "scored":\#(.hundredths(score)),\#(counters),\#(texts),\#
      "authors":\#(entities("people", .authors, JikanVocabulary.people, 2)),\#
      "serializations":\#(entities("magazine", .serializations, JikanVocabulary.magazines, 1))
      """#
  }

  private func images(_ titles: SimulatedTitles) -> SimulatedJSON {
    let folder = 1000 + draw(.image, below: 999)
    let number = JSONFragment("\(draw(.image, plus: 1, below: 199_999))")
    let file = hasTitledPicture ? titles.slug + "_" : number
    let address = JSONFragment("https://cdn.myanimelist.net/images/\(kind.rawValue)/\(folder)/") + file
    func sizes(_ format: String) -> SimulatedJSON {
      #"""
      {"image_url":"\#(text: address).\#(text: format)","small_image_url":"\#(text: address)t.\#(text: format)",\#
      "large_image_url":"\#(text: address)l.\#(text: format)"}
      """#
    }
    return #"{"jpg":\#(sizes("jpg")),"webp":\#(sizes("webp"))}"#
  }

  private var trailer: SimulatedJSON {
    guard chance(.trailer, perMille: 450) else {
      return #"""
        {"youtube_id":null,"url":null,"embed_url":null,"images":{"image_url":null,"small_image_url":null,\#
        "medium_image_url":null,"large_image_url":null,"maximum_image_url":null}}
        """#
    }
    let id = String(decoding: (0..<11).map { Self.trailerAlphabet[draw(.trailer, plus: $0, below: 64)] }, as: UTF8.self)
    let still = #"https:\/\/img.youtube.com\/vi\/\#(id)\/"#
    return #"""
      {"youtube_id":\#(id),"url":"https:\/\/www.youtube.com\/watch?v=\#(text: id)",\#
      "embed_url":"https:\/\/www.youtube.com\/embed\/\#(text: id)?enablejsapi=1&wmode=opaque&autoplay=1",\#
      "images":{"image_url":"\#(text: still)default.jpg","small_image_url":"\#(text: still)sddefault.jpg",\#
      "medium_image_url":"\#(text: still)mqdefault.jpg","large_image_url":"\#(text: still)hqdefault.jpg",\#
      "maximum_image_url":"\#(text: still)maxresdefault.jpg"}}
      """#
  }

  private static let trailerAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private func titled(_ titles: SimulatedTitles) -> SimulatedJSON {
    var all: [(type: String, title: JSONFragment?)] = [("Default", titles.main)]
    for synonym in titles.synonyms { all.append(("Synonym", synonym)) }
    all += [("Japanese", titles.japanese), ("English", titles.english), ("French", titles.french)]
    let list = all.filter { $0.title != nil }.map { type, title -> SimulatedJSON in
      #"{"type":\#(type),"title":\#(title)}"#
    }
    let synonyms = titles.synonyms.map { synonym -> SimulatedJSON in "\(synonym)" }
    return #"""
      "approved":\#(isApproved),"titles":\#(.array(list)),"title":\#(titles.main),"title_english":\#(titles.english),\#
      "title_japanese":\#(titles.japanese),"title_synonyms":\#(.array(synonyms))
      """#
  }

  private func duration(isSeries: Bool) -> String {
    let drawn = draw(.duration, below: 1000)
    let suffix = isSeries ? " per ep" : ""
    if drawn < 30 { return "Unknown" }
    if drawn < 60 { return "\(15 + drawn % 45) sec\(suffix)" }
    let minutes = type?.parameter == "movie" ? 20 + drawn % 130 : isSeries ? 3 + drawn % 27 : 1 + drawn % 60
    let parts = [minutes >= 60 ? "\(minutes / 60) hr" : nil, minutes % 60 != 0 ? "\(minutes % 60) min" : nil]
    return parts.compactMap(\.self).joined(separator: " ") + suffix
  }

  private func season(isTelevision: Bool, from: JikanDates.Day?) -> SimulatedJSON {
    let none: SimulatedJSON = #""broadcast":{"day":null,"time":null,"timezone":null,"string":"#
    guard isTelevision, let from else {
      let string = isTelevision ? "Unknown" : nil
      return #""season":null,"year":null,\#(none)\#(string)}"#
    }
    let season: SimulatedJSON = #""season":\#(SimulatedSeason.names[(from.month - 1) / 3]),"year":\#(from.year)"#
    guard let weekday = broadcastDay(from: from) else { return #"\#(season),\#(none)"Unknown"}"# }
    let day = JikanVocabulary.weekdays[weekday]
    let (hour, minute) = (draw(.broadcast, plus: 501, below: 24), draw(.broadcast, plus: 502, below: 12) * 5)
    let time = "\(JikanDates.twoDigits(hour)):\(JikanDates.twoDigits(minute))"
    return #"""
      \#(season),"broadcast":{"day":\#(day),"time":\#(time),"timezone":"Asia\/Tokyo",\#
      "string":"\#(text: day) at \#(text: time) (JST)"}
      """#
  }

  private var counters: SimulatedJSON {
    #"""
    "scored_by":\#(scoredBy),"rank":\#(rank),"popularity":\#(popularity),"members":\#(members),"favorites":\#(favorites)
    """#
  }

  private var texts: SimulatedJSON {
    let background: SimulatedJSON =
      switch draw(.background, below: 100) {
      case ..<45: .null
      case ..<75: #""""#
      default:
        #"""
        "The work \#(text: JikanSentences.background)\#
        \#(text: JikanVocabulary.demographics[draw(.background, plus: 1, below: 5)].name)\#
        \#(text: JikanSentences.backgroundEnd)"
        """#
      }
    return #""synopsis":\#(synopsis),"background":\#(background)"#
  }

  private var synopsis: JSONFragment? {
    let length = draw(.synopsisLength, below: 100)
    guard length >= 3 else { return nil }
    let count = length < 15 ? 0 : 4 + length % 8
    var parts = count == 0 ? [JikanSentences.stub] : []
    for number in 0..<count {
      if number > 0, number % 4 == 0 { parts.append(JikanSentences.paragraph) }
      parts.append(pick(.synopsis, plus: 3 * number, from: JikanSentences.beginnings))
      parts.append(pick(.synopsis, plus: 3 * number + 1, from: JikanSentences.names))
      parts.append(pick(.synopsis, plus: 3 * number + 2, from: JikanSentences.endings))
    }
    if chance(.synopsisExtra, perMille: 100) {
      parts.append(pick(.synopsisExtra, plus: 1, from: JikanSentences.oddities))
    }
    if count > 0, length % 5 != 0 { parts += [JikanSentences.paragraph, JikanSentences.signature] }
    if edition > 0 { parts.append(JSONFragment(" (Revised, edition \(edition))")) }
    return JSONFragment(escaped: parts.flatMap(\.escaped))
  }

  private func genres(_ aspect: Aspect, _ entities: [JikanVocabulary.Entity], _ most: Int) -> SimulatedJSON {
    self.entities("genre", aspect, entities, most)
  }

  private func entities(
    _ path: String, _ aspect: Aspect, _ entities: [JikanVocabulary.Entity], _ most: Int
  ) -> SimulatedJSON {
    guard !entities.isEmpty else { return "[]" }
    let count = aspect == .explicit ? 1 : draw(aspect, below: most + 1)
    let first = draw(aspect, plus: 1, below: entities.count)
    let (type, folder) = aspect == .authors ? ("people", "") : (kind.rawValue, #"\#(kind.rawValue)\/"#)
    return .array(
      (0..<count).map { number -> SimulatedJSON in
        let entity = entities[(first + number * 5) % entities.count]
        return #"""
          {"mal_id":\#(entity.number),"type":\#(type),"name":\#(entity.name),\#
          "url":"https:\/\/myanimelist.net\/\#(text: folder)\#(text: path)\/\#(entity.number)\/\#(text: entity.slug)"}
          """#
      })
  }
}
