import SyncCore

/// The lists that the readings of a walk have read to their ends, as a store keeps them.
struct WalkedLists {
  /// A list that was read to its end, with the number of its last reading.
  struct Ended {
    let name: String
    let ending: ListEnding
    let lastReading: Int
  }

  let ended: [Ended]
  private let pages: [StoredPage]

  /// - Parameter pages: All readings of the walk, in the order of their numbers.
  init(_ pages: [StoredPage]) {
    self.pages = pages
    ended = pages.compactMap { page in
      guard let list = page.list, let ending = list.ending else { return nil }
      return Ended(name: list.name, ending: ending, lastReading: page.number)
    }
  }

  /// The readings that a resumed run replays: batches, and the readings of lists that were not read to their ends.
  var replayed: [StoredPage] {
    let names = Set(ended.map(\.name))
    return pages.filter { page in page.list.map { !names.contains($0.name) } ?? true }
  }

  var endedLists: EndedLists {
    var tally = ListTally()
    for list in ended { tally.add(list.ending.status, list.ending.certificate) }
    tally.readings = pages.count - replayed.count
    return EndedLists(names: Set(ended.map(\.name)), tally: tally)
  }

  /// The keys of a list in the order of their places. If several readings have a key, the last reading determines its
  /// place. A superseded reading of a page determines it only if no other reading has the key.
  func places(of list: Ended) -> [Int64] {
    let superseded = list.ending.superseded
    let readings = pages.filter { page in
      page.page != nil && (list.ending.firstReading...list.lastReading).contains(page.number)
        && !superseded.contains { $0.contains(page.number) }
    }

    var places: [Int64: (isOld: Bool, page: Int, ordinal: Int)] = [:]
    for (index, reading) in readings.enumerated() {
      let number = reading.page ?? 0
      let isOld = readings[(index + 1)...].contains { $0.page == number }
      for (ordinal, key) in (reading.keys ?? []).enumerated() {
        // A repeat on the same page does not move the key.
        if let place = places[key], place.page == number && place.isOld == isOld || isOld && !place.isOld { continue }
        places[key] = (isOld, number, ordinal)
      }
    }
    return places.sorted { ($0.value.page, $0.value.ordinal, $0.key) < ($1.value.page, $1.value.ordinal, $1.key) }
      .map(\.key)
  }
}

extension Certificate.Lists {
  /// The numbers: all lists, complete, unproven, inconsistent, partial and ignored lists.
  var counts: [Int] { [total, complete, unproven, inconsistent, partial, ignored] }
}
