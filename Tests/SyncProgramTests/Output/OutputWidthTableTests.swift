import Testing

@testable import SyncProgram

/// Compares the widths of single scalars with those of wcwidth 0.7.0 from PyPI (Unicode 17).
@Suite struct OutputWidthTableTests {
  @Test func widthsAgreeWithWcwidth() throws {
    let samples = Self.samples.split(whereSeparator: \.isWhitespace)
    #expect(samples.count == 326)
    for sample in samples {
      let parts = sample.split(separator: ":")
      let value = try #require(UInt32(parts[0], radix: 16))
      let scalar = try #require(Unicode.Scalar(value))
      let width = try #require(Int(parts[1]))
      if Self.marksOfUnicode17.contains(value), scalar.properties.generalCategory == .unassigned { continue }
      #expect(TerminalText.displayWidth(scalar) == width, "U+\(parts[0])")
    }
  }

  @Test func rangesAreAscendingAndApart() {
    for (left, right) in zip(WidthTable.wide, WidthTable.wide.dropFirst()) {
      #expect(left.upperBound + 1 < right.lowerBound)
    }
  }

  /// Swift's standard library before 6.3 supports only Unicode 16 and does not know these marks.
  private static let marksOfUnicode17: Set<UInt32> = [0x1AD3, 0x1ADA, 0x10EFA, 0x10EFB]

  /// Random scalars of each width, and the edges of wide ranges. Spacing marks (category Mc) are omitted, because
  /// wcwidth says 0 and terminals draw one column.
  private static let samples = """
    6F:1 AB:1 B9:1 E1:1 18A:1 23E:1 301:0 308:0 331:0 333:0 335:0 35F:0 361:0 36E:0 36F:0 5A9:0 64B:0 67B:1 6E1:0
    711:0 736:0 7E1:1 89B:0 8CD:0 8E6:0 8E8:0 8F2:0 8FA:0 963:0 9C1:0 9E2:0 A5E:1 A81:0 AE2:0 AFF:0 B8F:1 C46:0
    C4A:0 C69:1 D44:0 DD2:0 E14:1 E34:0 E35:0 E4E:0 ECE:0 F21:1 F37:0 F9C:0 FA3:0 1100:2 1164:0 116B:0 117A:0
    1196:0 1199:0 119B:0 11AE:0 11BA:0 1200:1 1273:1 12C4:1 12F7:1 130E:1 1322:1 1677:1 1713:0 17BA:0 17C6:0 180B:0
    188F:1 18CF:1 1922:0 1999:1 1A18:0 1A6C:0 1A7B:0 1AD3:0 1ADA:0 1B02:0 1B6B:0 1C30:0 1CDA:0 1CE4:0 1DC2:0 1DEF:0
    1DFC:0 1DFE:0 1F8D:1 1F94:1 200B:0 200D:0 2013:1 2026:1 20D6:0 2137:1 22D4:1 231C:1 239A:1 239C:1 23E9:2 23F1:1
    2445:1 25FD:2 2616:1 2648:2 2680:1 2693:2 26A2:1 26BD:2 26C6:1 26D4:2 26EB:1 26EE:1 26F5:2 26FB:1 2705:2 270C:1
    274C:2 274F:1 2757:2 2798:1 27BF:2 2A1B:1 2B1D:1 2B55:2 2CED:1 2D22:1 2DE0:0 2DFA:0 2DFF:0 2E12:1 2E20:1 2E9B:2
    302A:0 3041:2 3042:2 3131:2 3179:2 31EF:2 3250:2 37D0:2 5573:2 707A:2 8598:2 A3BE:2 A5D0:1 A5F4:1 A659:1 A67B:0
    A6A2:1 A714:1 A888:1 A8E2:0 A9B7:0 AA15:1 AAED:0 AAF6:0 AC00:2 ADF6:2 B9ED:2 C1DA:2 CD0F:2 D445:2 D7BD:0 D7DE:0
    D7EB:0 D7F2:0 D7FB:0 F95A:2 FC6A:1 FE10:2 FE68:2 FF21:2 FFD3:1 FFE0:2 100B3:1 101FD:0 10294:1 10304:1 10379:0
    104CC:1 1051F:1 105C9:1 10611:1 10640:1 10747:1 1078B:1 10D24:0 10D27:0 10EFA:0 10EFB:0 10F70:1 11073:0 11099:1
    11104:1 112B1:1 1138B:1 115A3:1 11A01:0 11ABC:1 11C26:1 11C38:0 11C97:0 11C9B:0 11C9F:0 11CB6:0 11D32:0 11F40:0
    12346:1 13058:1 1315C:1 13251:1 13455:0 1346C:1 134F9:1 13503:1 13771:1 13875:1 1399F:1 13A29:1 13A32:1 13A37:1
    13BA9:1 13D6C:1 13E54:1 14112:1 1429F:1 14438:1 14600:1 16122:0 168F1:1 169B2:1 16A36:1 16B32:0 16EC1:1 16F1C:1
    16FF2:2 172D8:2 178FD:2 17E37:2 18522:2 188BD:2 18D80:2 1AFFD:2 1B040:2 1B150:2 1B170:2 1CE35:1 1CECD:1 1CF01:0
    1CF30:0 1CF38:0 1D0D5:1 1D181:0 1D1AA:0 1D377:1 1D41A:1 1D566:1 1D56A:1 1D5E5:1 1D7C7:1 1D8DA:1 1DA3A:1 1DA43:0
    1DF06:1 1DF14:1 1E009:0 1E6E7:1 1E8D6:0 1ED28:1 1F04C:1 1F08F:1 1F0CF:2 1F162:1 1F191:2 1F19C:1 1F1EF:2 1F210:2
    1F260:2 1F32D:2 1F37D:1 1F3A0:2 1F3D4:1 1F3F4:2 1F43F:1 1F442:2 1F53E:1 1F550:2 1F55D:2 1F57B:1 1F5A4:2 1F600:2
    1F624:2 1F644:2 1F650:1 1F6CC:2 1F6D3:1 1F6E0:1 1F755:1 1F79C:1 1F7E0:2 1F905:1 1F93B:1 1F947:2 1FA80:2 1FACD:2
    1FBBB:1 20000:2 20308:2 23F2E:2 28482:2 2B093:2 2EA7F:2 30310:2 311C2:2 31539:2 31AD6:2 331B0:2 E0112:0 E0126:0
    E012C:0 E014C:0 E0159:0 E01C1:0 E01C7:0
    """
}
