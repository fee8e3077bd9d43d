import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram

extension RestReader {
  func entries(of items: [ScannedItemResult]) -> [Page.Entry] {
    var keys: [Int64: RestKey] = [:]
    return items.map { result in
      result.entry { item in
        do throws(FieldFault) {
          return entry(try withAddedMembers(item), isRepaired: item.isRepaired, &keys)
        } catch {
          return .rejected(RejectedItem(error, key: nil, document: item.canonical))
        }
      }
    }
  }

  /// Reads a document of the mirror again.
  func stored(_ document: [UInt8]) -> Page.Entry {
    var keys: [Int64: RestKey] = [:]
    return .stored(document, { entry($0, isRepaired: $0.isRepaired, &keys) }) { () throws(JSONScanError) in
      try JSONScan.document(document, counterMembers: counters, keyMember: keyMember, limits: .stored)
    }
  }

  /// Returns the key of an item that was requested alone; `nil` if the item has no valid key.
  /// - Parameter path: The members that lead from the body to the item.
  /// - Throws: `SyncError` `.upstream` if the body has no item.
  func key(
    ofItemIn response: UpstreamResponse, at path: [String], to request: UpstreamRequest
  ) throws(SyncError) -> Int64? {
    let item = try Result { () throws(JSONScanError) in
      try JSONScan.item(response.body, itemPath: path, keyMember: keyMember, limits: .body)
    }.mapError { unusable(response.body, to: request, what: "an item", because: $0) }.get()
    return try? RestKey(item, of: resource.table).value
  }

  /// - Parameters:
  ///   - isRepaired: Whether the received item was changed so that it can be stored.
  ///   - keys: The keys of the page's items before this one.
  private func entry(_ item: ScannedItem, isRepaired: Bool, _ keys: inout [Int64: RestKey]) -> Page.Entry {
    do {
      let key = try RestKey(item, of: resource.table)
      // The item has a readable key, so it counts as seen.
      if let fault = try fault(of: key, earlier: keys[key.value]) {
        return .rejected(RejectedItem(fault, key: key.value, document: item.canonical))
      }
      keys[key.value] = key
      return .item(
        PageItem(
          key: key.value,
          document: item.canonical,
          contentHash: item.contentHash + [UInt8(Self.mappingVersion)],
          counterHash: item.counterHash,
          counters: item.counters,
          isRepaired: isRepaired,
          misfits: misfits(in: item.canonical)))
    } catch {
      return .rejected(RejectedItem(error, key: nil, document: item.canonical))
    }
  }

  /// Returns why an item with a readable key cannot be stored.
  /// - Parameter earlier: The key of an earlier item of the page with the same value.
  /// - Throws: `FieldFault` if the value identifies two items.
  private func fault(of key: RestKey, earlier: RestKey?) throws(FieldFault) -> FieldFault? {
    if let earlier, earlier.members != key.members {
      throw FieldFault(
        reason: "key_collision",
        detail: "\(Excerpt.of(key.members)) has the same hash as \(Excerpt.of(earlier.members))")
    }
    if let fault = key.fault { return fault }
    guard let earlier, earlier.areTexts != key.areTexts else { return nil }
    return FieldFault(
      reason: RejectedItem.keyType,
      detail: "\(Excerpt.of(key.members)) is in the page twice, as a text and as a number")
  }

  /// The misfits of an item, whose examples show no secret.
  private func misfits(in canonical: [UInt8]) -> [Misfit] {
    let misfits = types.findings(in: canonical).misfits
    guard !misfits.isEmpty, let masked = mask.masking(canonical, .message) else { return misfits }
    return types.findings(in: masked).misfits
  }

  /// Returns the entries, whose rejected items show no secret. Their excerpts can end within a secret, so they are made
  /// again from a body without secrets.
  func withoutSecrets(_ entries: [Page.Entry], in body: [UInt8]) -> [Page.Entry] {
    guard !entries.allSatisfy(\.isItem), let masked = mask.masking(body, .message) else { return entries }
    let maskedEntries = (try? scan(masked)).map { self.entries(of: $0.items) } ?? []

    return entries.indices.map { index in
      guard case .rejected(let item) = entries[index] else { return entries[index] }
      if maskedEntries.count == entries.count, case .rejected = maskedEntries[index] { return maskedEntries[index] }
      return .rejected(
        RejectedItem(
          key: item.key, reason: item.reason, detail: SecretMask.replacement, excerpt: SecretMask.replacement))
    }
  }
}
