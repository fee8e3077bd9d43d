struct JikanLabel: Sendable {
  let text: JSONFragment
  let parameter: String
  /// The number of rows with this label per 1,000 rows.
  let share: Int

  init(_ text: JSONFragment, _ parameter: String, _ share: Int) {
    self.text = text
    self.parameter = parameter
    self.share = share
  }

  static func weighted(_ labels: [JikanLabel], _ drawn: Int) -> JikanLabel {
    var rest = drawn
    for label in labels.dropLast() {
      if rest < label.share { return label }
      rest -= label.share
    }
    return labels[labels.count - 1]
  }
}

extension [JikanLabel] {
  static let animeTypes: [JikanLabel] = [
    JikanLabel("TV", "tv", 290), JikanLabel("Movie", "movie", 170), JikanLabel("OVA", "ova", 150),
    JikanLabel("ONA", "ona", 150), JikanLabel("Special", "special", 90), JikanLabel("Music", "music", 80),
    JikanLabel("TV Special", "tv_special", 30), JikanLabel("PV", "pv", 25), JikanLabel("CM", "cm", 15),
  ]

  static let mangaTypes: [JikanLabel] = [
    JikanLabel("Manga", "manga", 620), JikanLabel("One-shot", "oneshot", 130), JikanLabel("Doujinshi", "doujin", 60),
    JikanLabel("Light Novel", "lightnovel", 70), JikanLabel("Manhwa", "manhwa", 60), JikanLabel("Novel", "novel", 30),
    JikanLabel("Manhua", "manhua", 25), JikanLabel("OEL", "", 5),
  ]

  static let ratings: [JikanLabel] = [
    JikanLabel("PG-13 - Teens 13 or older", "pg13", 400), JikanLabel("G - All Ages", "g", 300),
    JikanLabel("PG - Children", "pg", 120), JikanLabel("R - 17+ (violence & profanity)", "r17", 90),
    JikanLabel("R+ - Mild Nudity", "r", 40), JikanLabel("Rx - Hentai", "rx", 50),
  ]
}
