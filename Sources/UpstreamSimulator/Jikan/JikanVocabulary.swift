/// The words and names the generated rows are made of.
enum JikanVocabulary {
  /// One notion in the three languages of a title.
  struct Word: Sendable {
    let romaji: JSONFragment
    let japanese: JSONFragment
    let english: JSONFragment

    init(_ romaji: String, _ japanese: String, _ english: String) {
      self.romaji = JSONFragment(romaji)
      self.japanese = JSONFragment(japanese)
      self.english = JSONFragment(english)
    }
  }

  static let words: [Word] = [
    Word("Hoshi", "星", "Star"), Word("Tsuki", "月", "Moon"), Word("Taiyou", "太陽", "Sun"), Word("Kaze", "風", "Wind"),
    Word("Umi", "海", "Sea"), Word("Sora", "空", "Sky"), Word("Hana", "花", "Flower"),
    Word("Sakura", "桜", "Cherry Blossom"),
    Word("Yuki", "雪", "Snow"), Word("Ame", "雨", "Rain"), Word("Kagami", "鏡", "Mirror"), Word("Tobira", "扉", "Door"),
    Word("Kioku", "記憶", "Memory"), Word("Yume", "夢", "Dream"), Word("Yakusoku", "約束", "Promise"),
    Word("Tabi", "旅", "Journey"), Word("Mahou", "魔法", "Magic"), Word("Maou", "魔王", "Demon King"),
    Word("Yuusha", "勇者", "Hero"), Word("Kishi", "騎士", "Knight"), Word("Hime", "姫", "Princess"),
    Word("Ryuu", "竜", "Dragon"), Word("Ookami", "狼", "Wolf"), Word("Kitsune", "狐", "Fox"), Word("Neko", "猫", "Cat"),
    Word("Karasu", "烏", "Crow"), Word("Tetsu", "鉄", "Iron"), Word("Ginga", "銀河", "Galaxy"), Word("Toshi", "都市", "City"),
    Word("Mori", "森", "Forest"), Word("Shima", "島", "Island"), Word("Toshokan", "図書館", "Library"),
    Word("Gakuen", "学園", "Academy"), Word("Houkago", "放課後", "After School"), Word("Natsu", "夏", "Summer"),
    Word("Fuyu", "冬", "Winter"), Word("Kodou", "鼓動", "Heartbeat"), Word("Senshi", "戦士", "Warrior"),
    Word("Kikai", "機械", "Machine"), Word("Ningyou", "人形", "Doll"), Word("Kage", "影", "Shadow"),
    Word("Hikari", "光", "Light"), Word("Honoo", "炎", "Flame"), Word("Koe", "声", "Voice"), Word("Uta", "歌", "Song"),
    Word("Tegami", "手紙", "Letter"), Word("Machi", "町", "Town"), Word("Isekai", "異世界", "Other World"),
  ]

  /// What joins two words of a title.
  static let joints: [Word] = [
    Word(" no ", "の", " of the "), Word(" to ", "と", " and the "), Word(" ", "", " "), Word(": ", "：", ": "),
    Word(" wa ", "は", " Is the "), Word(" e no ", "への", " to the "),
  ]

  static let suffixes: [Word] = [
    Word(" 2nd Season", " 第2期", " Season 2"), Word(" II", " II", " II"), Word(" Movie", " 劇場版", " The Movie"),
    Word(": Kanketsu-hen", " 完結編", ": The Final Chapter"), Word(" (TV)", "", " (TV)"),
    Word(" Specials", " 特典映像", " Specials"),
  ]

  /// Marks seen in real titles: one outside the basic plane, a zero-width space, a heart.
  static let ornaments: [JSONFragment] = ["\u{1F338}", "\u{200B}", "\u{2661}", "\u{2605}", "\u{20BB7}"]

  /// A name with its number and its part of the address.
  struct Entity: Sendable {
    let number: Int
    let name: JSONFragment
    let slug: JSONFragment

    init(_ number: Int, _ name: String, slug: String? = nil) {
      self.number = number
      self.name = JSONFragment(name)
      self.slug = JSONFragment(slug ?? name.replacing(" ", with: "_"))
    }
  }

  static let companies: [Entity] = [
    Entity(17, "Aoba Pictures"), Entity(53, "Mikazuki Media"), Entity(62, "Kumo Productions"),
    Entity(104, "Lantern Works"),
    Entity(143, "Hoshikuzu Broadcasting"), Entity(245, "TV Minato"), Entity(311, "Kawasemi Animation"),
    Entity(415, "Yamabiko Sound"), Entity(490, "North Pier"), Entity(751, "Marble & Co.", slug: "Marble___Co"),
    Entity(1003, "Nagisa Television Network"), Entity(1143, "Studio Tsubame"), Entity(1211, "Kirin Publishing"),
    Entity(1365, "Sakaba Records"), Entity(1430, "Shirokuma"), Entity(1468, "Tidewater Streaming"),
    Entity(1696, "Fuji-no-Ki", slug: "Fuji-no-Ki"), Entity(2012, "AC/Next", slug: "AC_Next"),
  ]

  static let animeGenres: [Entity] = [
    Entity(1, "Action"), Entity(2, "Adventure"), Entity(4, "Comedy"), Entity(8, "Drama"), Entity(10, "Fantasy"),
    Entity(22, "Romance"), Entity(24, "Sci-Fi"), Entity(36, "Slice of Life"), Entity(30, "Sports"),
    Entity(37, "Supernatural"), Entity(7, "Mystery"), Entity(46, "Award Winning"),
  ]

  static let themes: [Entity] = [
    Entity(62, "Isekai"), Entity(23, "School"), Entity(38, "Military"), Entity(18, "Mecha"), Entity(19, "Music"),
    Entity(13, "Historical"), Entity(40, "Psychological"), Entity(72, "Reincarnation"), Entity(66, "Mahou Shoujo"),
    Entity(29, "Space"),
  ]

  static let demographics: [Entity] = [
    Entity(27, "Shounen"), Entity(42, "Seinen"), Entity(25, "Shoujo"), Entity(43, "Josei"), Entity(15, "Kids"),
  ]

  static let explicitGenres: [Entity] = [Entity(12, "Hentai"), Entity(49, "Erotica")]

  static let magazines: [Entity] = [
    Entity(8, "Shounen Minato (Weekly)", slug: "Shounen_Minato_Weekly"), Entity(83, "Gekkan Kumo", slug: "Gekkan_Kumo"),
    Entity(121, "Hana to Hoshi"), Entity(207, "Young Tsubame"), Entity(384, "Lantern Comics"),
    Entity(673, "Tide Webtoon"),
  ]

  static let people: [Entity] = [
    Entity(1867, "Asakura, Rin", slug: "Rin_Asakura"), Entity(2318, "Hoshino, Tooru", slug: "Tooru_Hoshino"),
    Entity(2619, "Kurosawa, Mio", slug: "Mio_Kurosawa"), Entity(5881, "Shirakawa, Yuu", slug: "Yuu_Shirakawa"),
    Entity(11705, "Minase, Kaoru", slug: "Kaoru_Minase"), Entity(35347, "Tachibana, Jun", slug: "Jun_Tachibana"),
    Entity(59186, "Ha, Eun-ji", slug: "Eun-ji_Ha"), Entity(61275, "N\u{F4}mura, Sae", slug: "Sae_N\u{F4}mura"),
  ]

  static let sources: [JSONFragment] = [
    "Manga", "Original", "Light novel", "Novel", "Web manga", "Visual novel", "Game", "4-koma manga", "Music",
    "Picture book", "Book", "Card game", "Mixed media", "Other", "Unknown",
  ]

  static let weekdays: [JSONFragment] = [
    "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays",
  ]

  static let months: [JSONFragment] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
