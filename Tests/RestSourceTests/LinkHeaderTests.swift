import Foundation
import Testing

@testable import RestSource

@Suite("The header Link")
struct LinkHeaderTests {
  @Test(
    "names the address of a relation",
    arguments: [
      (#"<https://a.be/x?page=2>; rel="next", <https://a.be/x?page=9>; rel="last""#, "https://a.be/x?page=2"),
      (
        #"<https://a.be/x?page=1>; rel="prev", <https://a.be/x?page=3>; title="a, b"; rel=next"#,
        "https://a.be/x?page=3"
      ),
      // Several headers are joined with commas, and an address can have commas too.
      (#"</x?ids=1,2>; rel="first", </x?ids=3,4>; rel="next", </x?ids=5,6>; rel="last""#, "/x?ids=3,4"),
      ("</x?page=2>; rel=\"prev next\"", "/x?page=2"), ("<https://a.be/x>; rel=\"last\"", nil), ("", nil),
      ("<https://a.be/x>; rev=next", nil),
      // RFC 8288 compares names and relations without case, and permits blanks around the equals sign.
      ("</x?page=2>; REL=\"Next\"", "/x?page=2"), ("</x?page=2>;Rel=NEXT", "/x?page=2"),
      ("</x?page=2> ; rel = \"next\" ; title*=UTF-8'en'a", "/x?page=2"), ("</x?page=2>; rel='next'", "/x?page=2"),
      ("</x?page=2>;;rel=next;", "/x?page=2"), (", ,</x?page=2>; rel=next,", "/x?page=2"),
      ("</x>; rel=\"\tprev   NEXT \"", "/x"), ("<>; rel=next", ""),
      // A quoted text can have any character, escaped or not.
      (#"</a>; title="\"<b>; rel=next, "; rel=prev, </c>; rel=next"#, "/c"),
      (#"</a>; title='rel="next"'; rel=prev"#, nil), ("</a>; rel=nextpage, </b>; rel=\"next-page\"", nil),
      // Only the first relation parameter counts.
      ("</a>; rel=prev; rel=next, </b>; rel=next", "/b"),
    ])
  func target(header: String, expected: String?) {
    let links = LinkHeader(header)
    #expect(links.target(of: "next") == expected)
    #expect(links.isWhole)
  }

  private static func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test("the relation of the declaration is compared without case, too")
  func declaredRelation() {
    #expect(LinkHeader("</a>; rel=nextpage").target(of: "NextPage") == "/a")
  }

  @Test(
    "a header with a part that is not a link is not whole, so that nobody takes it for the end of a list",
    arguments: [
      "<", "</x?page=2; rel=\"next\"", "/x?page=2; rel=next", "</a>; rel=prev, x", "</a>; rel=\"prev",
      "</a> b; rel=prev",
      "</a>; rel=prev, </b", "\u{0}",
    ])
  func broken(header: String) {
    let links = LinkHeader(header)
    #expect(!links.isWhole)
    #expect(links.target(of: "next") == nil)
  }

  @Test(
    "a mebibyte of the worst texts is read in less than a second",
    arguments: [
      "<", "<>", ">", "<>;", "<a>,", ";", ",", "\"", "<>;rel=\"", "<>;a=\"\\", "<>; rel=next x", " ", "<> ",
      "<a>;rel='",
      "=", "<>;=", "<x>;rel=\"next\",",
    ])
  func linear(piece: String) {
    let header = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    // Other tests run at the same time, so the thread's own time counts.
    let start = Self.threadTime()
    _ = LinkHeader(header).target(of: "no such relation")
    let time = Self.threadTime() - start
    #expect(time < .seconds(1), "\(time)")
  }
}
