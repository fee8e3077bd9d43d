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
      ("</x?page=2>; rel=\"prev next\"", "/x?page=2"), ("<https://a.be/x>; rel=\"last\"", nil), ("", nil), ("<", nil),
      ("<https://a.be/x>; rev=next", nil),
    ])
  func target(header: String, expected: String?) {
    #expect(LinkHeader.target(of: "next", in: header) == expected)
  }
}
