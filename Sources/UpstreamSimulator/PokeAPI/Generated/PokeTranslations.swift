/// What things are called in English, Japanese and traditional Chinese, where it is known.
enum PokeTranslations {
  /// By kind, one a line: name, English, Japanese, Chinese.
  static let names: [PokeKind: String] = [
    .generation: """
    generation-i|Generation I|第一世代|第一世代
    generation-ii|Generation II|第二世代|第二世代
    generation-iii|Generation III|第三世代|第三世代
    generation-iv|Generation IV|第四世代|第四世代
    generation-v|Generation V|第五世代|第五世代
    generation-vi|Generation VI|第六世代|第六世代
    generation-vii|Generation VII|第七世代|第七世代
    generation-viii|Generation VIII|第八世代|第八世代
    generation-ix|Generation IX|第九世代|第九世代
    """,
    .language: """
    ja-hrkt|Japanese Hiragana and Katakana|日本語 (仮名)|
    ja-roma|Japanese romaji|ローマ字|
    ko|Korean|韓国語|
    zh-hant|Traditional chinese|中国語|
    fr|French|フランス語|
    de|German|ドイツ語|
    es|Spanish|スペイン語|
    it|Italian|イタリア語|
    en|English|英語|
    cs|Czech|チェコ語|
    es-419|Latin American Spanish|ラテンアメリカスペイン語|拉丁美洲西班牙文
    """,
    .moveDamageClass: """
    status|status|へんか|變化
    physical|physical|ぶつり|物理
    special|special|とくしゅ|特殊
    """,
    .nature: """
    hardy|Hardy|がんばりや|勤奮
    bold|Bold|ずぶとい|大膽
    modest|Modest|ひかえめ|內斂
    calm|Calm|おだやか|溫和
    timid|Timid|おくびょう|膽小
    lonely|Lonely|さみしがり|怕寂寞
    docile|Docile|すなお|坦率
    mild|Mild|おっとり|慢吞吞
    gentle|Gentle|おとなしい|溫順
    hasty|Hasty|せっかち|急躁
    adamant|Adamant|いじっぱり|固執
    impish|Impish|わんぱく|淘氣
    bashful|Bashful|てれや|害羞
    careful|Careful|しんちょう|慎重
    rash|Rash|うっかりや|馬虎
    jolly|Jolly|ようき|爽朗
    naughty|Naughty|やんちゃ|頑皮
    lax|Lax|のうてんき|樂天
    quirky|Quirky|きまぐれ|浮躁
    naive|Naive|むじゃき|天真
    brave|Brave|ゆうかん|勇敢
    relaxed|Relaxed|のんき|悠閒
    quiet|Quiet|れいせい|冷靜
    sassy|Sassy|なまいき|自大
    serious|Serious|まじめ|認真
    """,
    .pokemonColor: """
    black|Black|黒色|黑色
    blue|Blue|青色|藍色
    brown|Brown|茶色|褐色
    gray|Gray|灰色|灰色
    green|Green|緑色|綠色
    pink|Pink|桃色|粉紅色
    purple|Purple|紫色|紫色
    red|Red|赤色|紅色
    white|White|白色|白色
    yellow|Yellow|黄色|黃色
    """,
    .region: """
    kanto|Kanto|カントー|關都
    johto|Johto|ジョウト|城都
    hoenn|Hoenn|ホウエン|豐緣
    sinnoh|Sinnoh|シンオウ|神奧
    unova|Unova|イッシュ|合眾
    kalos|Kalos|カロス|卡洛斯
    alola|Alola|アローラ|阿羅拉
    galar|Galar|ガラル|伽勒爾
    hisui|Hisui|ヒスイ|洗翠
    paldea|Paldea|パルデア|帕底亞
    """,
    .stat: """
    hp|HP|HP|HP
    attack|Attack|こうげき|攻擊
    defense|Defense|ぼうぎょ|防禦
    special-attack|Special Attack|とくこう|特攻
    special-defense|Special Defense|とくぼう|特防
    speed|Speed|すばやさ|速度
    accuracy|accuracy|めいちゅう|命中
    evasion|evasion|かいひ|閃避
    """,
    .type: """
    normal|Normal|ノーマル|一般
    fighting|Fighting|かくとう|格鬥
    flying|Flying|ひこう|飛行
    poison|Poison|どく|毒
    ground|Ground|じめん|地面
    rock|Rock|いわ|岩石
    bug|Bug|むし|蟲
    ghost|Ghost|ゴースト|幽靈
    steel|Steel|はがね|鋼
    fire|Fire|ほのお|火
    water|Water|みず|水
    grass|Grass|くさ|草
    electric|Electric|でんき|電
    psychic|Psychic|エスパー|超能力
    ice|Ice|こおり|冰
    dragon|Dragon|ドラゴン|龍
    dark|Dark|あく|惡
    fairy|Fairy|フェアリー|妖精
    stellar|Stellar|ステラ|星晶
    unknown|???|？？？|???
    shadow|Shadow|ダーク|暗
    """,
    .version: """
    red|Red|赤|紅
    blue|Blue|青|藍
    yellow|Yellow|ピカチュウ|皮卡丘
    gold|Gold|金|金
    silver|Silver|銀|銀
    crystal|Crystal|クリスタル|水晶
    ruby|Ruby|ルビー|紅寶石
    sapphire|Sapphire|サファイア|藍寶石
    emerald|Emerald|エメラルド|綠寶石
    firered|FireRed|ファイアレッド|火紅
    leafgreen|LeafGreen|リーフグリーン|葉綠
    diamond|Diamond|ダイヤモンド|鑽石
    pearl|Pearl|パール|珍珠
    platinum|Platinum|プラチナ|白金
    heartgold|HeartGold|ハートゴールド|心金
    soulsilver|SoulSilver|ソウルシルバー|魂銀
    black|Black|ブラック|黑
    white|White|ホワイト|白
    colosseum|Colosseum|コロシアム|
    xd|XD|XD|
    black-2|Black 2|ブラック2|黑2
    white-2|White 2|ホワイト2|白2
    x|X|X|X
    y|Y|Y|Y
    omega-ruby|Omega Ruby|オメガルビー|歐米加紅寶石
    alpha-sapphire|Alpha Sapphire|アルファサファイア|阿爾法藍寶石
    sun|Sun|サン|太陽
    moon|Moon|ムーン|月亮
    ultra-sun|Ultra Sun|ウルトラサン|究極之日
    ultra-moon|Ultra Moon|ウルトラムーン|究極之月
    lets-go-pikachu|Let’s Go, Pikachu!|Let’s Go! ピカチュウ|Let’s Go！皮卡丘
    lets-go-eevee|Let’s Go, Eevee!|Let’s Go! イーブイ|Let’s Go！伊布
    sword|Sword|ソード|劍
    shield|Shield|シールド|盾
    the-isle-of-armor-sword|Sword: The Isle of Armor|ソード: 鎧の孤島|劍: 鎧之孤島
    the-crown-tundra-sword|Sword: The Crown Tundra|ソード: 冠の雪原|劍: 冠之雪原
    brilliant-diamond|Brilliant Diamond|ブリリアントダイヤモンド|晶燦鑽石
    shining-pearl|Shining Pearl|シャイニングパール|明亮珍珠
    legends-arceus|Legends: Arceus|LEGENDS アルセウス|傳說 阿爾宙斯
    scarlet|Scarlet|スカーレット|朱
    violet|Violet|バイオレット|紫
    the-teal-mask-scarlet|Scarlet: The Teal Mask|スカーレット: 碧の仮面|
    the-indigo-disk-scarlet|Scarlet: The Indigo Disk|スカーレット: 藍の円盤|
    red-japan|Red|赤|
    green-japan|Green|緑|
    blue-japan|Blue|青|
    legends-za|Legends: Z-A|レジェンズ Z-A|傳說 Z-A
    mega-dimension|Mega Dimension||超次元爆湧
    the-isle-of-armor-shield|Shield: The Isle of Armor|シールド: 鎧の孤島|盾: 鎧之孤島
    the-crown-tundra-shield|Shield: The Crown Tundra|シールド: 冠の雪原|盾: 冠之雪原
    the-teal-mask-violet|Violet: The Teal Mask|バイオレット: 碧の仮面|
    the-indigo-disk-violet|Violet: The Indigo Disk|バイオレット: 藍の円盤|
    """,
    .eggGroup: """
    monster|Monster|かいじゅう|怪獸
    water1|Water 1|すいちゅう１|水中1
    bug|Bug|むし|蟲
    flying|Flying|ひこう|飛行
    ground|Field|りくじょう|陸上
    fairy|Fairy|ようせい|妖精
    plant|Grass|しょくぶつ|植物
    humanshape|Human-Like|ひとがた|人型
    water3|Water 3|すいちゅう３|水中3
    mineral|Mineral|こうぶつ|礦物
    indeterminate|Amorphous|ふていけい|不定形
    water2|Water 2|すいちゅう２|水中2
    ditto|Ditto|メタモン|百變怪
    dragon|Dragon|ドラゴン|龍
    no-eggs|Undiscovered|タマゴみはっけん|未發現
    """,
  ]
}
