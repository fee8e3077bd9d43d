/// The data of the handmade PokeAPI, as in reality.
enum PokeTables {
  /// Id, name, types, base stats, the species it evolves from; gender rate, capture rate, height, weight, experience
  /// and the ids of color, shape, habitat and growth rate; egg groups; `b` baby, `l` legendary, `m` mythical, `f` other
  /// pictures of females; abilities (`h` hidden); name in Japanese and Chinese, genus in English and Chinese.
  static let species = """
    1|bulbasaur|grass poison|45 49 49 65 65 45|0|1 45 7 69 64 5 8 3 4|1 7|-|65 34h|フシギダネ|妙蛙種子|Seed|種子
    2|ivysaur|grass poison|60 62 63 80 80 60|1|1 45 10 130 142 5 8 3 4|1 7|-|65 34h|フシギソウ|妙蛙草|Seed|種子
    3|venusaur|grass poison|80 82 83 100 100 80|2|1 45 20 1000 236 5 8 3 4|1 7|f|65 34h|フシギバナ|妙蛙花|Seed|種子
    4|charmander|fire|39 52 43 60 50 65|0|1 45 6 85 62 8 6 4 4|1 14|-|66 94h|ヒトカゲ|小火龍|Lizard|蜥蜴
    5|charmeleon|fire|58 64 58 80 65 80|4|1 45 11 190 142 8 6 4 4|1 14|-|66 94h|リザード|火恐龍|Flame|火焰
    6|charizard|fire flying|78 84 78 109 85 100|5|1 45 17 905 240 8 6 4 4|1 14|-|66 94h|リザードン|噴火龍|Flame|火焰
    7|squirtle|water|44 48 65 50 64 43|0|1 45 5 90 63 2 6 9 4|1 2|-|67 44h|ゼニガメ|傑尼龜|Tiny Turtle|小龜
    8|wartortle|water|59 63 80 65 80 58|7|1 45 10 225 142 2 6 9 4|1 2|-|67 44h|カメール|卡咪龜|Turtle|龜
    9|blastoise|water|79 83 100 85 105 78|8|1 45 16 855 239 2 6 9 4|1 2|-|67 44h|カメックス|水箭龜|Shellfish|甲殼
    25|pikachu|electric|35 55 40 50 50 90|172|4 190 4 60 112 10 8 2 2|5 6|f|9 31h|ピカチュウ|皮卡丘|Mouse|鼠
    26|raichu|electric|60 90 55 90 80 110|25|4 75 8 300 218 10 6 2 2|5 6|f|9 31h|ライチュウ|雷丘|Mouse|鼠
    92|gastly|ghost poison|30 35 30 100 35 80|0|4 190 13 1 62 7 1 1 4|11|-|26|ゴース|鬼斯|Gas|氣體狀
    93|haunter|ghost poison|45 50 45 115 55 95|92|4 90 16 1 142 7 4 1 4|11|-|26|ゴースト|鬼斯通|Gas|氣體狀
    94|gengar|ghost poison|60 65 60 130 75 110|93|4 45 15 405 225 7 6 1 4|11|-|130|ゲンガー|耿鬼|Shadow|影子
    129|magikarp|water|20 10 55 15 20 80|0|4 255 9 100 40 8 3 9 1|12 14|f|33 155h|コイキング|鯉魚王|Fish|魚
    130|gyarados|water flying|95 125 79 60 100 81|129|4 45 65 2350 189 2 2 9 1|12 14|f|22 153h|ギャラドス|暴鯉龍|Atrocious|凶惡
    133|eevee|normal|55 55 50 45 65 55|0|1 45 3 65 65 3 8 8 2|5|f|50 91 107h|イーブイ|伊布|Evolution|進化
    134|vaporeon|water|130 65 60 110 95 65|133|1 45 10 290 184 2 8 8 2|5|-|11 93h|シャワーズ|水伊布|Bubble Jet|吐泡
    135|jolteon|electric|65 65 60 110 95 130|133|1 45 8 245 184 10 8 8 2|5|-|10 95h|サンダース|雷伊布|Lightning|雷
    136|flareon|fire|65 130 60 95 110 65|133|1 45 9 250 184 8 8 8 2|5|-|18 62h|ブースター|火伊布|Flame|火
    150|mewtwo|psychic|106 110 90 154 90 130|0|-1 3 20 1220 306 7 6 5 1|15|l|46 127h|ミュウツー|超夢|Genetic|基因
    151|mew|psychic|100 100 100 100 100 100|0|-1 45 4 40 270 6 6 5 4|15|m|28|ミュウ|夢幻|New Species|新種
    172|pichu|electric|20 40 15 35 35 60|0|4 190 3 20 41 10 8 2 2|15|b|9 31h|ピチュー|皮丘|Tiny Mouse|小鼠
    175|togepi|fairy|35 20 65 40 65 20|0|1 190 3 15 49 9 12 2 3|15|b|55 32 105h|トゲピー|波克比|Spike Ball|針球
    176|togetic|fairy flying|55 40 85 80 105 40|175|1 75 6 32 142 9 12 2 3|4 6|-|55 32 105h|トゲチック|波克基古|Happiness|幸福
    196|espeon|psychic|65 65 60 130 95 110|133|1 45 9 265 184 7 8 8 2|5|-|28 156h|エーフィ|太陽伊布|Sun|太陽
    197|umbreon|dark|95 65 110 60 130 65|133|1 45 10 270 184 1 8 8 2|5|-|28 39h|ブラッキー|月亮伊布|Moonlight|月光
    246|larvitar|rock ground|50 64 50 45 50 41|0|4 45 6 720 60 5 6 4 1|1|-|62 8h|ヨーギラス|幼基拉斯|Rock Skin|岩石膚
    247|pupitar|rock ground|70 84 70 65 70 51|246|4 45 12 1520 144 4 2 4 1|1|-|61|サナギラス|沙基拉斯|Hard Shell|子彈
    248|tyranitar|rock dark|100 134 110 95 100 61|247|4 45 20 2020 270 5 6 4 1|1|-|45 127h|バンギラス|班基拉斯|Armor|鎧甲
    280|ralts|psychic fairy|28 25 25 45 35 40|0|4 235 4 66 40 9 12 8 1|8 11|-|28 36 140h|ラルトス|拉魯拉絲|Feeling|心情
    281|kirlia|psychic fairy|38 35 35 65 55 50|280|4 120 8 202 97 9 12 8 1|8 11|-|28 36 140h|キルリア|奇魯莉安|Emotion|感情
    282|gardevoir|psychic fairy|68 65 65 125 115 80|281|4 45 16 484 233 9 12 8 1|8 11|-|28 36 140h|サーナイト|沙奈朵|Embrace|包容
    290|nincada|bug ground|31 45 90 30 30 40|0|4 255 5 55 53 4 14 2 5|3|-|14 50h|ツチニン|土居忍士|Trainee|入門
    291|ninjask|bug flying|61 90 45 50 50 160|290|4 120 8 120 160 10 13 2 5|3|-|3 151h|テッカニン|鐵面忍者|Ninja|忍者
    292|shedinja|bug ghost|1 90 45 30 30 40|290|-1 45 8 12 83 3 5 2 5|10|-|25|ヌケニン|脫殼忍者|Shed|空殼
    349|feebas|water|20 15 20 10 55 80|0|4 255 6 74 40 3 3 9 5|2 14|-|33 12 91h|ヒンバス|醜醜魚|Fish|魚
    350|milotic|water|95 60 79 100 125 81|349|4 60 62 1620 189 6 2 9 5|2 14|f|63 172 56h|ミロカロス|美納斯|Tender|慈愛
    386|deoxys|psychic|50 150 50 150 50 150|0|-1 3 17 608 270 8 12 5 1|15|m|46|デオキシス|代歐奇希斯|DNA|ＤＮＡ
    447|riolu|fighting|40 70 40 35 40 60|0|1 75 7 202 57 2 6 0 4|15|b|80 39 158h|リオル|利歐路|Emanation|波紋
    448|lucario|fighting steel|70 110 70 115 70 90|447|1 45 12 540 184 2 6 0 4|5 8|-|80 39 154h|ルカリオ|路卡利歐|Aura|波導
    468|togekiss|fairy flying|85 50 95 120 115 80|176|1 30 15 380 245 9 9 0 3|4 6|-|55 32 105h|トゲキッス|波克基斯|Jubilee|祝福
    470|leafeon|grass|65 110 130 60 65 95|133|1 45 10 255 184 5 8 0 2|5|-|102 34h|リーフィア|葉伊布|Verdant|新綠
    471|glaceon|ice|65 60 110 130 95 65|133|1 45 8 259 184 2 8 0 2|5|-|81 115h|グレイシア|冰伊布|Fresh Snow|新雪
    475|gallade|psychic fighting|68 125 65 65 115 80|281|0 45 16 520 233 9 12 0 1|8 11|-|80 154h|エルレイド|艾路雷朵|Blade|刀刃
    686|inkay|dark psychic|53 54 53 37 46 45|0|4 190 4 35 58 2 10 0 2|2 12|-|126 21 151h|マーイーカ|好啦魷|Revolving|迴轉
    687|malamar|dark psychic|86 92 88 68 75 73|686|4 80 15 470 169 2 6 0 2|2 12|-|126 21 151h|カラマネロ|烏賊王|Overturning|逆轉
    700|sylveon|fairy|95 65 65 110 130 60|133|1 45 10 235 184 6 8 0 2|5|-|56 182h|ニンフィア|仙子伊布|Intertwining|連結
    704|goomy|dragon|45 50 35 55 75 40|0|4 45 3 28 60 7 2 0 1|14|-|157 93 183h|ヌメラ|黏黏寶|Soft Tissue|軟體
    705|sliggoo|dragon|68 75 53 83 113 60|704|4 45 8 175 158 7 2 0 1|14|-|157 93 183h|ヌメイル|黏美兒|Soft Tissue|軟體
    706|goodra|dragon|90 100 70 110 150 80|705|4 45 20 1505 270 7 6 0 1|14|-|157 93 183h|ヌメルゴン|黏美龍|Dragon|龍
    906|sprigatito|grass|40 61 54 45 45 65|0|1 45 4 41 62 5 8 0 4|5 7|-|65 168h|ニャオハ|新葉喵|Grass Cat|草貓
    907|floragato|grass|61 80 63 60 63 83|906|1 45 9 122 144 5 6 0 4|5 7|-|65 168h|ニャローテ|蒂蕾喵|Grass Cat|草貓
    908|meowscarada|grass dark|76 110 70 81 70 123|907|1 45 15 312 239 5 6 0 4|5 7|-|65 168h|マスカーニャ|魔幻假面喵|Magician|魔術師
    921|pawmi|electric|45 50 20 40 25 60|0|4 190 3 25 48 10 8 0 2|5|-|9 30 89h|パモ|布撥|Mouse|鼠
    922|pawmo|electric fighting|60 75 40 50 40 85|921|4 80 4 65 123 10 6 0 2|5|-|10 30 89h|パモット|布土撥|Mouse|鼠
    923|pawmot|electric fighting|70 115 70 70 60 105|922|4 45 9 410 245 10 6 0 2|5|-|10 30 89h|パーモット|巴布土撥|Hands-On|手當
    999|gimmighoul|ghost|45 30 70 75 70 10|0|-1 45 3 50 60 3 5 0 1|15|-|155|コレクレー|索財靈|Coin Chest|寶箱
    1000|gholdengo|steel ghost|87 60 95 133 91 84|999|-1 45 12 300 275 10 12 0 1|15|-|283|サーフゴー|賽富豪|Coin Entity|寶物
    1025|pecharunt|poison ghost|88 88 160 88 88 88|0|-1 3 3 3 300 7 5 0 1|15|m|310|モモワロウ|桃歹郎|Subjugation|支配
    """

  /// Id, name, species, types, base stats; height, weight and experience; abilities; id of the form.
  static let forms = """
    10001|deoxys-attack|386|psychic|50 180 20 180 20 150|17 608 270|46|10031
    10002|deoxys-defense|386|psychic|50 70 160 70 160 90|17 608 270|46|10032
    10003|deoxys-speed|386|psychic|50 95 90 95 90 180|17 608 270|46|10033
    10033|venusaur-mega|3|grass poison|80 100 123 122 120 80|24 1555 281|47|10133
    10034|charizard-mega-x|6|fire dragon|78 130 111 130 85 100|17 1105 285|181|10134
    10035|charizard-mega-y|6|fire flying|78 104 78 159 115 100|17 1005 285|70|10135
    10036|blastoise-mega|9|water|79 103 120 135 115 78|16 1011 284|178|10136
    10038|gengar-mega|94|ghost poison|60 65 80 170 95 130|14 405 270|23|10138
    10041|gyarados-mega|130|water dark|95 155 109 70 130 81|65 3050 224|104|10141
    10043|mewtwo-mega-x|150|psychic fighting|106 190 100 154 100 130|23 1270 351|80|10143
    10044|mewtwo-mega-y|150|psychic|106 150 70 194 120 140|15 330 351|15|10144
    10051|gardevoir-mega|282|psychic fairy|68 85 65 165 135 100|16 484 278|182|10151
    10059|lucario-mega|448|fighting steel|70 145 88 140 70 112|13 575 219|91|10159
    10080|pikachu-rock-star|25|electric|35 55 40 50 50 90|4 60 112|31|10180
    10081|pikachu-belle|25|electric|35 55 40 50 50 90|4 60 112|31|10181
    10094|pikachu-original-cap|25|electric|35 55 40 50 50 90|4 60 112|9|10194
    10100|raichu-alola|26|electric psychic|60 85 50 95 85 110|7 210 218|207|10200
    10158|pikachu-starter|25|electric|45 80 50 75 60 120|4 60 112|9|10258
    10159|eevee-starter|133|normal|65 75 70 65 85 75|3 65 65|91|10259
    10199|pikachu-gmax|25|electric|35 55 40 50 50 90|210 0 112|9|10299
    """

  /// The evolved species, trigger, version group and further conditions, with links by id.
  static let evolutions = """
    2 level-up red-blue default min_level=16
    3 level-up red-blue default min_level=32
    5 level-up red-blue default min_level=16
    6 level-up red-blue default min_level=36
    8 level-up red-blue default min_level=16
    9 level-up red-blue default min_level=36
    25 level-up red-blue default min_happiness=220
    26 use-item red-blue default base_form=25 item=83
    26 use-item sun-moon default base_form=25 evolved_form=10100 item=83 region=7
    93 level-up red-blue default min_level=25
    94 trade red-blue default
    130 level-up red-blue default min_level=20
    134 use-item red-blue default base_form=133 item=84
    135 use-item red-blue default base_form=133 item=83
    136 use-item red-blue default base_form=133 item=82
    196 level-up gold-silver default base_form=133 min_happiness=160 time_of_day=day
    197 level-up gold-silver default base_form=133 min_happiness=160 time_of_day=night
    470 level-up diamond-pearl base_form=133 location=8 near_special_rock
    470 level-up black-white base_form=133 location=375 near_special_rock
    470 use-item sword-shield default base_form=133 item=85
    471 level-up diamond-pearl base_form=133 location=48 near_special_rock
    471 level-up black-white base_form=133 location=380 near_special_rock
    471 use-item sword-shield default base_form=133 item=885
    700 level-up x-y base_form=133 known_move_type=18 min_affection=2
    700 level-up sword-shield default base_form=133 known_move_type=18 min_happiness=160
    176 level-up gold-silver default min_happiness=160
    468 use-item diamond-pearl default item=107
    247 level-up gold-silver default min_level=30
    248 level-up gold-silver default min_level=55
    281 level-up ruby-sapphire default min_level=20
    282 level-up ruby-sapphire default min_level=30
    475 use-item diamond-pearl default gender=2 item=109
    291 level-up ruby-sapphire default min_level=20
    292 shed ruby-sapphire default
    350 level-up ruby-sapphire min_beauty=170
    350 trade black-white default held_item=580
    448 level-up diamond-pearl default min_happiness=160 time_of_day=day
    687 level-up x-y default min_level=30 turn_upside_down
    705 level-up x-y default min_level=40
    706 level-up x-y default min_level=50 needs_overworld_rain
    907 level-up scarlet-violet default min_level=16
    908 level-up scarlet-violet default min_level=36
    922 level-up scarlet-violet default min_level=18
    923 level-up scarlet-violet default min_steps=1000
    1000 gimmighoul-coins scarlet-violet default
    """

  /// Chain ids, in the order of the chains' first species.
  static let chains = """
    1:1 4:2 7:3 172:10 92:40 129:64 133:67 150:77 151:78 175:87 246:126 280:140 290:144 349:178 386:202 \
    447:232 686:347 704:356 906:475 921:482 999:528 1025:549
    """

  /// Id, name, Chinese name, type, damage class; power, accuracy (0 for none), points and priority; generation and
  /// target; ailment, category and the chance of the effect.
  static let moves = """
    22|vine-whip|藤鞭|grass|physical|45 100 25 0|1 10|0 0 0
    33|tackle|撞擊|normal|physical|40 100 35 0|1 10|0 0 0
    44|bite|咬住|dark|physical|60 100 25 0|1 10|0 0 30
    45|growl|叫聲|normal|status|0 100 40 0|1 11|0 2 0
    52|ember|火花|fire|special|40 100 25 0|1 10|4 4 10
    53|flamethrower|噴射火焰|fire|special|90 100 15 0|1 10|4 4 10
    55|water-gun|水槍|water|special|40 100 25 0|1 10|0 0 0
    57|surf|衝浪|water|special|90 100 15 0|1 9|0 0 0
    58|ice-beam|冰凍光束|ice|special|90 100 10 0|1 10|3 4 10
    75|razor-leaf|飛葉快刀|grass|physical|55 95 25 0|1 11|0 0 0
    82|dragon-rage|龍之怒|dragon|special|0 100 10 0|1 10|0 0 0
    84|thunder-shock|電擊|electric|special|40 100 30 0|1 10|1 4 10
    85|thunderbolt|十萬伏特|electric|special|90 100 15 0|1 10|1 4 10
    86|thunder-wave|電磁波|electric|status|0 90 20 0|1 10|1 1 0
    89|earthquake|地震|ground|physical|100 100 10 0|1 9|0 0 0
    93|confusion|念力|psychic|special|50 100 25 0|1 10|6 4 10
    94|psychic|精神強念|psychic|special|90 100 10 0|1 10|0 6 10
    98|quick-attack|電光一閃|normal|physical|40 100 30 1|1 10|0 0 0
    129|swift|高速星星|normal|special|60 0 20 0|1 11|0 0 0
    150|splash|躍起|normal|status|0 0 40 0|1 7|0 13 0
    202|giga-drain|終極吸取|grass|special|75 100 10 0|2 10|0 8 0
    247|shadow-ball|暗影球|ghost|special|80 100 15 0|2 10|0 6 20
    """

  /// Id, name, generation, order, regions, Pokédexes, and the versions of a group.
  static let groups = """
    1|red-blue|1|3|1|2|1:red/紅 2:blue/藍
    2|yellow|1|4|1|2|3:yellow/皮卡丘
    3|gold-silver|2|5|1 2|3|4:gold/金 5:silver/銀
    5|ruby-sapphire|3|7|3|4|7:ruby/紅寶石 8:sapphire/藍寶石
    7|firered-leafgreen|3|11|1|2|10:firered/火紅/FireRed 11:leafgreen/葉綠/LeafGreen
    8|diamond-pearl|4|12|4|5|12:diamond/鑽石 13:pearl/珍珠
    11|black-white|5|15|5|8|17:black/黑 18:white/白
    15|x-y|6|17|6|12|23:x/X 24:y/Y
    17|sun-moon|7|19|7|16|27:sun/太陽 28:moon/月亮
    19|lets-go-pikachu-lets-go-eevee|7|21|1|26|31:lets-go-pikachu/Let’s_Go！皮卡丘/Let’s_Go,_Pikachu!
    20|sword-shield|8|22|8|27|33:sword/劍 34:shield/盾
    25|scarlet-violet|9|27|10|31|40:scarlet/朱 41:violet/紫
    """

  /// Id, name, location, and the Pokémon there.
  static let areas = """
    9|eterna-forest-area|8|92 133
    167|sinnoh-route-217-area|48|471
    285|cerulean-cave-1f|147|150
    295|kanto-route-1-area|88|133
    321|viridian-forest-area|155|25 172
    325|kanto-power-plant-area|158|25 26 135
    333|pokemon-tower-3f|160|92 93
    472|pinwheel-forest-area|375|470 280
    """

  static let itemCategories = """
    34 1 2 3 4|27 17|26 45 46 47 48 49 50 52|10 80 81 82 83 84 85 107 108 109 580 885|12 210|18 213|37 328|\
    3 126 127 128 129 130 131 132 133 723 2279
    """

  /// One endpoint per line: `name/Chinese/English`, with an id before entries out of sequence.
  static let vocabulary = """
    ability 3:speed-boost/加速 8:sand-veil/沙隱 9:static/靜電 10:volt-absorb/蓄電 11:water-absorb/儲水 12:oblivious/遲鈍 \
    14:compound-eyes/複眼 15:insomnia/不眠 18:flash-fire/引火 21:suction-cups/吸盤 22:intimidate/威嚇 23:shadow-tag/踩影 \
    25:wonder-guard/神奇守護 26:levitate/飄浮 28:synchronize/同步 30:natural-cure/自然回復 31:lightning-rod/避雷針 \
    32:serene-grace/天恩 33:swift-swim/悠游自如 34:chlorophyll/葉綠素 36:trace/複製 39:inner-focus/精神力 44:rain-dish/雨盤 \
    45:sand-stream/揚沙 46:pressure/壓迫感 47:thick-fat/厚脂肪 50:run-away/逃跑 55:hustle/活力 56:cute-charm/迷人之軀 \
    61:shed-skin/蛻皮 62:guts/毅力 63:marvel-scale/神奇鱗片 65:overgrow/茂盛 66:blaze/猛火 67:torrent/激流 70:drought/日照 \
    80:steadfast/不屈之心 81:snow-cloak/雪隱 89:iron-fist/鐵拳 91:adaptability/適應力 93:hydration/濕潤之軀 94:solar-power/太陽之力 \
    95:quick-feet/飛毛腿 102:leaf-guard/葉子防守 104:mold-breaker/破格 105:super-luck/超幸運 107:anticipation/危險預知 \
    115:ice-body/冰凍之軀 126:contrary/唱反調 127:unnerve/緊張感 130:cursed-body/詛咒之軀 140:telepathy/心靈感應 151:infiltrator/穿透 \
    153:moxie/自信過度 154:justified/正義之心 155:rattled/膽怯 156:magic-bounce/魔法鏡 157:sap-sipper/食草 158:prankster/惡作劇之心 \
    168:protean/變幻自如 172:competitive/好勝 178:mega-launcher/超級發射器 181:tough-claws/硬爪 182:pixilate/妖精皮膚 183:gooey/黏滑 \
    207:surge-surfer/衝浪之尾 283:good-as-gold/黃金之軀 310:poison-puppeteer/毒傀儡
    berry cheri/櫻子果 chesto/零餘果 pecha/桃桃果 rawst/莓莓果 aspear/利木果 leppa/蘋野果 oran/橙橙果 persim/柿仔果
    berry-firmness very-soft/很柔軟 soft/柔軟 hard/堅硬 very-hard/很堅硬 super-hard/非常堅硬
    berry-flavor spicy/辣 dry/澀 sweet/甜 bitter/苦 sour/酸
    contest-type cool/帥氣 beauty/美麗 cute/可愛 smart/聰明 tough/強壯
    currency poke-dollar coin
    egg-group monster/怪獸 water1/水中１/Water_1 bug/蟲 flying/飛行 ground/陸上/Field fairy/妖精 plant/植物/Grass \
    humanshape/人型/Human-Like water3/水中３/Water_3 mineral/礦物 indeterminate/不定形/Amorphous water2/水中２/Water_2 ditto/百變怪 \
    dragon/龍 no-eggs/未發現/Undiscovered
    encounter-condition swarm time
    encounter-condition-value swarm-yes swarm-no time-morning time-day time-night
    encounter-method walk old-rod good-rod super-rod surf
    evolution-trigger level-up trade use-item shed 16:gimmighoul-coins
    gender female male genderless
    generation generation-i/第一世代/Generation_I generation-ii/第二世代/Generation_II generation-iii/第三世代/Generation_III \
    generation-iv/第四世代/Generation_IV generation-v/第五世代/Generation_V generation-vi/第六世代/Generation_VI \
    generation-vii/第七世代/Generation_VII generation-viii/第八世代/Generation_VIII generation-ix/第九世代/Generation_IX
    growth-rate slow medium fast medium-slow slow-then-very-fast fast-then-very-slow
    item 1:master-ball/大師球 ultra-ball/高級球 great-ball/超級球 poke-ball/精靈球 17:potion/傷藥 45:hp-up/ＨＰ增強劑/HP_Up \
    protein/攻擊增強劑 iron/防禦增強劑 carbos/速度增強劑 calcium/特攻增強劑 rare-candy/神奇糖果 52:zinc/特防增強劑 80:sun-stone/日之石 \
    moon-stone/月之石 fire-stone/火之石 thunder-stone/雷之石 water-stone/水之石 leaf-stone/葉之石 107:shiny-stone/光之石 \
    dusk-stone/暗之石 dawn-stone/覺醒之石 126:cheri-berry/櫻子果 chesto-berry/零餘果 pecha-berry/桃桃果 rawst-berry/莓莓果 \
    aspear-berry/利木果 leppa-berry/蘋野果 oran-berry/橙橙果 persim-berry/柿仔果 210:metal-coat/金屬膜 213:light-ball/電氣球 \
    328:tm24/招式學習器２４/TM24 580:prism-scale/美麗鱗片 723:roseli-berry/洛玫果 885:ice-stone/冰之石 2279:roseli-berry/洛玫果
    item-attribute countable consumable usable-overworld usable-in-battle holdable holdable-passive holdable-active \
    underground
    item-category 3:medicine 10:evolution 12:held-items 18:species-specific 26:vitamins 27:healing 34:standard-balls \
    37:all-machines
    item-fling-effect 5:paralyze
    item-pocket misc/道具 medicine/回復道具 pokeballs/精靈球 machines/招式學習器 berries/樹果
    language ja-hrkt//Japanese_Hiragana_and_Katakana 4:zh-hant/中文/Traditional_Chinese 9:en/英文/English \
    11:ja/日文/Japanese
    location 8:eterna-forest/百代森林 48:sinnoh-route-217/２１７號道路 88:kanto-route-1/１號道路 147:cerulean-cave/華藍洞窟 \
    155:viridian-forest/常磐森林 158:kanto-power-plant/無人發電廠 160:pokemon-tower/寶可夢塔 375:pinwheel-forest/矢車森林 \
    380:twist-mountain/螺旋山
    move-ailment -1:unknown none paralysis 3:freeze burn 6:confusion
    move-battle-style attack defense support
    move-category 0:damage ailment net-good-stats 4:damage-ailment 6:damage-lower 8:damage-heal 13:unique
    move-damage-class status/變化/status physical/物理/physical special/特殊/special
    move-learn-method level-up egg tutor machine
    move-target 7:user 9:all-other-pokemon selected-pokemon all-opponents
    nature hardy/勤奮 bold/大膽 modest/內斂 calm/溫和 timid/膽小 lonely/怕寂寞 docile/坦率 mild/慢吞吞 gentle/溫順 hasty/急躁 adamant/固執 \
    impish/淘氣 bashful/害羞 careful/慎重 rash/馬虎 jolly/爽朗 naughty/頑皮 lax/樂天 quirky/浮躁 naive/天真 brave/勇敢 relaxed/悠閒 \
    quiet/冷靜 sassy/自大 serious/認真
    pal-park-area forest field mountain pond sea
    pokeathlon-stat speed/速度 power/力量 skill/技巧 stamina/耐力 jump/跳躍
    pokedex national kanto original-johto hoenn original-sinnoh 8:original-unova 12:kalos-central 16:original-alola \
    26:letsgo-kanto galar 31:paldea
    pokemon-color black/黑色 blue/藍色 brown/褐色 gray/灰色 green/綠色 pink/粉紅色 purple/紫色 red/紅色 white/白色 yellow/黃色
    pokemon-habitat cave forest grassland mountain rare rough-terrain sea urban waters-edge
    pokemon-shape ball squiggle fish arms blob upright legs quadruped wings tentacles heads humanoid bug-wings armor
    region kanto/關都 johto/城都 hoenn/豐緣 sinnoh/神奧 unova/合眾 kalos/卡洛斯 alola/阿羅拉 galar/伽勒爾 hisui/洗翠 paldea/帕底亞
    stat hp/HP/HP attack/攻擊 defense/防禦 special-attack/特攻 special-defense/特防 speed/速度 accuracy/命中/accuracy \
    evasion/閃避/evasion special/特殊
    type normal/一般 fighting/格鬥 flying/飛行 poison/毒 ground/地面 rock/岩石 bug/蟲 ghost/幽靈 steel/鋼 fire/火 water/水 grass/草 \
    electric/電 psychic/超能力 ice/冰 dragon/龍 dark/惡 fairy/妖精 stellar/星晶 10001:unknown/???/??? shadow/暗
    """
}
