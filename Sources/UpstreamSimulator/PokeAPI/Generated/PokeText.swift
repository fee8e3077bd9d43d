/// Invented sentences, broken into lines like the real ones: with line feeds, form feeds and soft hyphens.
enum PokeText {
  /// The languages in which newer games have texts, by number.
  static let languages = [1, 3, 4, 5, 6, 7, 8, 9, 11, 12]

  /// A game's text, in one of the languages.
  static func flavor(_ language: Int, generation: Int, _ draws: Draws) -> PokeJSON {
    guard generation > 2 else {
      return .string("\(draws.pick(1, old.first))\u{C}\(draws.pick(2, old.second))")
    }
    let (first, second) = texts[language] ?? english
    return .string("\(draws.pick(1, first))\n\(draws.pick(2, second))")
  }

  /// How something works, at length.
  static func effect(_ language: Int, _ draws: Draws) -> PokeJSON {
    let (first, second) = texts[language] ?? english
    let paragraphs = (0..<draws.number(3, 1...4)).map { number in
      "\(draws.pick(4 + 2 * number, first)) \(draws.pick(5 + 2 * number, second))".replacing("\u{AD}\n", with: "")
        .replacing("\n", with: " ")
    }
    return .string(paragraphs.joined(separator: "\n\n"))
  }

  /// The same in a few words.
  static func short(_ language: Int, _ draws: Draws) -> PokeJSON {
    let sentence = draws.pick(2, (texts[language] ?? english).second)
    return .string(sentence.replacing("\u{AD}\n", with: "").replacing("\n", with: " "))
  }

  private typealias Pieces = (first: [String], second: [String])

  private static let old: Pieces = (
    [
      "It sleeps under\nroots all day,\nout of the sun.", "Its shell grows\nharder with each\nstorm it sees.",
      "When POKéMON of\nthis kind meet,\nthey hum in tune.",
    ],
    [
      "At dusk it goes\nin search of\nfallen fruit.", "Travelers say it\nnever forgets a\nface.",
      "No two of them\nhave the same\npattern.",
    ]
  )

  private static let english: Pieces = (
    [
      "It hides among tall reeds and waits for\nthe wind to turn.", "The spots on its back glow when\nrain is near.",
      "It was thought to be a legend until\none walked into a harbor.",
    ],
    [
      "Its steps leave prints that never freeze.",
      "It is very fond of berries, and guards\nthe tree it was hatched under.",
      "People used to follow it home through\nheavy fog.",
    ]
  )

  private static let texts: [Int: Pieces] = [
    1: (
      ["くさむらに　かくれて\nかぜの　むきが　かわるのを　まつ。", "せなかの　もようが\nあめの　まえに　ひかる。"],
      ["きのみが　だいすきで\nうまれた　きを　まもっている。", "あしあとは　けっして　こおらない。"]
    ),
    3: (
      ["키가 큰 갈대 사이에 숨어\n바람이 바뀌기를 기다린다.", "비가 오기 전에 등의 무늬가\n빛난다."],
      ["나무열매를 매우 좋아한다.", "발자국은 결코 얼지 않는다."]
    ),
    4: (
      ["躲在高高的蘆葦叢中，\n等待風向改變。", "快要下雨的時候，\n背上的斑點會發光。"],
      ["非常喜歡樹果，\n會守護自己出生的那棵樹。", "留下的腳印永遠不會結冰。"]
    ),
    5: (
      [
        "Il se cache dans les roseaux et attend\nque le vent tourne.",
        "Les taches de son dos brillent à l’ap\u{AD}\nproche de la pluie.",
      ],
      ["Il raffole des Baies et garde l’arbre\nsous lequel il est né.", "Ses traces ne gèlent jamais."]
    ),
    6: (
      [
        "Es versteckt sich im Schilf und wartet, bis\nder Wind dreht.",
        "Vor dem Regen leuchten die Fle\u{AD}\ncken auf seinem Rücken.",
      ],
      ["Es liebt Beeren und bewacht den Baum, unter\ndem es geschlüpft ist.", "Seine Spuren gefrieren nie."]
    ),
    7: (
      [
        "Se oculta entre los juncos y espera a que\ncambie el viento.",
        "Las manchas de su lomo brillan antes\nde la lluvia.",
      ],
      ["Le encantan las bayas y protege el árbol\nbajo el que nació.", "Sus huellas nunca se congelan."]
    ),
    8: (
      [
        "Si nasconde tra le canne e aspetta che\ncambi il vento.",
        "Le macchie sul dorso brillano prima\ndella pioggia.",
      ],
      ["Adora le bacche e difende l’albero sotto\ncui è nato.", "Le sue orme non gelano mai."]
    ),
    11: (
      ["草むらに　隠れて\n風の　向きが　変わるのを　待つ。", "背中の　模様が\n雨の　前に　光る。"],
      ["きのみが　大好きで\n生まれた　木を　守っている。", "足跡は　決して　凍らない。"]
    ),
    12: (
      ["躲在高高的芦苇丛中，\n等待风向改变。", "快要下雨的时候，\n背上的斑点会发光。"],
      ["非常喜欢树果，\n会守护自己出生的那棵树。", "留下的脚印永远不会结冰。"]
    ),
  ]
}
