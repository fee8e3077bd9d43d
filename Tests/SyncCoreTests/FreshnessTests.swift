import SyncCore
import Testing

@Suite("What a certificate says of freshness")
struct FreshnessTests {
  private func certificate(
    complete: Bool = false, endedBy: Certificate.EndedBy = .noNextPage, claimed: Int? = 1000, seen: Int = 1000,
    repeats: Int = 0, drift: Int = 3, holes: [Int] = [], unavailable: [Int64] = [], listedTwice: Int = 0
  ) -> Certificate {
    Certificate(
      complete: complete, endedBy: endedBy, claimedTotal: claimed, distinctKeys: seen, repeats: repeats, drift: drift,
      rewalked: 0, holes: holes, unreadable: 0, unavailable: unavailable, listedTwice: listedTwice)
  }

  @Test("a walk to the end without a hole is fresh, also if the list moved")
  func fresh() {
    #expect(certificate(complete: true, drift: 0).isFresh)
    for reason in [Certificate.EndedBy.notFound, .emptyPage, .noNextPage, .partsMet] {
      #expect(certificate(endedBy: reason).isFresh)
    }
    #expect(certificate(claimed: nil, seen: 3).isFresh)
    #expect(certificate(seen: 999, listedTwice: 1).deficit == 0)
  }

  @Test("a few items that were not seen do not count, more than 5 % and at least 50 do")
  func deficit() {
    #expect(certificate(seen: 950).isFresh && !certificate(seen: 949).isFresh)
    #expect(certificate(claimed: 60, seen: 11).isFresh && !certificate(claimed: 60, seen: 10).isFresh)
    #expect(certificate(seen: 900, repeats: 60).isFresh)
  }

  @Test("an echo, a hole, a document that was not available, or an end that is none is not fresh")
  func notFresh() {
    for reason in [Certificate.EndedBy.echo, .pageCap, .loop, .tooManyHoles, .maxPages, .interrupted, .failed] {
      #expect(!certificate(endedBy: reason).isFresh)
    }
    #expect(!certificate(holes: [2]).isFresh && !certificate(unavailable: [7]).isFresh)
    #expect(certificate(complete: true, endedBy: .echo, drift: 0).isFresh)
  }

  @Test("a run that ended at an ignored answer is fresh, unless pages or documents are missing, or it failed")
  func ignored() {
    let ignored = certificate(endedBy: .ignored, claimed: 1000, seen: 3)
    #expect(ignored.status == .partial && !ignored.mayPublish && !ignored.endedBy.isEnd)
    #expect(RunReport.isFresh(.partial, ignored) && !RunReport.isFresh(.failed, ignored))
    #expect(!RunReport.isFresh(.partial, certificate(endedBy: .ignored, holes: [2])))
    #expect(!RunReport.isFresh(.partial, certificate(endedBy: .maxPages)))
  }

  @Test("a run that did not end the list is not fresh, whatever its certificate says")
  func status() {
    #expect(RunReport.isFresh(.complete, nil) && RunReport.isFresh(.inconsistent, certificate()))
    #expect(!RunReport.isFresh(.failed, certificate(complete: true)) && !RunReport.isFresh(.partial, nil))
  }
}
