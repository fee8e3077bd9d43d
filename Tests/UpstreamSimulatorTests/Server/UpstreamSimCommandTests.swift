import ArgumentParser
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

  @Test("what is accepted")
  func accepted() throws {
    for arguments in [
      [], ["--chaos", "500=0.3,reset=0.01,429=0.02:2s,down@10s-70s", "--seed", "7"],
      ["--items", "500", "--drift", "0.1", "--etags"], ["--edits", "members=1,title=52", "--etags", "--remember"],
      ["--recorded", "folder", "--chaos", ""], ["--pokemon", "100", "--items", "10"],
    ] as [[String]] { #expect(refusal(arguments) == nil, "\(arguments)") }
  }

  @Test("what is wrong, or cannot be together, is reported with 64")
  func refused() throws {
    for (arguments, says) in [
      (["--chaos", "hnag=0.1"], "--chaos: `hnag=0.1`"), (["--chaos", "500=0.6,hang=0.6"], "the rates add up to 1.2"),
      (["--items", "500", "--drift", "2"], "0 to 1"), (["--items", "100001", "--drift", "0.1"], "set --items"),
      (["--edits", "score=1"], "write members=N"), (["--pokemon", "-1"], ""), (["--repeats", "0.6"], "0 to 0.5"),
      (["--recorded", "folder", "--drift", "0.1"], "omit --recorded"),
      (["--edits", "members=1", "--recorded", "folder"], "omit --recorded"),
      (["--recorded", "folder", "--etags"], "omit --recorded"),
      (["--recorded", "folder", "--remember"], "omit --recorded"),
      (["--recorded", "folder", "--pictures"], "omit --recorded"),
      (["--edits", "members=1", "--drift", "0.1", "--items", "500"], "omit --edits"),
      (["--remember", "--drift", "0.1", "--items", "500"], "omit --drift"),
    ] as [([String], String)] {
      let found = try #require(refusal(arguments), "\(arguments)")
      #expect(found.code == 64 && (says.isEmpty || found.message.contains(says)), "\(found)")
    }
  }
}
