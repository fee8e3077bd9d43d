import Testing

@testable import PokeAPISource
@testable import SyncProgram

@Suite struct OutputEvolutionTreeTests {
  private typealias Path = EvolutionTree.Path

  private static let eevee = EvolutionTree(
    root: (id: 133, name: "イーブイ"),
    ways: [
      Path(from: 133, to: 134, name: "シャワーズ", sentence: "use Water Stone"),
      Path(from: 133, to: 470, name: "リーフィア", sentence: "level up at Eterna Forest, near a special rock"),
      Path(from: 133, to: 470, name: "リーフィア", sentence: "use Leaf Stone"),
      Path(from: 133, to: 196, name: "エーフィ", sentence: "level up with high friendship (160), during the day"),
    ])

  @Test func branchesWithSeveralWays() {
    #expect(
      Self.eevee.lines(width: nil, isUTF8: true) == [
        "イーブイ", "├─ シャワーズ: use Water Stone", "├─ リーフィア: level up at Eterna Forest, near a special rock",
        "│     or use Leaf Stone", "└─ エーフィ: level up with high friendship (160), during the day",
      ])
    #expect(
      Self.eevee.lines(width: nil, isUTF8: false) == [
        "イーブイ", "|- シャワーズ: use Water Stone", "|- リーフィア: level up at Eterna Forest, near a special rock",
        "|     or use Leaf Stone", "`- エーフィ: level up with high friendship (160), during the day",
      ])
  }

  @Test func aNarrowTerminalWrapsUnderTheBranches() {
    #expect(
      Self.eevee.lines(width: 40, isUTF8: false) == [
        "イーブイ", "|- シャワーズ: use Water Stone", "|- リーフィア: level up at Eterna", "|     Forest, near a special rock",
        "|     or use Leaf Stone", "`- エーフィ: level up with high", "      friendship (160), during the day",
      ])
  }

  @Test(
    "the first variable of the locale that is set decides",
    arguments: [
      (["LC_ALL": "de_DE.UTF-8", "LANG": "C"], true), (["LC_ALL": "", "LC_CTYPE": "C.utf8"], true),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LANG": "ja_JP.eucJP"], false), (["LANG": "POSIX"], false),
      ([:], true), (["LANG": ""], true),
    ])
  func locale(environment: [String: String], isUTF8: Bool) {
    #expect(SystemTerminal.hasUTF8Locale { environment[$0] } == isUTF8)
  }

  @Test(arguments: [20, 24, 40, 60, 120])
  func noLineIsWiderThanTheTerminal(width: Int) {
    for line in [true, false].flatMap({ Self.eevee.lines(width: width, isUTF8: $0) }) {
      #expect(TerminalText.displayWidth(line) <= width, "\(line)")
    }
  }

  @Test func stagesStandUnderEachOther() {
    let tree = EvolutionTree(
      root: (id: 265, name: "Wurmple"),
      ways: [
        Path(from: 265, to: 266, name: "Silcoon", sentence: "level 7"),
        Path(from: 265, to: 268, name: "Cascoon", sentence: "level 7"),
        Path(from: 266, to: 267, name: "Beautifly", sentence: "level 10"),
        Path(from: 268, to: 269, name: "Dustox", sentence: ""),
      ])
    #expect(
      tree.lines(width: nil, isUTF8: true) == [
        "Wurmple", "├─ Silcoon: level 7", "│  └─ Beautifly: level 10", "└─ Cascoon: level 7", "   └─ Dustox",
      ])
  }

  @Test func aSpeciesThatDoesNotEvolveStandsAlone() {
    #expect(EvolutionTree(root: (id: 128, name: "Tauros"), ways: []).lines(width: 40) == ["Tauros"])
    #expect(EvolutionTree(root: nil, ways: []).lines(width: 40) == [])
  }

  @Test func circlesAndLooseEndsAreShownOnce() {
    let circle = EvolutionTree(
      root: nil, ways: [Path(from: 1, to: 2, name: "B", sentence: "x"), Path(from: 2, to: 1, name: "A", sentence: "y")])
    #expect(circle.lines(width: nil, isUTF8: true) == ["A: y", "└─ B: x"])
    let itself = EvolutionTree(root: nil, ways: [Path(from: 1, to: 1, name: "A", sentence: "x")])
    #expect(itself.lines(width: nil) == ["A: x"])
    let loose = EvolutionTree(
      root: (id: 1, name: "A"),
      ways: [Path(from: 7, to: 8, name: "H", sentence: ""), Path(from: nil, to: 9, name: "I", sentence: "")],
      fromNames: [7: "G"])
    #expect(loose.lines(width: nil, isUTF8: true) == ["A", "G", "└─ H", "I"])
    let deep = EvolutionTree(root: nil, ways: (0..<1000).map { Path(from: $0, to: $0 + 1, name: "x", sentence: "") })
    #expect(deep.lines(width: 40).count == 20)
  }

  @Test func namesFromUpstreamAreHarmless() {
    let tree = EvolutionTree(
      root: (id: 1, name: "a\u{1B}[2J"), ways: [Path(from: 1, to: 2, name: "b\nc", sentence: "d\u{202E}")])
    #expect(tree.lines(width: nil, isUTF8: true) == ["a\\u{1B}[2J", "└─ b\\u{A}c: d\\u{202E}"])
  }
}
