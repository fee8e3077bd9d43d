import SyncCore
import Testing

@testable import SyncEngine

@Suite("Declared paths that no page has")
struct AbsentPathsTests {
  private static func claim(_ absent: Set<String>) -> PageClaim {
    var claim = PageClaim()
    claim.absentPaths = absent
    return claim
  }

  @Test("a path that one page has is not told, and the others are")
  func paths() {
    var paths = AbsentPaths(of: Self.claim(["total_path a", "has_more_path b"]))
    #expect(paths.warning?.contains("has_more_path b or total_path a") == true)
    paths.read(Self.claim(["total_path a"]))
    #expect(paths.warning == "no page has total_path a: correct or remove it in the declaration")
    // A service can state the total on page 1 alone.
    var total = AbsentPaths(of: Self.claim([]))
    total.read(Self.claim(["total_path a"]))
    #expect(total.warning == nil)
    paths.read(Self.claim([]))
    #expect(paths.warning == nil)
  }
}
