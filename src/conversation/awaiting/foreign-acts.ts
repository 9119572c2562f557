import type { ActRule } from './act-rule.ts'

/** For each language: offers and farewells, questions without a question mark, and requests. */
export const foreignActs: readonly ActRule[] = [
  {
    act: 'offer',
    why: 'Chinese: 如有问题请随时联系; 还有什么可以帮您的吗',
    pattern:
      /如(?:果|有|您).{0,20}(?:问题|疑问|需要|帮助).{0,20}(?:随时|联系|告诉|告知)|还有(?:什么|其他|别的).{0,20}(?:帮|需要|问题)|祝您|不客气/,
  },
  { act: 'question', why: 'Chinese: ends in 吗 or 呢, with or without its mark', pattern: /[吗呢][。！]?$/ },
  {
    act: 'request',
    why: 'Chinese: 请 with a verb of answering',
    pattern:
      /请(?:您|你|先|再|问)?.{0,12}(?:提供|告诉|告知|输入|确认|选择|回复|说明|上传|发送|补充|填写|描述)/,
  },
  {
    act: 'offer',
    why: 'Japanese: お気軽に; 他にご質問',
    pattern:
      /お気軽に|(?:他|ほか)に(?:も)?(?:何か|ご質問|ご不明)|ご不明な点|ありがとうございま(?:す|した)[。！]?$/,
  },
  { act: 'question', why: 'Japanese: ends in か', pattern: /(?:です|ます|ません|でしょう)か[。！]?$/ },
  {
    act: 'request',
    why: 'Japanese: a verb of answering with ください or お願い',
    pattern:
      /(?:教え|知らせ|聞かせ|入力|選択|選び|確認|提供|送っ|送信|回答|返信|記入|添付|指定).{0,10}(?:ください|下さい|お願い)/,
  },
  {
    act: 'offer',
    why: 'Spanish: si necesita algo más; no dude en',
    pattern:
      /\bno dudes? en\b|^si (?:tienes?|necesitas?|hay) (?:alguna?|más|otra?|cualquier|algo)\b|^¿?(?:hay|necesitas?|puedo ayudarl?[eo]s? (?:en|con)) (?:algo|alguna otra cosa)(?: más)?\b|^¡?que (?:tengas?|pases?)\b/,
  },
  {
    act: 'request',
    why: 'Spanish: por favor with a verb of answering; dígame',
    pattern:
      /\b(?:por favor|favor de)\b,? .{0,20}(?:ind[ií][qc]|d[ií][gm]|confirm|proporcion|env[ií]|facilit|elij|eleg|seleccion|introdu|escrib|compart|respond|adjunt|especifi)|^(?:d[ií][gm]|ind[ií]que|conf[ií]rm|env[ií]e|facil[ií]te|av[ií]s|cu[eé]nt)[a-zé]*(?:me|nos)\b|\bnecesito (?:que|tu|su|saber)\b/,
  },
  {
    act: 'offer',
    why: "French: n'hésitez pas; si vous avez d'autres questions",
    pattern:
      /\bn'hésite[zs]? pas\b|^si (?:vous avez|tu as) (?:d'autres|des|la moindre|besoin)|\bautre chose\b.{0,40}\?$|^bonne (?:journée|soirée)/,
  },
  {
    act: 'request',
    why: "French: veuillez, merci de, s'il vous plaît with a verb of answering; dites-moi",
    cue: /\b(?:veuillez|merci de|pri[eè]re de)\b|-(?:moi|nous)\b|\bj'/,
    pattern:
      /\b(?:veuillez|merci de|pri[eè]re de)\b.{0,20}\b(?:indiqu|précis|fourni|confirm|communiqu|envoy|chois|sélectionn|saisi|répond|donn|transme|joindre|me dire)|\b(?:dites|dis|indiquez|donnez|envoyez|confirmez|précisez)-(?:moi|nous)\b|\bj'(?:ai|aurai|aurais) besoin de (?:votre|vos|ton|tes|savoir)\b/,
  },
  {
    act: 'offer',
    why: 'German: zögern Sie nicht; falls Sie weitere Fragen haben',
    pattern:
      /\bzögern sie nicht\b|^(?:falls|wenn|sollten) (?:sie|du) .{0,20}(?:fragen|hilfe|unterstützung)|\bsonst noch\b.{0,40}\?$|^(?:ich wünsche|einen? schöne)|\bmelden sie sich (?:gerne|jederzeit)\b/,
  },
  {
    act: 'request',
    why: 'German: bitte with a verb of answering; sagen Sie mir; ich benötige Ihre',
    cue: /\bbitte\b|\bsie (?:mir|uns)\b|benötige|brauche/,
    pattern:
      /\bbitte\b.{0,60}\b(?:geben|gib|nennen|nenne|teilen|teile|bestätigen?|senden?|schicken?|wählen?|antworten?|sagen?|laden|beschreiben?|tragen)\b|\b(?:bestätigen|nennen|sagen|geben|teilen|schicken|senden|wählen) sie (?:mir |uns |sich )?.{0,60}\bbitte\b|\b(?:sagen|nennen|geben) sie (?:mir|uns)\b|\b(?:benötige|brauche)n? (?:ich |wir )?(?:noch |dazu |dafür )?(?:ihre?n?|deine?n?)\b/,
  },
  {
    act: 'offer',
    why: 'Portuguese: fique à vontade; se precisar de mais',
    pattern:
      /\bfique à vontade\b|\bnão hesite\b|^se (?:precisar|tiver|houver) (?:de )?(?:mais|alguma?|outra|qualquer|algo)|\b(?:ajudar|ajudo) (?:em|com|você com) (?:algo|mais alguma)|^tenha um/,
  },
  {
    act: 'request',
    why: 'Portuguese: por favor with a verb of answering; me diga; preciso do seu',
    pattern:
      /\bpor favor\b,? .{0,20}(?:inform|confirm|forne|envi|escolh|selecion|digit|dig|indiqu|compartilh|respond|anex)|\b(?:me|nos) (?:diga|informe|envie|avise|conte)\b|\bpreciso (?:d[oae] (?:seu|sua|teu|tua)|que você|saber)/,
  },
]
