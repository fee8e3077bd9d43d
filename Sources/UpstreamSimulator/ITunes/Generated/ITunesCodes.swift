/// The other names of records: what is printed on a box, in a book, or in an app. They are the same in all stores.
enum ITunesCodes {
  private static let isbnPrefix = "978"

  /// The number in the All Music Guide, which the first artists of a world have.
  static func amgArtist(_ address: ITunesAddress) -> Int? {
    address.kind == .artist && address.index < 4 ? address.world * 4 + address.index + 1 : nil
  }

  static func artist(amg: Int) -> ITunesAddress? {
    guard (1...ITunesAddress.worlds * 4).contains(amg) else { return nil }
    return ITunesAddress((amg - 1) / 4, .artist, (amg - 1) % 4)
  }

  static func amgAlbum(_ address: ITunesAddress) -> Int { address.world * ITunesAddress.records + address.index + 1 }

  static func album(amg: Int) -> ITunesAddress? {
    guard (1...ITunesAddress.worlds * ITunesAddress.records).contains(amg) else { return nil }
    return ITunesAddress((amg - 1) / ITunesAddress.records, .album, (amg - 1) % ITunesAddress.records)
  }

  /// Eleven digits and a check digit.
  static func upc(of album: ITunesAddress) -> String { checked(padded(amgAlbum(album), to: 11)) }

  static func album(upc: String) -> ITunesAddress? {
    guard upc.utf8.count == 12, checked(String(upc.dropLast())) == upc else { return nil }
    return Int(upc.dropLast()).flatMap { album(amg: $0) }
  }

  /// Thirteen digits, the last of which is a check digit.
  static func isbn(of ebook: ITunesAddress) -> String {
    checked(isbnPrefix + padded(ebook.world * ITunesAddress.records + ebook.index, to: 9))
  }

  static func ebook(isbn: String) -> ITunesAddress? {
    guard isbn.utf8.count == 13, isbn.hasPrefix(isbnPrefix), checked(String(isbn.dropLast())) == isbn,
      let number = Int(isbn.dropFirst(3).dropLast()), number >= 0
    else { return nil }
    let world = number / ITunesAddress.records
    return world < ITunesAddress.worlds ? ITunesAddress(world, .ebook, number % ITunesAddress.records) : nil
  }

  static func bundle(of app: ITunesAddress) -> String { "com.example.a\(String(app.row, radix: 36))" }

  static func app(bundle: String) -> ITunesAddress? {
    guard let digits = bundle.split(separator: ".").last, let row = Int(digits.dropFirst(), radix: 36), row >= 0,
      let address = ITunesAddress(row: row), Self.bundle(of: address) == bundle
    else { return nil }
    return [.app, .macApp].contains(address.kind) ? address : nil
  }

  private static func padded(_ number: Int, to length: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
  }

  /// Digits with the one that makes every second of them, times three, and the others add up to a multiple of ten.
  private static func checked(_ digits: String) -> String {
    let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, digit in
      sum + Int(digit.element &- 0x30) * (digit.offset % 2 == 0 ? 3 : 1)
    }
    return "\(digits)\((10 - sum % 10) % 10)"
  }
}
