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
    } catch { return (UpstreamSim.exitCode(for: error).rawValue, UpstreamSim.message(for: error)) }
  }

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID().uuidString).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test("what is accepted")
  func accepted() throws {
    for arguments in [
      [], ["--chaos", "500=0.3,reset=0.01,429=0.02:2s,down@10s-70s", "--seed", "7"],
      ["--items", "500", "--drift", "0.1"], ["--items", "500", "--drift", "insert=0.1, remove=0.1,free,ties"],
      ["--items", "500", "--drift", "loop=7-3,total=+10,last=-2,end=4,empty=0.1,short=0.1"],
      ["--edits", "members=1,title=52,empty=cm", "--etags"], ["--etags", "--remember"],
      ["--bad-items", "0.01", "--spelling", "3", "--shuffle-arrays", "--recorded", "folder"],
      ["--drift", "0.1", "--items", "500", "--bad-items", "nul=0.1,type=0.2", "--etags"],
      ["--pokeapi", "hash=abc,mixed=0.1,cached=pokemon/7:404,remove=pokemon/25,extra,shuffle,null=pokemon/1:sprites"],
      ["--pokeapi", "documents=100", "--items", "10"], ["--itunes", "added=2,html=0.02,day=2"],
      ["--itunes", "day=1", "--remember"],
    ] as [[String]] { #expect(refusal(arguments) == nil, "\(arguments)") }
    for text in ["# a bad day\n500=0.3\nreset=0.01, hang@7\n", ""] {
      try withFile(text) { path in #expect(refusal(["--chaos", path]) == nil) }
    }
  }

  @Test("what is wrong, or cannot be together, is reported with 64")
  func refused() throws {
    for (arguments, says) in [
      (["--chaos", "hnag=0.1"], "the faults are any status from 400 to 599, 429,"),
      (["--chaos", "500=7"], "is no rate"), (["--chaos", "500=0.6,hang=0.6"], "the rates add up to 1.2"),
      (["--chaos", "no/such/file.txt"], "there is no file no/such/file.txt"),
      (["--chaos", FileManager.default.temporaryDirectory.path], ""),
      (["--items", "500", "--drift", "2"], "write a rate (0.1)"),
      (["--items", "500", "--drift", "moves=1"], "write a rate (0.1), insert=RATE"),
      (["--items", "500", "--drift", "insert=0.6,move=0.6"], "`free` allows more"),
      (["--items", "500", "--drift", "loop=3-7"], "as in loop=7-3"),
      (["--items", "500", "--drift", "move=x"], "write a number from 0 to 1000"),
      (["--items", "500", "--drift", "total=\(Int.min)"], "write a whole number"),
      (["--items", "500", "--drift", "last=1000000001"], "write a whole number"),
      (["--items", "100001", "--drift", "0.1"], ""), (["--recorded", "folder", "--drift", "0.1"], ""),
      (["--page-cap", "0"], ""), (["--edits", "score=1"], "write members=N"), (["--bad-items", "odd=1"], "KIND=RATE"),
      (["--edits", "members=1", "--recorded", "folder"], "omit --recorded"),
      (["--edits", "members=1", "--drift", "0.1", "--items", "500"], "omit --edits"),
      (["--remember", "--drift", "0.1", "--items", "500"], "omit --drift"),
      (["--pokeapi", "hsah=1"], "--pokeapi: `hsah=1`"), (["--pokeapi", "mixed=2"], "0 to 1"),
      (["--pokeapi", "mixed=0.1", "--recorded", "folder"], "omit --recorded"),
      (["--itunes", "dya=1"], "--itunes: `dya=1`"), (["--itunes", "day=1", "--recorded", "folder"], "omit --recorded"),
    ] as [([String], String)] {
      let found = try #require(refusal(arguments), "\(arguments)")
      #expect(found.code == 64 && (says.isEmpty || found.message.contains(says)), "\(found)")
    }
    try withFile("500=0.3\nhang=2\n") { path in
      let found = try #require(refusal(["--chaos", path]))
      #expect(found.code == 64 && found.message.contains("\(path): `hang=2`: `2` is no rate"), "\(found)")
    }
    try withFile(String(repeating: "# long\n", count: 10_000)) { path in
      #expect(refusal(["--chaos", path])?.message.contains("longer than 65536 bytes") == true)
    }
  }
}
