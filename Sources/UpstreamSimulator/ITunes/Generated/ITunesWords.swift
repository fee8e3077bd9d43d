/// Invented titles, names and genres in the languages of the stores.
enum ITunesWords {
  /// A title without further facts.
  static func title(_ draws: Draws, _ language: ITunesLanguage) -> String {
    func one(_ words: [String], _ aspect: Int) -> String { words[draws.draw(100 + aspect, below: words.count)] }
    // Another word than the first one.
    func second(_ words: [String]) -> String {
      let first = draws.draw(100, below: words.count)
      return words[(first + 1 + draws.draw(102, below: words.count - 1)) % words.count]
    }
    let form = draws.draw(99, below: 6)
    switch language {
    case .english:
      return switch form {
      case 0: one(nouns, 0)
      case 1: "\(one(adjectives, 1)) \(one(nouns, 0))"
      case 2: "\(one(nouns, 0)) of \(second(nouns))"
      case 3: "The \(one(adjectives, 1)) \(one(nouns, 0))"
      case 4: "\(one(nouns, 0)) & \(second(nouns))"
      default: "\(one(adjectives, 1)) \(one(nouns, 0)) (\(one(asides, 3)))"
      }
    case .japanese:
      return switch form {
      case 0: one(japaneseNouns, 0)
      case 1, 2: "\(one(japaneseAdjectives, 1))\(one(japaneseNouns, 0))"
      case 3: "\(one(japaneseNouns, 0))と\(second(japaneseNouns))"
      default: "\(one(japaneseNouns, 0))の\(second(japaneseNouns))"
      }
    case .chinese:
      return switch form {
      case 0, 1: one(chineseNouns, 0)
      case 2: "\(one(chineseAdjectives, 1))\(one(chineseNouns, 0))"
      case 3: "\(one(chineseNouns, 0))與\(second(chineseNouns))"
      default: "\(one(chineseAdjectives, 1))的\(one(chineseNouns, 0))"
      }
    }
  }

  /// A title with the words searched for in it.
  static func title(about term: String, _ draws: Draws, _ language: ITunesLanguage) -> String {
    func one(_ words: [String]) -> String { words[draws.draw(98, below: words.count)] }
    let isBehind = draws.draw(97, below: 2) == 1
    switch language {
    case .english: return isBehind ? "The \(one(adjectives)) \(term)" : "\(term) \(one(nouns))"
    case .japanese: return isBehind ? "\(one(japaneseAdjectives))\(term)" : "\(term)の\(one(japaneseNouns))"
    case .chinese: return isBehind ? "獻給\(term)的\(one(chineseNouns))" : "\(term)的\(one(chineseNouns))"
    }
  }

  /// The name of a person or a group.
  static func name(_ draws: Draws, _ language: ITunesLanguage) -> String {
    func one(_ words: [String], _ aspect: Int) -> String { words[draws.draw(90 + aspect, below: words.count)] }
    return switch language {
    case .english: "\(one(givenNames, 0)) \(one(familyNames, 1))"
    case .japanese: "\(one(japaneseFamilyNames, 1))\(one(japaneseGivenNames, 0))"
    case .chinese: "\(one(chineseFamilyNames, 1))\(one(chineseGivenNames, 0))"
    }
  }

  static let adjectives = [
    "Quiet", "Golden", "Broken", "Electric", "Distant", "Hollow", "Silver", "Restless", "Northern", "Little", "Endless",
    "Crooked", "Velvet", "Paper", "Burning", "Midnight", "Sunday", "Secret", "Wild", "Second",
  ]
  static let nouns = [
    "River", "Harbour", "Window", "Summer", "Engine", "Garden", "Letter", "Mountain", "Mirror", "Signal", "Winter",
    "Carousel", "Compass", "Lantern", "Highway", "Orchard", "Satellite", "Shadow", "Thunder", "Tide", "Valley",
    "Whisper", "Horizon", "Kingdom", "Island", "Crown", "Parade", "Echo", "Ember", "Feather",
  ]
  static let asides = ["Live", "Remastered", "Demo", "Acoustic", "Radio Edit", "Deluxe Version"]
  static let givenNames = [
    "Ada", "Boris", "Clara", "Dmitri", "Elena", "Finn", "Grace", "Hugo", "Iris", "Jonah", "Kira", "Leon", "Maya",
    "Nils",
    "Olga", "Pablo", "Renée", "Sören", "Tessa", "Zoë",
  ]
  static let familyNames = [
    "Albrecht", "Byrne", "Castillo", "Dahl", "Eriksen", "Fontaine", "Galanis", "Hartley", "Ivanova", "Jensen",
    "Kowalski",
    "Lindqvist", "Moreau", "Novak", "O’Hara", "Petrov", "Quinn", "Rossi", "Sandoval", "Weiss",
  ]
  static let japaneseAdjectives = ["青い", "遠い", "静かな", "小さな", "夜の", "新しい", "白い", "懐かしい", "最後の", "春の"]
  static let japaneseNouns = [
    "花火", "海", "手紙", "星", "旅人", "約束", "窓", "雨", "電車", "夢", "影", "風", "灯台", "桜", "月", "声", "夏", "道", "鏡", "港",
  ]
  static let japaneseFamilyNames = ["佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村", "小林", "加藤"]
  static let japaneseGivenNames = ["陽子", "健太", "美咲", "翔", "葵", "蓮", "直樹", "さくら", "大輔", "恵"]
  static let chineseAdjectives = ["安靜", "遙遠", "溫柔", "最後", "藍色", "夏天", "昨日", "無名", "透明", "漫長"]
  static let chineseNouns = [
    "夜曲", "晴天", "彩虹", "稻香", "楓葉", "軌跡", "星空", "雨季", "鋼琴", "情書", "時光", "海岸", "月光", "列車", "回憶", "遠方", "花海", "琴聲",
    "候鳥", "黃昏",
  ]
  static let chineseFamilyNames = ["陳", "林", "黃", "張", "李", "王", "吳", "劉", "蔡", "楊"]
  static let chineseGivenNames = ["雅婷", "志明", "怡君", "俊傑", "淑芬", "家豪", "美玲", "冠宇", "詩涵", "柏翰"]
}

/// A genre: its number, and its name in each language.
struct ITunesGenre: Sendable {
  let id: Int
  private let english: String
  private let japanese: String
  private let chinese: String

  private init(_ id: Int, _ english: String, _ japanese: String, _ chinese: String) {
    self.id = id
    self.english = english
    self.japanese = japanese
    self.chinese = chinese
  }

  func name(_ language: ITunesLanguage) -> String {
    switch language {
    case .english: english
    case .japanese: japanese
    case .chinese: chinese
    }
  }

  /// What all of a medium is, as the second genre of a record.
  static let allMusic = ITunesGenre(34, "Music", "ミュージック", "音樂")
  static let allPodcasts = ITunesGenre(26, "Podcasts", "Podcast", "Podcast")
  static let allBooks = ITunesGenre(38, "Books", "ブック", "書籍")

  static let music = [
    ITunesGenre(14, "Pop", "ポップ", "流行樂"), ITunesGenre(21, "Rock", "ロック", "搖滾"),
    ITunesGenre(18, "Hip-Hop/Rap", "ヒップホップ／ラップ", "嘻哈／饒舌"), ITunesGenre(7, "Electronic", "エレクトロニック", "電子音樂"),
    ITunesGenre(11, "Jazz", "ジャズ", "爵士樂"), ITunesGenre(1232, "Mandopop", "マンドポップ", "國語流行樂"),
    ITunesGenre(10, "Singer/Songwriter", "シンガーソングライター", "創作歌手"),
  ]
  static let podcasts = [
    ITunesGenre(1304, "Education", "教育", "教育"), ITunesGenre(1310, "Music", "ミュージック", "音樂"),
    ITunesGenre(1303, "Comedy", "コメディ", "喜劇"), ITunesGenre(1489, "News", "ニュース", "新聞"),
  ]
  static let books = [
    ITunesGenre(10_081, "Children’s Fiction", "子供向けフィクション", "兒童小說"), ITunesGenre(9008, "Biographies", "伝記", "傳記"),
    ITunesGenre(9031, "Fiction & Literature", "フィクション／文学", "小說與文學"),
  ]
  static let audiobooks = [
    ITunesGenre(50_000_040, "Audiobooks", "オーディオブック", "有聲書"),
    ITunesGenre(50_000_041, "Arts & Entertainment", "エンタメ", "藝術與娛樂"),
  ]
  static let apps = [
    ITunesGenre(6007, "Productivity", "仕事効率化", "工具程式"), ITunesGenre(6002, "Utilities", "ユーティリティ", "公用程式"),
    ITunesGenre(6014, "Games", "ゲーム", "遊戲"), ITunesGenre(6017, "Education", "教育", "教育"),
  ]
  static let films = [
    ITunesGenre(4401, "Action & Adventure", "アクション／アドベンチャー", "動作與冒險"), ITunesGenre(4406, "Drama", "ドラマ", "劇情片"),
    ITunesGenre(4404, "Comedy", "コメディ", "喜劇片"),
  ]
  static let shortFilm = ITunesGenre(4431, "Short Films", "ショートフィルム", "短片")
  static let series = [
    ITunesGenre(4003, "Drama", "ドラマ", "劇情"), ITunesGenre(4002, "Animation", "アニメーション", "動畫"),
    ITunesGenre(4008, "Sci-Fi & Fantasy", "SF／ファンタジー", "科幻"),
  ]
}
