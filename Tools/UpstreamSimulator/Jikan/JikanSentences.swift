enum JikanSentences {
  static let beginnings: [JSONFragment] = [
    "After losing everything on the night the harbor burned, ",
    "On the last day of a decade-long journey across the northern provinces, ",
    "In a town where nobody has seen the stars for a hundred years, ",
    "When a letter without a sender arrives at the academy's library, ",
    "Having sworn never to draw a blade again, ",
    "To pay off a debt that was never truly theirs, ",
    "Although the war ended before anyone could remember its cause, ",
    "With only a broken compass and a \"borrowed\" map for company, ",
    "Once the youngest member of the royal guard, ",
    "Born into a family of failed magicians, ",
    "As the summer festival draws near and old friends return, ",
    "Despite being told time and again to stay away from the forest, ",
  ]

  static let names: [JSONFragment] = [
    "Haruka Minamoto", "Souta Kirishima", "the retired knight Aldric", "Mei Tachibana", "the android Unit Seven",
    "a wandering fox spirit named Kohaku", "Princess Lysandra", "Ren Asakura", "the café owner's granddaughter",
    "Detective Yuuji Kurokawa", "the Demon King's youngest daughter", "Professor Ichinose",
  ]

  static let endings: [JSONFragment] = [
    " sets out to find the one person who still remembers the truth. ",
    " discovers that the past cannot be buried as easily as a sword. ",
    " must choose between a quiet life and a promise made long ago. ",
    " joins a band of misfits whose talents are as odd as their tempers\u{2014}and far more dangerous. ",
    " learns to see the world through the eyes of those once called enemies. ",
    " takes a job that looks simple and turns out to be anything but. ",
    " awakens in another world with nothing but a smartphone and 100 yen. ",
    " enters the tournament under a false name, hoping that nobody will notice. ",
    " begins to suspect that the kindly neighbors are hiding something beneath the shrine. ",
    " realizes how little time is left before the seasons stop turning. ",
    " forms an unlikely friendship that will change the fate of both kingdoms. ",
    " is drawn into a game whose rules are written anew every night. ",
  ]

  static let oddities: [JSONFragment] = [
    "&quot;Don&#039;t look back,&quot; she said &amp; left. ",
    "The message read only: \u{1F408}\u{200D}\u{2B1B}\u{1F319}! ",
    "Chapter\u{200B} one of\u{200B} many. ", "Name:\t\u{20BB7}\u{91CE}\u{5BB6}. ",
    "\u{2026}and then <i>everything</i> stopped. ",
    "Cost: 5/10 \\ each. ",
  ]

  static let paragraph: JSONFragment = "\n\n"
  static let signature: JSONFragment = "[Written by MAL Rewrite]"
  static let stub: JSONFragment = "No detailed description of this work has been written yet. "
  static let background: JSONFragment =
    "was released in seven volumes from January 24, 2014, to July 17, 2016, and received the 12th Lantern Award in the "
  static let backgroundEnd: JSONFragment =
    " category. The series was published in English digitally by Tidewater/North Pier in 2018."
}
