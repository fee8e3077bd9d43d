/// The members that become columns, by jikan-rest's `app/Http/Resources/V4` and recorded answers.
enum JikanMedia {
  static let types = MemberTypes(
    [
      "title": .text, "title_english": .text, "title_japanese": .text, "type": .text, "source": .text,
      "episodes": .whole, "chapters": .whole, "volumes": .whole, "status": .text, "airing": .flag, "publishing": .flag,
      "aired": .object(MemberTypes(["from": .date])), "published": .object(MemberTypes(["from": .date])),
      "rating": .text, "score": .number, "scored": .alias(of: "score"), "scored_by": .whole, "rank": .whole,
      "popularity": .whole, "members": .whole, "favorites": .whole, "season": .text, "year": .whole, "url": .text,
      "images": .object(MemberTypes(["jpg": .object(MemberTypes(["image_url": .text]))])), "synopsis": .text,
      "approved": .flag,
    ], expected: ["title"])
}
