import ArgumentParser
import Foundation
import Testing

@testable import upstream_sim

@Suite("The command line of upstream-sim")
struct UpstreamSimCommandTests {
  private func refusal(_ arguments: [String]) -> (code: Int32, message: String)? {
    do {
      _ = try UpstreamSim.parse(arguments)
      return nil
    } catch {
      return (UpstreamSim.exitCode(for: error).rawValue, UpstreamSim.message(for: error))
    }
  }

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID().uuidString).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test("a plan, or a file of one")
  func plans() throws {
    #expect(refusal([]) == nil)
    #expect(refusal(["--chaos", "500=0.3,reset=0.01,429=0.02:2s,down@10s-70s", "--seed", "7"]) == nil)
    try withFile("# a bad day\n500=0.3\nreset=0.01, hang@7\n") { path in #expect(refusal(["--chaos", path]) == nil) }
    try withFile("") { path in #expect(refusal(["--chaos", path]) == nil) }
  }

  @Test("an invalid plan is reported, with 64")
  func errors() throws {
    for (plan, says) in [
      ("hnag=0.1", "did you mean `hang`?"), ("500=7", "is no rate"), ("500=0.6,hang=0.6", "the rates add up to 1.2"),
      ("no/such/file.txt", "there is no file no/such/file.txt"),
    ] {
      let found = try #require(refusal(["--chaos", plan]))
      #expect(found.code == 64 && found.message.contains(says), "\(found)")
    }
  }

  @Test("of a file too, with its name")
  func fileErrors() throws {
    try withFile("500=0.3\nhang=2\n") { path in
      let found = try #require(refusal(["--chaos", path]))
      #expect(found.code == 64 && found.message.contains("\(path): `hang=2`: `2` is no rate"), "\(found)")
    }
    try withFile(String(repeating: "# long\n", count: 10_000)) { path in
      #expect(refusal(["--chaos", path])?.message.contains("longer than 65536 bytes") == true)
    }
    #expect(refusal(["--chaos", FileManager.default.temporaryDirectory.path])?.code == 64)
  }

  @Test("a list that changes, and what is wrong with its plan")
  func drifts() throws {
    for plan in ["0.1", "insert=0.1, remove=0.1,free,ties", "loop=7-3,total=+10,last=-2,end=4,empty=0.1,short=0.1"] {
      #expect(refusal(["--items", "500", "--drift", plan]) == nil, "\(plan)")
    }
    for (plan, says) in [
      ("2", "says nothing of a list that changes"), ("moves=1", "write a rate (0.1), insert=RATE"),
      ("insert=0.6,move=0.6", "`free` allows more"), ("loop=3-7", "as in loop=7-3"), ("move=x", "is no rate"),
      ("total=\(Int.min)", "is not a whole number"), ("last=1000000001", "is not a whole number"),
    ] {
      let found = try #require(refusal(["--items", "500", "--drift", plan]))
      #expect(found.code == 64 && found.message.contains(says), "\(found)")
    }
    #expect(refusal(["--items", "100001", "--drift", "0.1"])?.code == 64)
    #expect(refusal(["--recorded", "folder", "--drift", "0.1"])?.code == 64)
    #expect(refusal(["--page-cap", "0"])?.code == 64)
  }

  @Test("edits and bad items, and what cannot be together")
  func altered() throws {
    for arguments in [
      ["--edits", "members=1,title=52,empty=cm", "--etags", "--last-modified"], ["--weak-etags", "--remember"],
      ["--bad-items", "0.01", "--spelling", "3", "--shuffle-arrays", "--recorded", "folder"],
      ["--drift", "0.1", "--items", "500", "--bad-items", "nul=0.1,type=0.2", "--etags"],
    ] {
      #expect(refusal(arguments) == nil, "\(arguments)")
    }
    for (arguments, says) in [
      (["--edits", "score=1"], "write members=N"), (["--bad-items", "odd=1"], "KIND=RATE"),
      (["--edits", "members=1", "--recorded", "folder"], "omit --recorded"),
      (["--edits", "members=1", "--drift", "0.1", "--items", "500"], "omit --edits"),
      (["--remember", "--drift", "0.1", "--items", "500"], "omit --drift"),
    ] {
      let found = try #require(refusal(arguments))
      #expect(found.code == 64 && found.message.contains(says), "\(found)")
    }
  }

  @Test("what PokeAPI is like, and what cannot be together")
  func pokeAPI() throws {
    for arguments in [
      ["--pokeapi", "hash=abc,mixed=0.1,cached=0.02,remove=pokemon/25,extra,shuffle,null=pokemon/1:sprites"],
      ["--pokeapi-scale", "1", "--items", "10"],
    ] {
      #expect(refusal(arguments) == nil, "\(arguments)")
    }
    for (arguments, says) in [
      (["--pokeapi", "hsah=1"], "says nothing of a PokeAPI"), (["--pokeapi-scale", "2"], "must be 0 to 1"),
      (["--pokeapi-scale", "1", "--recorded", "folder"], "omit --recorded"),
    ] {
      let found = try #require(refusal(arguments))
      #expect(found.code == 64 && found.message.contains(says), "\(found)")
    }
  }

  @Test("what iTunes is like, and what cannot be together")
  func iTunes() throws {
    for arguments in [
      ["--itunes", "size=500,term=Jack Johnson,throttle=20/60s,html=0.02,offset=works,day=2"],
      ["--itunes", "shuffle", "--remember"],
    ] {
      #expect(refusal(arguments) == nil, "\(arguments)")
    }
    for (arguments, says) in [
      (["--itunes", "throttel=1/1s"], "says nothing of an iTunes"),
      (["--itunes", "throttle=1"], "--itunes: `throttle=1`"),
      (["--itunes", "day=1", "--recorded", "folder"], "omit --recorded"),
    ] {
      let found = try #require(refusal(arguments))
      #expect(found.code == 64 && found.message.contains(says), "\(found)")
    }
  }
}
