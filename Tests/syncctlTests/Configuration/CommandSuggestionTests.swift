import SyncCore
import Testing

@testable import SyncProgram

@Suite(.boundSources)
struct CommandSuggestionTests {
  @Test func severalNearWords() {
    let known = ["Pikachu", "pikachu", "Raichu", "妙蛙種子", "妙蛙草", "Mew", "mew"]
    #expect(Suggestion.several(to: "pikchu", among: known) == ["Pikachu"])
    #expect(Suggestion.several(to: "妙蛙种子", among: known) == ["妙蛙種子"])
    #expect(Suggestion.several(to: "mex", among: known) == ["Mew"])
    #expect(Suggestion.several(to: "x", among: known) == [])
    #expect(Suggestion.several(to: "", among: known) == [])
    #expect(Suggestion.several(to: "abc", among: ["abd", "abe", "abf", "abg"]) == ["abd", "abe", "abf"])
  }
}
