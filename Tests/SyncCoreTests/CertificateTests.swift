import Foundation
import SyncCore
import Testing

@Suite("Certificates, guards and exit statuses")
struct CertificateTests {
  @Test(
    "a guard refuses beyond its share and from its least number of rows on",
    arguments: [
      (ShrinkGuard.wholeList, 49, 49, false), (.wholeList, 50, 1000, false), (.wholeList, 51, 1000, true),
      (.wholeList, 50, 999, true), (.wholeList, 0, 0, false), (.wholeList, 1519, 30_400, false),
      (.wholeList, 1521, 30_400, true), (.filteredList, 1, 2, false), (.filteredList, 2, 3, true),
      (.filteredList, 1, 1, true), (.filteredList, 50, 100, false), (.filteredList, 51, 100, true),
      (.filteredList, 0, 0, false),
    ])
  func guards(limit: ShrinkGuard, removed: Int, published: Int, refused: Bool) {
    #expect(limit.refuses(removing: removed, of: published) == refused)
  }

  @Test(
    "beyond half and 10 unusable items, all of fewer than 10, or 5 % and 50, the upstream has changed its shape",
    arguments: [
      (0, 0, false), (1, 1, true), (1, 2, false), (8, 9, false), (9, 9, true),
      (9, 10, false), (10, 10, true), (10, 19, true), (10, 20, false), (11, 21, true), (30, 30, true), (49, 98, false),
      (49, 97, true), (49, 900, false), (50, 1000, false), (50, 999, true), (51, 1000, true), (500, 100_000, false),
      (501, 1_000_000, false), (5000, 100_000, false), (5001, 100_000, true), (.max, .max, true),
    ])
  func quarantine(unusable: Int, items: Int, exceeded: Bool) {
    #expect(QuarantineLimit.isExceeded(unusable, of: items) == exceeded)
  }

  @Test("a window has no lower bound", arguments: [(0, 0, false), (1, 1, true), (5, 9, true), (4, 8, false)])
  func window(unusable: Int, items: Int, exceeded: Bool) {
    #expect(QuarantineLimit.isExceeded(unusable, of: items, isWindow: true) == exceeded)
  }

  @Test(
    "in the middle of a walk the limit is decided when the rest of what is claimed would not undo it",
    arguments: [
      (30, 30, nil, false), (30, 30, 30, false), (30, 30, 20, false), (30, 30, 59, true), (30, 30, 60, false),
      (100, 100, 2000, false), (101, 101, 2000, true), (9, 9, 12, false), (1000, 1000, .max, false),
    ] as [(Int, Int, Int?, Bool)])
  func decided(unusable: Int, items: Int, claimed: Int?, isDecided: Bool) {
    #expect(QuarantineLimit.isDecided(unusable, of: items, claimed: claimed) == isDecided)
  }

  @Test("a deficit is what is missing of the claim, repeats counted in the list's favour")
  func deficit() {
    func certificate(claimed: Int?, keys: Int, repeats: Int) -> Certificate {
      Certificate(
        complete: false, endedBy: .notFound, claimedTotal: claimed, distinctKeys: keys, repeats: repeats, drift: 0,
        rewalked: 0, holes: [], unreadable: 0)
    }
    #expect(certificate(claimed: 200, keys: 198, repeats: 2).deficit == 0)
    #expect(certificate(claimed: 200, keys: 198, repeats: 1).deficit == 1)
    #expect(certificate(claimed: 200, keys: 250, repeats: 0).deficit == 0)
    #expect(certificate(claimed: nil, keys: 0, repeats: 0).deficit == 0)
  }

  @Test("a certificate is written with the names that the documentation promises")
  func json() throws {
    var certificate = Certificate(
      complete: true, endedBy: .notFound, claimedTotal: 30_400, distinctKeys: 30_377, repeats: 23, drift: 0,
      rewalked: 0, holes: [], unreadable: 0, evidence: .total)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(certificate), as: UTF8.self)
    #expect(
      text == """
        {"claimed_total":30400,"complete":true,"distinct_keys":30377,"drift":0,"ended_by":"404","evidence":"total",\
        "holes":[],"listed_twice":0,"missed":0,"repeats":23,"rewalked":0,"unaccounted":0,"unavailable":[],\
        "unproven":false,"unreadable":0}
        """)
    #expect(try JSONDecoder().decode(Certificate.self, from: Data(text.utf8)) == certificate)
    let added = /"((rewalked|unaccounted|listed_twice|missed)":0|unproven":false|evidence":"total"),/
    let earlier = Data(text.replacing(added, with: "").utf8)
    certificate.evidence = nil
    #expect(try JSONDecoder().decode(Certificate.self, from: earlier) == certificate, "of an earlier version")
  }

  @Test("without evidence, a complete walk is unproven; if lookups found items that it missed, it is neither")
  func evidence() throws {
    func certificate(complete: Bool = true, _ evidence: Certificate.Evidence? = nil, missed: Int = 0) -> Certificate {
      var certificate = Certificate(
        complete: complete, endedBy: .noNextPage, claimedTotal: nil, distinctKeys: 9, repeats: 0, drift: 0, rewalked: 0,
        holes: [], unreadable: 0, evidence: evidence)
      certificate.requireEvidence(missed: missed)
      return certificate
    }
    let proven = certificate(.key, missed: 1)
    #expect(proven.complete && !proven.unproven && proven.isWhole && proven.missed == 0)
    var unproven = certificate()
    #expect(!unproven.complete && unproven.unproven && unproven.isWhole && unproven.isFresh)
    let text = try JSONEncoder().encode(unproven)
    #expect(try JSONDecoder().decode(Certificate.self, from: text) == unproven)
    #expect(String(decoding: text, as: UTF8.self).contains(#""evidence":null"#))
    let missing = certificate(missed: 2)
    #expect(!missing.isWhole && missing.missed == 2)
    #expect(!certificate(complete: false).isWhole)
    unproven.fail()
    #expect(!unproven.isWhole && unproven.endedBy == .failed)
    #expect(RunStatus.unproven.isEnd && RunReport.isFresh(.unproven, certificate()))
  }

  @Test(
    "each code has the exit status of sysexits",
    arguments: [
      (SyncError.Code.missing, 1 as Int32), (.usage, 64), (.upstream, 69), (.database, 74), (.tryLater, 75),
      (.permission, 77), (.configuration, 78), (.guarded, 86),
    ])
  func exitStatuses(code: SyncError.Code, status: Int32) {
    #expect(code.exitStatus == status)
    #expect(SyncError(code, "a", hint: "b").description == "a; b")
    #expect(SyncError(code, "a").description == "a")
  }
}
