import type { ActRule } from './act-rule.ts'
import { englishConfirmations } from './english-confirmations.ts'

const help = '(?:questions?|assistance|help|support|concerns?|issues?|anything|something else|requests?)'
const choice = "(?:(?:would|'d) like to|want to|wish to|prefer\\w*|proceed|which|what|how you)"
const aside = '(?: (?:also|do|just|kindly|then|first|go ahead and))*'
const answer =
  '(?:let (?:me|us) know|tell|confirm|verify|provide|share|specify|choose|select|pick|reply|respond|answer|indicate|clarify|' +
  'describe|explain|advise|state|enter|type|send|give|upload|attach|paste|submit|list|approve|say)'
const gives =
  '(?:confirm|verify|approve|reply|(?:provide|share|give|send|tell) (?:me|us|your|the|these|this|it))'
const toUser = '(?:(?:could|would|can|will|do|did|are|have) you|(?:shall|should|can|may|could) (?:i|we))'
const answered =
  '(?:reply|response|answer|confirmation|approval|input|decision|choice|go-ahead|permission|update|feedback)'

/** The first rule that matches a sentence classifies it. Gaps in patterns are bounded, so that matching is fast. */
export const englishActs: readonly ActRule[] = [
  {
    act: 'offer',
    why: 'more help on a condition: "if you need anything else, let me know"',
    cue: /\b(?:if|should you|when|whenever|in case)\b/,
    pattern: RegExp(
      `^(?!.{0,200}\\b${choice}\\b).{0,60}\\b(?:if|should you|when(?:ever)?|in case)\\b.{0,120}\\b${help}\\b.{0,80}` +
        "\\b(?:let (?:me|us) know|feel free|hesitate|reach out|contact|ask|i(?:'m| am|'ll| can| will))\\b",
    ),
  },
  {
    act: 'offer',
    why: 'the same the other way round: "let me know if you need anything else"',
    cue: /let (?:me|us) know/,
    pattern: RegExp(
      `^(?!.{0,200}\\b${choice}\\b).{0,30}\\blet (?:me|us) know (?:if|when(?:ever)?|should)\\b.{0,80}\\b${help}\\b`,
    ),
  },
  {
    act: 'offer',
    why: 'leaves it to the user to come back: "feel free to ask", "don\'t hesitate"',
    pattern: /\bfeel free\b|\bhesitate to\b|\breach out (?:to me|to us|any ?time|again|if|when)/,
  },
  {
    act: 'offer',
    why: 'asks whether that was all',
    pattern: RegExp(
      [
        '^(?:.{0,20}[,:] )?(?:is|was) there anything (?:else|more)\\b',
        '^(?:any|do you have any|are there any) (?:other |more |further )*questions\\b',
        '^(?:anything|something) else\\b',
        '^(?:what|how) else (?:can|may|could) (?:i|we)\\b',
        '^(?:can|may|could) (?:i|we) (?:help|assist) (?:you )?with anything else\\b',
      ].join('|'),
    ),
  },
  {
    act: 'question',
    why: 'has the order of a question, even where the mark is missing',
    pattern: RegExp(
      [
        `^(?:.{0,60}[,:] )?${toUser}\\b`,
        `^(?:what|which|when|where|who|how)\\b.{0,40} ${toUser}\\b`,
        "^(?:and |so )?what(?:'s| is| are) your\\b",
        '^how (?:many|much|long)(?: [a-z]+)? (?:will|are|do|would|should)\\b.{0,40}\\b(?:you|your)\\b',
      ].join('|'),
    ),
  },
  {
    act: 'request',
    why: '"please" with a verb of answering; "please note" and "please wait" ask for no answer',
    pattern: RegExp(`\\b(?:please|kindly)${aside} ${answer}\\b`),
  },
  {
    act: 'request',
    why: '"tell me" as a clause of its own',
    pattern:
      /(?:^|[,;:–—-] ?|\b(?:and|then|or|so|just|simply|now) )(?:let (?:me|us) (?:also )?know|(?:tell|send|give|show) (?:me|us))\b/,
  },
  {
    act: 'request',
    why: 'an order to answer: "reply YES", "choose one", "confirm to go on"; in a list it is a step to take',
    notInLists: true,
    pattern: RegExp(
      [
        '^(?:reply|respond|answer) (?:with|to|by|yes|["\'`“])',
        '^(?:type|enter|say) (?:your\\b|["\'`“])',
        '^(?:choose|pick|select) (?:one|an? (?:option|number|date|time|slot)|between|which)\\b',
        '^(?:provide|share|specify|state) (?:your|which|whether)\\b',
      ].join('|'),
    ),
  },
  {
    act: 'request',
    why: 'says what it needs to go on: "I\'ll need your order number"',
    pattern: RegExp(
      "(?:^|\\b(?:i|we)(?:'ll|'d|'m going to)?(?: will| would| do)? ?)(?:(?:still|also|just|only|first) )*(?:need|require) " +
        '(?!an? (?:moment|minute|second|bit)|to (?!know\\b))' +
        '.{0,120}\\b(?:your?|from you|know|following|details?|information|before|to [a-z])\\b',
    ),
  },
  {
    act: 'request',
    why: 'promises something for an answer: "once you confirm, I will"',
    cue: /\b(?:once|as soon as)\b|\b(?:when|after|if) you\b/,
    pattern: RegExp(
      '\\b(?:(?:once|as soon as) (?:you\\b(?! have been)|confirmed|approved|(?:i|we) (?:have|receive|get) (?:your|this|that|these|the|it|them))|' +
        `(?:when|after|if) you (?:can|could|have (?:it|them|the|your)|${gives}))\\b` +
        ".{0,160}\\b(?:i|we)(?:'ll| will| can| could)\\b",
    ),
  },
  {
    act: 'request',
    why: 'the same the other way round: "I will start as soon as you confirm"',
    cue: /\b(?:once|as soon as|after|if|when) (?:you|i|we)\b/,
    pattern: RegExp(
      "\\b(?:i|we)(?:'ll| will| can)\\b.{0,120}\\b(?:once|as soon as|after|if|when) " +
        `(?:you (?:have (?:it|them|the|your)|can|could|are ready|${gives})|(?:i|we) (?:have|receive|get) your)\\b`,
    ),
  },
  {
    act: 'request',
    why: 'says that it waits: "waiting for your approval"',
    cue: /await|wait|pending|\byour\b/,
    pattern: RegExp(
      `^(?:awaiting|waiting for|pending) ${answered}\\b|` +
        '\\b(?:await|awaiting|wait(?:ing)? (?:for|on)|looking forward to|pending|needs?|requires?) your ' +
        `(?:[a-z]+ )?${answered}\\b`,
    ),
  },
  {
    act: 'request',
    why: 'says what would help',
    pattern: /\b(?:would|'d|will) (?:really |also )?help (?:me |us )?(?:if you|to know)\b/,
  },
  {
    act: 'request',
    why: 'names what it wants and adds "please"; "one moment, please" wants none',
    cue: /, please/,
    pattern: /^(?!.{0,40}\b(?:moment|minute|second|wait|hold)\b).{1,60}, please[.!]?$/,
  },
  ...englishConfirmations,
  {
    act: 'refusal',
    why: 'says that it cannot, or that it may not be',
    pattern: RegExp(
      [
        '\\bunfortunately\\b',
        "\\b(?:i'm|i am|we're|we are) (?:unable|not able|not allowed)\\b",
        "\\b(?:i|we) (?:cannot|can't|(?:don't|do not) have (?:access|the ability|information))\\b",
        "\\b(?:cannot|can't) be\\b",
        "\\b(?:is|are)(?: not|n't) (?:possible|allowed|permitted|eligible|available)\\b",
      ].join('|'),
    ),
  },
  {
    act: 'courtesy',
    why: 'thanks, wishes and farewells',
    pattern: RegExp(
      "^(?:have an?|enjoy|safe travels|take (?:care|your time)|good ?bye|bye|see you|talk to you|good luck|you're (?:very )?welcome|" +
        "thank(?:s| you)|get well|i hope|no (?:problem|worries)|looking forward|i(?:'m| am|'ll be| will be) (?:always )?here)\\b",
    ),
  },
]
