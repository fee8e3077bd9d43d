import SyncCore
import Testing

struct MisfitTallyTests {
  @Test("members are counted by path, with the first example, and the most frequent are told")
  func tally() {
    var tally = MisfitTally()
    #expect(tally.sentence == nil && tally.count == 0)
    tally.add([Misfit(path: "title", example: Misfit.missing)])
    #expect(tally.sentence == "1 member was not understood, and its column is null: title (1, missing)")
    var other = MisfitTally()
    for number in 1...1000 { other.add([Misfit(path: "aired.from", example: "\"\(number)\"")]) }
    for name in ["a", "b", "c", "d"] { other.add([Misfit(path: name, example: "[]")]) }
    tally += other
    #expect(tally.count == 1005 && tally.paths.count == 6)
    #expect(
      tally.sentence == "1005 members were not understood, and their columns are null: aired.from (1000, e.g. \"1\"), "
        + "a (1, e.g. []), b (1, e.g. []), c (1, e.g. []), d (1, e.g. []), and 1 more")
  }
}
