/// Pokémon that a person would look up, as they are.
enum PokeSpeciesFacts {
  /// Number, name, types, base stats, the species it evolves from (0 for none); gender rate, capture rate, height,
  /// weight and whether it is a baby, legendary or mythical; colour, abilities (h: hidden), and its names in Japanese,
  /// traditional and simplified Chinese and Korean.
  static let species = """
    1|bulbasaur|grass poison|45 49 49 65 65 45|0|1 45 7 69 -|green|65 34h|フシギダネ|妙蛙種子|妙蛙种子|이상해씨
    2|ivysaur|grass poison|60 62 63 80 80 60|1|1 45 10 130 -|green|65 34h|フシギソウ|妙蛙草|妙蛙草|이상해풀
    3|venusaur|grass poison|80 82 83 100 100 80|2|1 45 20 1000 -|green|65 34h|フシギバナ|妙蛙花|妙蛙花|이상해꽃
    4|charmander|fire|39 52 43 60 50 65|0|1 45 6 85 -|red|66 94h|ヒトカゲ|小火龍|小火龙|파이리
    5|charmeleon|fire|58 64 58 80 65 80|4|1 45 11 190 -|red|66 94h|リザード|火恐龍|火恐龙|리자드
    6|charizard|fire flying|78 84 78 109 85 100|5|1 45 17 905 -|red|66 94h|リザードン|噴火龍|喷火龙|리자몽
    7|squirtle|water|44 48 65 50 64 43|0|1 45 5 90 -|blue|67 44h|ゼニガメ|傑尼龜|杰尼龟|꼬부기
    8|wartortle|water|59 63 80 65 80 58|7|1 45 10 225 -|blue|67 44h|カメール|卡咪龜|卡咪龟|어니부기
    9|blastoise|water|79 83 100 85 105 78|8|1 45 16 855 -|blue|67 44h|カメックス|水箭龜|水箭龟|거북왕
    25|pikachu|electric|35 55 40 50 50 90|172|4 190 4 60 -|yellow|9 31h|ピカチュウ|皮卡丘|皮卡丘|피카츄
    26|raichu|electric|60 90 55 90 80 110|25|4 75 8 300 -|yellow|9 31h|ライチュウ|雷丘|雷丘|라이츄
    63|abra|psychic|25 20 15 105 55 90|0|2 200 9 195 -|brown|28 39 98h|ケーシィ|凱西|凯西|캐이시
    64|kadabra|psychic|40 35 30 120 70 105|63|2 100 13 565 -|brown|28 39 98h|ユンゲラー|勇基拉|勇基拉|윤겔라
    65|alakazam|psychic|55 50 45 135 95 120|64|2 50 15 480 -|brown|28 39 98h|フーディン|胡地|胡地|후딘
    92|gastly|ghost poison|30 35 30 100 35 80|0|4 190 13 1 -|purple|26|ゴース|鬼斯|鬼斯|고오스
    93|haunter|ghost poison|45 50 45 115 55 95|92|4 90 16 1 -|purple|26|ゴースト|鬼斯通|鬼斯通|고우스트
    94|gengar|ghost poison|60 65 60 130 75 110|93|4 45 15 405 -|purple|130|ゲンガー|耿鬼|耿鬼|팬텀
    106|hitmonlee|fighting|50 120 53 35 110 87|236|0 45 15 498 -|brown|7 120 84h|サワムラー|飛腿郎|飞腿郎|시라소몬
    107|hitmonchan|fighting|50 105 79 35 110 76|236|0 45 14 502 -|brown|51 89 39h|エビワラー|快拳郎|快拳郎|홍수몬
    129|magikarp|water|20 10 55 15 20 80|0|4 255 9 100 -|red|33 155h|コイキング|鯉魚王|鲤鱼王|잉어킹
    130|gyarados|water flying|95 125 79 60 100 81|129|4 45 65 2350 -|blue|22 153h|ギャラドス|暴鯉龍|暴鲤龙|갸라도스
    133|eevee|normal|55 55 50 45 65 55|0|1 45 3 65 -|brown|50 91 107h|イーブイ|伊布|伊布|이브이
    134|vaporeon|water|130 65 60 110 95 65|133|1 45 10 290 -|blue|11 93h|シャワーズ|水伊布|水伊布|샤미드
    135|jolteon|electric|65 65 60 110 95 130|133|1 45 8 245 -|yellow|10 95h|サンダース|雷伊布|雷伊布|쥬피썬더
    136|flareon|fire|65 130 60 95 110 65|133|1 45 9 250 -|red|18 62h|ブースター|火伊布|火伊布|부스터
    150|mewtwo|psychic|106 110 90 154 90 130|0|-1 3 20 1220 l|purple|46 127h|ミュウツー|超夢|超梦|뮤츠
    151|mew|psychic|100 100 100 100 100 100|0|-1 45 4 40 m|pink|28|ミュウ|夢幻|梦幻|뮤
    172|pichu|electric|20 40 15 35 35 60|0|4 190 3 20 b|yellow|9 31h|ピチュー|皮丘|皮丘|피츄
    175|togepi|fairy|35 20 65 40 65 20|0|1 190 3 15 b|white|55 32 105h|トゲピー|波克比|波克比|토게피
    176|togetic|fairy flying|55 40 85 80 105 40|175|1 75 6 32 -|white|55 32 105h|トゲチック|波克基古|波克基古|토게틱
    196|espeon|psychic|65 65 60 130 95 110|133|1 45 9 265 -|purple|28 156h|エーフィ|太陽伊布|太阳伊布|에브이
    197|umbreon|dark|95 65 110 60 130 65|133|1 45 10 270 -|black|28 39h|ブラッキー|月亮伊布|月亮伊布|블래키
    236|tyrogue|fighting|35 35 35 35 35 35|0|0 75 7 210 b|purple|62 80 72h|バルキー|無畏小子|无畏小子|배루키
    237|hitmontop|fighting|50 95 95 35 110 70|236|0 45 14 480 -|brown|22 101 80h|カポエラー|戰舞郎|战舞郎|카포에라
    246|larvitar|rock ground|50 64 50 45 50 41|0|4 45 6 720 -|green|62 8h|ヨーギラス|幼基拉斯|幼基拉斯|애버라스
    247|pupitar|rock ground|70 84 70 65 70 51|246|4 45 12 1520 -|gray|61|サナギラス|沙基拉斯|沙基拉斯|데기라스
    248|tyranitar|rock dark|100 134 110 95 100 61|247|4 45 20 2020 -|green|45 127h|バンギラス|班基拉斯|班基拉斯|마기라스
    252|treecko|grass|40 45 35 65 55 70|0|1 45 5 50 -|green|65 84h|キモリ|木守宮|木守宫|나무지기
    253|grovyle|grass|50 65 45 85 65 95|252|1 45 9 216 -|green|65 84h|ジュプトル|森林蜥蜴|森林蜥蜴|나무돌이
    254|sceptile|grass|70 85 65 105 85 120|253|1 45 17 522 -|green|65 84h|ジュカイン|蜥蜴王|蜥蜴王|나무킹
    280|ralts|psychic fairy|28 25 25 45 35 40|0|4 235 4 66 -|white|28 36 140h|ラルトス|拉魯拉絲|拉鲁拉丝|랄토스
    281|kirlia|psychic fairy|38 35 35 65 55 50|280|4 120 8 202 -|white|28 36 140h|キルリア|奇魯莉安|奇鲁莉安|킬리아
    282|gardevoir|psychic fairy|68 65 65 125 115 80|281|4 45 16 484 -|white|28 36 140h|サーナイト|沙奈朵|沙奈朵|가디안
    290|nincada|bug ground|31 45 90 30 30 40|0|4 255 5 55 -|gray|14 50h|ツチニン|土居忍士|土居忍士|토중몬
    291|ninjask|bug flying|61 90 45 50 50 160|290|4 120 8 120 -|yellow|3 151h|テッカニン|鐵面忍者|铁面忍者|아이스크
    292|shedinja|bug ghost|1 90 45 30 30 40|290|-1 45 8 12 -|brown|25|ヌケニン|脫殼忍者|脱壳忍者|껍질몬
    349|feebas|water|20 15 20 10 55 80|0|4 255 6 74 -|brown|33 12 91h|ヒンバス|醜醜魚|丑丑鱼|빈티나
    350|milotic|water|95 60 79 100 125 81|349|4 60 62 1620 -|pink|63 172 56h|ミロカロス|美納斯|美纳斯|밀로틱
    387|turtwig|grass|55 68 64 45 55 31|0|1 45 4 102 -|green|65 75h|ナエトル|草苗龜|草苗龟|모부기
    388|grotle|grass|75 89 85 55 65 36|387|1 45 11 970 -|green|65 75h|ハヤシガメ|樹林龜|树林龟|수풀부기
    389|torterra|grass ground|95 109 105 75 85 56|388|1 45 22 3100 -|green|65 75h|ドダイトス|土台龜|土台龟|토대부기
    447|riolu|fighting|40 70 40 35 40 60|0|1 75 7 202 b|blue|80 39 158h|リオル|利歐路|利欧路|리오르
    448|lucario|fighting steel|70 110 70 115 70 90|447|1 45 12 540 -|blue|80 39 154h|ルカリオ|路卡利歐|路卡利欧|루카리오
    468|togekiss|fairy flying|85 50 95 120 115 80|176|1 30 15 380 -|white|55 32 105h|トゲキッス|波克基斯|波克基斯|토게키스
    470|leafeon|grass|65 110 130 60 65 95|133|1 45 10 255 -|green|102 34h|リーフィア|葉伊布|叶伊布|리피아
    471|glaceon|ice|65 60 110 130 95 65|133|1 45 8 259 -|blue|81 115h|グレイシア|冰伊布|冰伊布|글레이시아
    475|gallade|psychic fighting|68 125 65 65 115 80|281|0 45 16 520 -|white|80 154h|エルレイド|艾路雷朵|艾路雷朵|엘레이드
    495|snivy|grass|45 45 55 45 55 63|0|1 45 6 81 -|green|65 126h|ツタージャ|藤藤蛇|藤藤蛇|주리비얀
    496|servine|grass|60 60 75 60 75 83|495|1 45 8 160 -|green|65 126h|ジャノビー|青藤蛇|青藤蛇|샤비
    497|serperior|grass|75 75 95 75 95 113|496|1 45 33 630 -|green|65 126h|ジャローダ|君主蛇|君主蛇|샤로다
    656|froakie|water|41 56 40 62 44 71|0|1 45 3 70 -|blue|67 168h|ケロマツ|呱呱泡蛙|呱呱泡蛙|개구마르
    657|frogadier|water|54 63 52 83 56 97|656|1 45 6 109 -|blue|67 168h|ゲコガシラ|呱頭蛙|呱头蛙|개굴반장
    658|greninja|water dark|72 95 67 103 71 122|657|1 45 15 400 -|blue|67 168h|ゲッコウガ|甲賀忍蛙|甲贺忍蛙|개굴닌자
    686|inkay|dark psychic|53 54 53 37 46 45|0|4 190 4 35 -|blue|126 21 151h|マーイーカ|好啦魷|好啦鱿|오케이징
    687|malamar|dark psychic|86 92 88 68 75 73|686|4 80 15 470 -|blue|126 21 151h|カラマネロ|烏賊王|乌贼王|칼라마네로
    700|sylveon|fairy|95 65 65 110 130 60|133|1 45 10 235 -|pink|56 182h|ニンフィア|仙子伊布|仙子伊布|님피아
    704|goomy|dragon|45 50 35 55 75 40|0|4 45 3 28 -|purple|157 93 183h|ヌメラ|黏黏寶|黏黏宝|미끄메라
    705|sliggoo|dragon|68 75 53 83 113 60|704|4 45 8 175 -|purple|157 93 183h|ヌメイル|黏美兒|黏美儿|미끄네일
    706|goodra|dragon|90 100 70 110 150 80|705|4 45 20 1505 -|purple|157 93 183h|ヌメルゴン|黏美龍|黏美龙|미끄래곤
    722|rowlet|grass flying|68 55 55 50 50 42|0|1 45 3 15 -|brown|65 203h|モクロー|木木梟|木木枭|나몰빼미
    723|dartrix|grass flying|78 75 75 70 70 52|722|1 45 7 160 -|brown|65 203h|フクスロー|投羽梟|投羽枭|빼미스로우
    724|decidueye|grass ghost|78 107 75 100 100 70|723|1 45 16 366 -|brown|65 203h|ジュナイパー|狙射樹梟|狙射树枭|모크나이퍼
    810|grookey|grass|50 65 50 40 40 65|0|1 45 3 50 -|green|65 229h|サルノリ|敲音猴|敲音猴|흥나숭
    811|thwackey|grass|70 85 70 55 60 80|810|1 45 7 140 -|green|65 229h|バチンキー|啪咚猴|啪咚猴|채키몽
    812|rillaboom|grass|100 125 90 60 70 85|811|1 45 21 900 -|green|65 229h|ゴリランダー|轟擂金剛猩|轰擂金刚猩|고릴타
    906|sprigatito|grass|40 61 54 45 45 65|0|1 45 4 41 -|green|65 168h|ニャオハ|新葉喵|新叶喵|나오하
    907|floragato|grass|61 80 63 60 63 83|906|1 45 9 122 -|green|65 168h|ニャローテ|蒂蕾喵|蒂蕾喵|나로테
    908|meowscarada|grass dark|76 110 70 81 70 123|907|1 45 15 312 -|green|65 168h|マスカーニャ|魔幻假面喵|魔幻假面喵|마스카나
    921|pawmi|electric|45 50 20 40 25 60|0|4 190 3 25 -|yellow|9 30 89h|パモ|布撥|布拨|빠모
    922|pawmo|electric fighting|60 75 40 50 40 85|921|4 80 4 65 -|yellow|10 30 89h|パモット|布土撥|布土拨|빠모트
    923|pawmot|electric fighting|70 115 70 70 60 105|922|4 45 9 410 -|yellow|10 30 89h|パーモット|巴布土撥|巴布土拨|빠르모트
    999|gimmighoul|ghost|45 30 70 75 70 10|0|-1 45 3 50 -|brown|155|コレクレー|索財靈|索财灵|모으령
    1000|gholdengo|steel ghost|87 60 95 133 91 84|999|-1 45 12 300 -|yellow|283|サーフゴー|賽富豪|赛富豪|타부자고
    1025|pecharunt|poison ghost|88 88 160 88 88 88|0|-1 3 3 3 m|purple|310|モモワロウ|桃歹郎|桃歹郎|복숭악동
    """

  /// Number, name, number of the species, types, base stats, abilities.
  static let forms = """
    10033|venusaur-mega|3|grass poison|80 100 123 122 120 80|47
    10034|charizard-mega-x|6|fire dragon|78 130 111 130 85 100|181
    10035|charizard-mega-y|6|fire flying|78 104 78 159 115 100|70
    10036|blastoise-mega|9|water|79 103 120 135 115 78|178
    10041|gyarados-mega|130|water dark|95 155 109 70 130 81|104
    10043|mewtwo-mega-x|150|psychic fighting|106 190 100 154 100 130|80
    10044|mewtwo-mega-y|150|psychic|106 150 70 194 120 140|15
    10100|raichu-alola|26|electric psychic|60 85 50 95 85 110|207
    """

  /// Abilities from 1 on.
  static let abilities = """
    stench drizzle speed-boost battle-armor sturdy damp limber sand-veil static volt-absorb water-absorb \
    oblivious cloud-nine compound-eyes insomnia color-change immunity flash-fire shield-dust own-tempo \
    suction-cups intimidate shadow-tag rough-skin wonder-guard levitate effect-spore synchronize clear-body \
    natural-cure lightning-rod serene-grace swift-swim chlorophyll illuminate trace huge-power poison-point \
    inner-focus magma-armor water-veil magnet-pull soundproof rain-dish sand-stream pressure thick-fat \
    early-bird flame-body run-away keen-eye hyper-cutter pickup truant hustle cute-charm plus minus forecast \
    sticky-hold shed-skin guts marvel-scale liquid-ooze overgrow blaze torrent swarm rock-head drought \
    arena-trap vital-spirit white-smoke pure-power shell-armor air-lock tangled-feet motor-drive rivalry \
    steadfast snow-cloak gluttony anger-point unburden heatproof simple dry-skin download iron-fist poison-heal \
    adaptability skill-link hydration solar-power quick-feet normalize sniper magic-guard no-guard stall \
    technician leaf-guard klutz mold-breaker super-luck aftermath anticipation forewarn unaware tinted-lens \
    filter slow-start scrappy storm-drain ice-body solid-rock snow-warning honey-gather frisk reckless
    """

  /// Further ones, by number.
  static let furtherAbilities: [Int: String] = [
    126: "contrary", 127: "unnerve", 130: "cursed-body", 140: "telepathy", 151: "infiltrator",
    153: "moxie", 154: "justified", 155: "rattled", 156: "magic-bounce", 157: "sap-sipper",
    158: "prankster", 168: "protean", 172: "competitive", 178: "mega-launcher", 181: "tough-claws",
    182: "pixilate", 183: "gooey", 203: "long-reach", 207: "surge-surfer", 229: "grassy-surge",
    283: "good-as-gold", 310: "poison-puppeteer",
  ]
}
