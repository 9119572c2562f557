import type { ActRule } from './act-rule.ts'

const opening =
  '(?:(?:ok(?:ay)?|sure(?:ly)?|certainly|absolutely|of course|al(?:l )?right|right|great|good|perfect|excellent|fine|' +
  'well|yes|easy|got it|understood|i (?:see|understand)|no problem|thanks|thank you|once again|now|then|and|so|just|' +
  'go ahead)[,.:;!–—-]{0,2} ){0,4}'
const condition = '(?:(?:if you|before (?:i|we)|to (?:proceed|continue|go on))\\b[^,]{0,80}, )?'
const details =
  '(?:(?:all (?:of )?)?(?:the|these|those|this|your) )?' +
  '(?:following|upcoming|(?:[a-z]+ )?(?:details?|information|info|data|summary))' +
  '\\b(?! (?:links?|pages?|articles?|guides?|docs?|documentation|steps?))'
const check = '(?:confirm|verify|double[- ]check)'
const also = '(?:also |just |now |quickly )?'
const advice = 'to (?:be|make sure|ensure|avoid|keep|use|check|try|do)\\b'
const wish =
  `you(?:(?:'d| would) ${also}(?:like|prefer)| ${also}(?:wish|prefer|want(?! ${advice}))|` +
  "(?:'re| are) (?:interested in|looking (?:for|to)|requesting|asking (?:for|me|to)))\\b"
const plan = "you(?:'re| are|'ll be| will be) (?!saving|getting|receiving|going to)[a-z]+ing\\b"

/** "Confirming that your order has been shipped" and "confirming it, one moment" report something and ask nothing. */
const done =
  "(?:(?:has|have|had|'ve|'s) (?:now |just |already |successfully )*(?:been|[a-z]+ed|made|sent|set)|was|were|" +
  '(?:is|are) (?:now|already|successfully|(?!interested)[a-z]+ed))'
const busy = '(?:moment|minute|second|hold on|while i|with (?:the|our|my)|get back|for you(?=[.!]?$))'
const readsBack = `^(?!.{0,300}\\b(?:${done}|${busy})\\b)${opening}`

/** Sentences that ask the user to confirm something, mostly without a question mark. */
export const englishConfirmations: readonly ActRule[] = [
  {
    act: 'request',
    why: 'an order to confirm, or to verify details; "verify that the service is up" is advice',
    notInLists: true,
    cue: /confirm|verify|check/,
    pattern: RegExp(
      `^${condition}${opening}(?:${check} ${details}|confirm (?!(?:by|in|on|and|or)\\b)[a-z0-9$€£]|` +
        '(?:confirm|verify)(?: again)?(?: then)?[:.,!])',
    ),
  },
  {
    act: 'request',
    why: '"please" with details to check; "please check your inbox" asks for no answer',
    cue: /please|kindly/,
    pattern: RegExp(
      '\\b(?:please|kindly)(?: also| just| first)? (?:(?:double[- ])?check|review|(?:go|look|read) over)' +
        `(?: and (?:check|review|confirm))? ${details}`,
    ),
  },
  {
    act: 'question',
    why: 'announces what it understood: "just to confirm, …"; "to confirm your e-mail, click here" is advice',
    notInLists: true,
    cue: /confirm|verify|check|sure|certain/,
    pattern: RegExp(
      `${readsBack}(?:to ${also}${check}|(?:just )?to (?:make|be) (?:sure|certain))` +
        '(?:[,:;–—-](?! (?:use|run|open|click|press|see|visit|go)\\b)| (?:then|again)\\b|' +
        ` (?:that )?(?:${wish}|${plan}|you need (?!to\\b)))`,
    ),
  },
  {
    act: 'question',
    why: '"confirming two seats for Friday"; "confirming receipt of your payment" asks nothing',
    notInLists: true,
    cue: /confirming|verifying|checking/,
    pattern: RegExp(
      `${readsBack}(?:confirming (?!(?:your |the )?(?:receipt|purchase|payment|order)\\b)|` +
        `(?:verifying|double[- ]checking) (?:that )?${wish})`,
    ),
  },
  {
    act: 'question',
    why: '"let me make sure I have that right"; "let me verify the fix" asks nothing',
    cue: /let (?:me|us)|let's|(?:like|want|need) to/,
    pattern: RegExp(
      `${readsBack}(?:let me|let us|let's|(?:i|we)(?:'d| would)? (?:just )?(?:like|want|need) to) ${also}(?:` +
        `(?:${check}|make sure|see if)(?:[,:;]| (?:that )?(?:${wish}|${plan}|(?:this|it) is\\b|it's\\b|` +
        "(?:the|these|those|all|your)(?: [a-z]+)? details\\b|(?:i|we)(?:'ve)? (?:got|understood|understand)\\b|" +
        '(?:i|we)\\b.{0,40}\\b(?:right|correct|straight)\\b))|' +
        '(?:run|read|repeat) (?:this|that|it|everything) (?:by|past|back)\\b)',
    ),
  },
  {
    act: 'question',
    why: 'says what the users want, which they know better: "so you\'d like a van"; "you want to avoid this" is advice',
    notInLists: true,
    cue: /\byou(?:'d|'re| would| are| (?:also |just |now |quickly )?(?:wish|prefer|want))|\bso\b/,
    pattern: RegExp(
      `^(?!.{0,300}\\b${done}\\b)${opening}(?:` +
        '(?:(?:to be clear|to clarify|checking|in other words|if i understand[^,]{0,30}|as i understand it)[,:] )?' +
        `${wish}|` +
        `so,? (?:${plan}|(?:that's |that is |it's )?[0-9]{1,2} [a-z]+ (?:for|from|to|at)\\b))`,
    ),
  },
  {
    act: 'question',
    why: 'ends in a question that lacks its mark: "…, is that right."',
    pattern:
      /\b(?:is|are) (?:this|that|it|these|those|everything|the) (?:(?:all|information|details) )?(?:correct|right|accurate|ok|okay)[.!]?$/,
  },
]
