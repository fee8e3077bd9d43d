extension ITunesRecord {
  var app: ITunesMembers {
    let isMac = address.kind == .macApp
    var members = members
    addAppPictures(isMac: isMac, to: &members)
    members.add("kind", isMac ? "mac-software" : "software")
    members.add("minimumOsVersion", isMac ? "10.15" : "\(13 + draw(.version, below: 5)).0")
    members.add("trackName", name)
    members.add("trackId", number(id))
    members.add("sellerName", artist.name)
    members.add("releaseNotes", chance(.presence, 88) ? "• \(ITunesWords.title(draws.of(2), language))\n\n• ↑" : nil)
    members.add("primaryGenreId", genre.id)
    members.add("primaryGenreName", genre.name(language))
    members.add("isVppDeviceBasedLicensingEnabled", true)
    members.add("releaseDate", releaseDate)
    members.add("genreIds", ["\(genre.id)", "6000"])
    members.add("genres", [genre.name(language), language == .english ? "Business" : "商務"])
    members.add("currentVersionReleaseDate", "2026-0\(1 + draw(.month, below: 9))-17T\(releaseDate.suffix(9))")
    members.add("trackCensoredName", name)
    members.add("languageCodesISO2A", ["EN", "JA", "ZH"])
    // Text, where an ebook has a number.
    members.add("fileSizeBytes", "\(1_000_000 + draw(.bytes, below: 4_000_000_000))")
    members.add("sellerUrl", chance(.copyright, 70) ? "https://www.example.com/\(id)/" : nil)
    addAppRatings(isMac: isMac, to: &members)
    members.add("trackViewUrl", page("apps", "app", name, id, isMac ? "mt=12&" : ""))
    members.add("description", description(html: false) + "\n\n" + description(html: false))
    members.add("currency", store.currency.code)
    members.add("artistId", number(artist.id))
    members.add("artistName", artist.name)
    members.add("formattedPrice", store.currency.formatted(cents: cents, language))
    members.add("price", price(cents: cents))
    members.add("bundleId", ITunesCodes.bundle(of: address))
    members.add("version", "\(1 + draw(.version, below: 9)).\(draw(.bytes, below: 10)).\(draw(.ratings, below: 4))")
    members.add("wrapperType", "software")
    return members
  }

  private func addAppPictures(isMac: Bool, to members: inout ITunesMembers) {
    let shots = (1...3).map { artwork(392 + $0, "Purple") }
    members.add("screenshotUrls", shots)
    if !isMac {
      members.add("ipadScreenshotUrls", chance(.artwork, 50) ? shots : [])
      members.add("appletvScreenshotUrls", [String]())
      members.add("supportedDevices", ["iPhone11-iPhone11", "iPadMini4-iPadMini4"])
      members.add("advisories", [String]())
      members.add("isGameCenterEnabled", chance(.artwork, 20))
      members.add("features", ["iosUniversal"])
    }
    addArtwork([60, 512, 100], "Purple", to: &members)
    members.add("artistViewUrl", page("apps", "developer", artist.name, artist.id))
  }

  private func addAppRatings(isMac: Bool, to members: inout ITunesMembers) {
    let age = ["4+", "9+", "12+", "17+"][draw(.explicitness, below: 4)]
    members.add("contentAdvisoryRating", age)
    members.add("trackContentRating", age)
    let count = chance(.rating, 10) ? 0 : 1 + draw(.ratings, below: 100_000)
    // As many digits as a binary fraction has.
    let digits = (0..<(count == 0 ? 0 : 30)).map { "\(draws.draw(300 + $0, below: 10))" }.joined()
    let average = count == 0 ? "0" : "\(1 + draw(.rating, below: 4)).\(digits)7"
    for suffix in ["", "ForCurrentVersion"] {
      members.add("averageUserRating\(suffix)", number: average)
      members.add("userRatingCount\(suffix)", count)
    }
  }
}
