import { GAP, type InjectionPattern, injectionPattern } from "./injection-phrases";

/** As those in English; of each language the commonest few. */
export const LATIN_SCRIPTS: InjectionPattern[] = [
  drop(
    ["ignorier", "missacht", "vergiss", "vergessen sie", "übergeh"],
    "ignorier(?!t)|missachte|vergiss(?! nicht)|vergessen sie(?! nicht)|übergeh",
    [
      "alle|vorherig|bisherig|obig|früher|vorig|vorstehend|system",
      "anweisung|instruktion|befehl|regeln|vorgabe|richtlinie|prompt",
    ],
  ),
  injectionPattern(
    [
      "du bist (?:jetzt|nun|ab)",
      "sie sind (?:jetzt|nun|ab)",
      "ab sofort",
      "ab jetzt",
      "von nun an",
    ],
    "(?:du bist|sie sind) (?:jetzt|ab sofort|nun|ab jetzt) (?:ein|eine|kein|keine|der|die|das)\\b(?! (?:in der lage|gesund))",
    "(?:ab sofort|ab jetzt|von nun an)[ ,]+(?:bist du|sind sie|antworte|zitiere|antworten sie)",
  ),
  injectionPattern(
    ["dem nutzer", "dem benutzer", "der nutzer", "der benutzer"],
    "(?:sage?|verrate|erzähle|teile|sagen sie|verraten sie)\\s+(?:es |das |dies |davon )*(?:dem (?:be)?nutzer)(?: \\S+){0,4} (?:nichts|nicht)|(?:der (?:be)?nutzer) darf (?:\\S+ ){0,4}nicht",
  ),
  injectionPattern(
    ["sprachmodell", "ki-"],
    "(?:an (?:das|alle|jedes)|liebes|hinweis (?:für|an)(?: das| jedes| alle)?) (?:ki-|sprach)(?:modelle?|assistent\\w*)",
  ),
  drop(
    ["ignor", "oublie", "néglige"],
    "(?<!n['’])(?:ignore[rz]?|oublie[rz]?|néglige[rz]?)\\b(?! pas)",
    [
      "toutes|précédent|antérieur|ci-dessus|initial|système|vos|tes",
      "instruction|consigne|règle|directive|ordre",
    ],
  ),
  injectionPattern(
    [
      "désormais",
      "dorénavant",
      "tu es maintenant",
      "vous êtes maintenant",
      "à partir de maintenant",
    ],
    "(?:tu es|vous êtes) (?:maintenant|désormais|dorénavant) une?\\b",
    "(?:désormais|dorénavant|à partir de maintenant),? (?:tu (?:es|dois|réponds)|vous (?:êtes|devez|répondez)|répond(?:s|ez)|cite[zs]?)",
  ),
  drop(
    ["ignor", "olvid", "descart"],
    "(?<!\\bno )\\b(?:ignor(?:a|e|ar|en)|olvid(?:a|e|ar|en)|descart(?:a|e|ar))\\b",
    [
      "todas|anterior|previa|previo|arriba|sistema|iniciales",
      "instruccion|instrucción|órdenes|reglas|indicaciones|directrices",
    ],
  ),
  injectionPattern(
    ["ahora eres", "a partir de ahora", "de ahora en adelante"],
    "\\bahora eres (?:un|una|el|la)\\b",
    "(?:a partir de ahora|de ahora en adelante),? (?:eres|responde|debes (?:responder|citar)|cita|actúa)",
  ),
  drop(
    ["ignor", "esqueç", "desconsider"],
    "(?<!\\bnão )\\b(?:ignor(?:a|e|ar|em)|esqueç(?:a|am)|desconsider(?:e|a|ar))(?!\\p{L})",
    [
      "todas|anterior|prévia|acima|sistema|iniciais",
      "instruç|ordens|regras|diretrizes|orientações",
    ],
  ),
  injectionPattern(
    ["você agora", "a partir de agora", "de agora em diante", "agora você"],
    "(?:você agora é|agora você é) (?:um|uma|o|a)\\b",
    "(?:a partir de agora|de agora em diante),? (?:você (?:é|deve)|responda|cite|aja)",
  ),
  drop(
    ["ignor", "dimentic"],
    "(?<!\\bnon )\\b(?:ignor(?:a|i|are|ate)|dimentic(?:a|hi|are|ate))\\b",
    [
      "tutte|precedent|anterior|sopra|sistema|iniziali",
      "istruzion|regole|ordini|direttive|indicazioni",
    ],
  ),
  injectionPattern(
    ["ora sei", "adesso sei", "da ora in poi", "d'ora in poi"],
    "(?:ora|adesso) sei (?:un|una|uno|il|la)\\b",
    "(?:da ora in poi|d'ora in poi),? (?:sei|rispondi|devi (?:rispondere|citare)|cita)",
  ),
  drop(["negeer", "vergeet"], "\\bnegeer\\b|\\bvergeet\\b(?! niet)", [
    "alle|vorige|eerdere|bovenstaande|voorgaande|systeem",
    "instructies|opdrachten|regels|aanwijzingen",
  ]),
  drop(["zignoruj", "ignoruj", "zapomnij"], "(?<!nie )(?:z?ignoruj(?:cie)?|zapomnij(?:cie)?)", [
    "wszystkie|poprzedni|wcześniejsz|powyższ|system",
    "instrukcj|polece|zasad|reguł",
  ]),
  dropLast(["yok say", "görmezden gel", "unut"], "yok say|görmezden gel(?!m)|unut(?!ma)", [
    "önceki|yukarıdaki|tüm|bütün|sistem",
    "talimat|kural|yönerge|komut",
  ]),
];

export const OTHER_SCRIPTS: InjectionPattern[] = [
  drop(
    ["игнорир", "забуд", "не обращай"],
    "(?<!не )(?:про)?игнорируй(?:те)?|(?<!не )забуд(?:ь|ьте)|не обращай(?:те)? внимания",
    [
      "все|предыдущ|прежн|вышеуказан|вышеизложен|ранее|системн",
      "инструкци|указани|правил|команд|подсказ",
    ],
  ),
  injectionPattern(
    ["теперь ты", "теперь вы", "отныне"],
    "теперь (?:ты|вы) (?:не |— |- )?\\p{L}+",
    "отныне (?:ты|вы|отвечай|цитируй)",
  ),
  dropLast(
    ["忽略", "无视", "忽視", "無視", "忘记", "忘記", "忽视"],
    "(?<!不要|[不勿别別])(?:忽略|无视|忽視|無視|忘记|忘記|忽视)",
    ["之前|以前|上述|以上|所有|先前|前面|系统|系統", "指令|指示|提示|规则|規則|命令"],
  ),
  injectionPattern(
    ["你现在是", "您现在是", "你現在是", "从现在起", "從現在起", "从现在开始"],
    "[你您][现現]在是",
    "[从從][现現]在(?:起|开始|開始)[，,]?(?:你|您|请|請|回答|只)",
  ),
  dropLast(["無視", "忘れ", "従わな"], "無視(?!しな|でき|せず|され)|忘れ(?!な|ず)|従わないで", [
    "これまで|以前|上記|前の|すべて|全て|システム|以上",
    "指示|命令|ルール|プロンプト|規則",
  ]),
  injectionPattern(
    ["あなたは今から", "今から", "これからは"],
    "(?:あなたは今から|今からあなたは|これからはあなたは)",
  ),
  dropLast(["무시", "잊어", "따르지"], "무시(?!하지|되|당)|잊어|따르지 마", [
    "이전|앞의|위의|모든|지금까지|시스템",
    "지시|명령|규칙|지침|프롬프트",
  ]),
  injectionPattern(["이제부터", "지금부터"], "(?:이제부터|지금부터)\\s*(?:당신은|너는|넌)"),
  drop(["تجاهل", "انس"], "(?<!\\p{L})(?:تجاهل(?:ي|وا)?|انس[ىي]?)(?!\\p{L})", [
    "جميع|كل|السابقة|أعلاه|السابق|النظام",
    "التعليمات|الأوامر|القواعد|تعليمات|التوجيهات",
  ]),
  injectionPattern(
    ["أنت الآن", "انت الآن", "من الآن فصاعد"],
    "[أا]نت الآن\\s",
    "من الآن فصاعد[اً]{1,2}",
  ),
  drop(["התעלם", "התעלמ", "שכח"], "(?<!\\p{L})(?:התעלמ?[םויה]*|שכחו?)(?!\\p{L})", [
    'כל|הקודמ|לעיל|הנ"ל|המערכת',
    "ההוראות|הנחיות|ההנחיות|הוראות|הכללים|הפקודות",
  ]),
  injectionPattern(["אתה עכשיו", "מעכשיו"], "אתה (?:עכשיו|מעתה)\\s", "מעכשיו,? (?:אתה|ענה|צטט)"),
  dropLast(["अनदेखा", "अनदेखी", "भूल", "नज़रअंदाज़", "नजरअंदाज"], "अनदेख[ाी]|भूल|नज़रअंदाज़|नजरअंदाज", [
    "पिछल|सभी|उपरोक्त|पूर्व|ऊपर",
    "निर्देश|आदेश|नियम",
  ]),
  injectionPattern(["अब तुम", "अब आप", "अब से"], "अब (?:तुम|आप) (?:एक|कोई)\\s", "अब से (?:तुम|आप)\\s"),
];

/** An order to drop what stands: a verb, then in one sentence which instructions. */
function drop(signs: string[], verb: string, [which, what]: [string, string]): InjectionPattern {
  return injectionPattern(signs, `(?:${verb})(?=${GAP}(?:${which}))${GAP}(?:${what})`);
}

/** The same where the verb comes last, or may. */
function dropLast(
  signs: string[],
  verb: string,
  [which, what]: [string, string],
): InjectionPattern {
  return injectionPattern(
    signs,
    `(?:${verb})(?=${GAP}(?:${which}))${GAP}(?:${what})`,
    `(?:${which})${GAP}(?:${what})${GAP}(?:${verb})`,
  );
}
