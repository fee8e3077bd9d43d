enum JikanVocabulary {
  struct Word: Sendable {
    let romaji, japanese, english: JSONFragment

    init(_ romaji: String, _ japanese: String, _ english: String) {
      self.romaji = .init(romaji)
      self.japanese = .init(japanese)
      self.english = .init(english)
    }
  }

  static let words: [Word] = """
    Hoshi/星/Star;Tsuki/月/Moon;Taiyou/太陽/Sun;Kaze/風/Wind;Umi/海/Sea;Sora/空/Sky;Hana/花/Flower;Sakura/桜/Cherry Blossom;\
    Yuki/雪/Snow;Ame/雨/Rain;Kagami/鏡/Mirror;Tobira/扉/Door;Kioku/記憶/Memory;Yume/夢/Dream;Yakusoku/約束/Promise;\
    Tabi/旅/Journey;Mahou/魔法/Magic;Maou/魔王/Demon King;Yuusha/勇者/Hero;Kishi/騎士/Knight;Hime/姫/Princess;Ryuu/竜/Dragon;\
    Ookami/狼/Wolf;Kitsune/狐/Fox;Neko/猫/Cat;Karasu/烏/Crow;Tetsu/鉄/Iron;Ginga/銀河/Galaxy;Toshi/都市/City;Mori/森/Forest;\
    Shima/島/Island;Toshokan/図書館/Library;Gakuen/学園/Academy;Houkago/放課後/After School;Natsu/夏/Summer;Fuyu/冬/Winter;\
    Kodou/鼓動/Heartbeat;Senshi/戦士/Warrior;Kikai/機械/Machine;Ningyou/人形/Doll;Kage/影/Shadow;Hikari/光/Light;\
    Honoo/炎/Flame;Koe/声/Voice;Uta/歌/Song;Tegami/手紙/Letter;Machi/町/Town;Isekai/異世界/Other World
    """.split(separator: ";").map { entry in
      let words = entry.split(separator: "/").map { String($0) }
      return Word(words[0], words[1], words[2])
    }

  static let joints: [Word] = [
    Word(" no ", "の", " of the "), Word(" to ", "と", " and the "), Word(" ", "", " "), Word(": ", "：", ": "),
    Word(" wa ", "は", " Is the "), Word(" e no ", "への", " to the "),
  ]

  static let suffixes: [Word] = [
    Word(" 2nd Season", " 第2期", " Season 2"), Word(" II", " II", " II"), Word(" Movie", " 劇場版", " The Movie"),
    Word(": Kanketsu-hen", " 完結編", ": The Final Chapter"), Word(" (TV)", "", " (TV)"),
    Word(" Specials", " 特典映像", " Specials"),
  ]

  static let ornaments: [JSONFragment] = ["\u{1F338}", "\u{200B}", "\u{2661}", "\u{2605}", "\u{20BB7}"]

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

  private static func entities(_ text: String) -> [Entity] {
    text.split(separator: ";").map { entry in
      let parts = entry.split(separator: "|").map { String($0) }
      return Entity(Int(parts[0]) ?? 0, parts[1], slug: parts.count > 2 ? parts[2] : nil)
    }
  }

  static let companies = entities(
    """
    17|Aoba Pictures;53|Mikazuki Media;62|Kumo Productions;104|Lantern Works;143|Hoshikuzu Broadcasting;\
    245|TV Minato;311|Kawasemi Animation;415|Yamabiko Sound;490|North Pier;751|Marble & Co.|Marble___Co;\
    1003|Nagisa Television Network;1143|Studio Tsubame;1211|Kirin Publishing;1365|Sakaba Records;1430|Shirokuma;\
    1468|Tidewater Streaming;1696|Fuji-no-Ki|Fuji-no-Ki;2012|AC/Next|AC_Next
    """)

  static let animeGenres = entities(
    """
    1|Action;2|Adventure;4|Comedy;8|Drama;10|Fantasy;22|Romance;24|Sci-Fi;36|Slice of Life;30|Sports;\
    37|Supernatural;7|Mystery;46|Award Winning
    """)

  static let themes = entities(
    """
    62|Isekai;23|School;38|Military;18|Mecha;19|Music;13|Historical;40|Psychological;72|Reincarnation;\
    66|Mahou Shoujo;29|Space
    """)

  static let demographics = entities("27|Shounen;42|Seinen;25|Shoujo;43|Josei;15|Kids")

  static let explicitGenres = entities("12|Hentai;49|Erotica")

  static let magazines = entities(
    """
    8|Shounen Minato (Weekly)|Shounen_Minato_Weekly;83|Gekkan Kumo|Gekkan_Kumo;121|Hana to Hoshi;207|Young Tsubame;\
    384|Lantern Comics;673|Tide Webtoon
    """)

  static let people = entities(
    """
    1867|Asakura, Rin|Rin_Asakura;2318|Hoshino, Tooru|Tooru_Hoshino;2619|Kurosawa, Mio|Mio_Kurosawa;\
    5881|Shirakawa, Yuu|Yuu_Shirakawa;11705|Minase, Kaoru|Kaoru_Minase;35347|Tachibana, Jun|Jun_Tachibana;\
    59186|Ha, Eun-ji|Eun-ji_Ha;61275|N\u{F4}mura, Sae|Sae_N\u{F4}mura
    """)

  static let sources: [JSONFragment] = [
    "Manga", "Original", "Light novel", "Novel", "Web manga", "Visual novel", "Game", "4-koma manga", "Music",
    "Picture book", "Book", "Card game", "Mixed media", "Other", "Unknown",
  ]

  static let weekdays = [
    "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays",
  ]

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
