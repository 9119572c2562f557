/** Why a provider gives no answer, although the request has no mistake. */
export type Refusal = 'rate_limit' | 'quota' | 'overloaded' | 'unreachable'

/** The names of refusals. Others with the same words are the agent's own, such as `TOOL_UNAVAILABLE`. */
const refusalNames: Record<Refusal, RegExp> = {
  quota: /^(?:insufficient_quota|billing_error)$/,
  rate_limit: wholeName(
    '(?:(?:api|llm|model|provider|user)[-_ ]?)?rate[-_ ]?limit(?:ed|s)?(?:[-_ ]?(?:exceeded|reached))?',
    'too[-_ ]?many[-_ ]?requests',
    'throttl(?:ed|ing)',
    'resource[-_ ]?exhausted',
  ),
  overloaded: wholeName(
    '(?:(?:api|engine|model|server|service)[-_ ]?)?overloaded',
    'service[-_ ]?unavailable',
  ),
  unreachable: /^(?:\w+\.)*API(?:Connection|ConnectionTimeout|Timeout)Error$/,
}

/** A module before the name, and `Error` after it, do not count. */
function wholeName(...names: string[]): RegExp {
  return new RegExp(`^(?:\\w+\\.)*(?:${names.join('|')})(?:[-_ ]?(?:error|exception))?$`, 'i')
}

const className =
  '(?:RateLimit(?:Exceeded)?(?:Error|Exception)|(?:RateLimitExceeded|TooManyRequests|Throttling|ResourceExhausted)(?:Error|Exception)?|(?:Overloaded|ServiceUnavailable)(?:Error|Exception)|API(?:Connection|ConnectionTimeout|Timeout)Error)'
/** `litellm.RateLimitError: …`, and `An error occurred (ThrottlingException)` of AWS. */
const quotedClass = new RegExp(`(?:^|[\\s.])(${className})(?=:)|error occurred \\((${className})\\)`, 'g')
/** `"type": "rate_limit_error"`, in JSON or as Python prints it. A single word such as `unavailable` may be anything. */
const quotedName = /(["'])(?:type|code|status|name)\1\s*:\s*["']([\w.]*(?:_|[a-z][A-Z])\w*)["']/g

/** Words of providers. A name in quotation marks is none of them: it may be a key that the agent did not find. */
const refusalWords: Record<Refusal, RegExp[]> = {
  quota: [/(?<!["'`])\binsufficient_quota\b(?!["'`])/, /\bcredit balance is too low to access\b/i],
  rate_limit: [
    /(?<!\b(?:interest|exchange|tax) )\brate limits? (?:(?:has|have) been |was |is )?(?:exceeded|reached|hit)\b/i,
    /\b(?:hit|reached|exceed(?:s|ed|ing)?) (?:(?:a|an|our|the|your) )?(?:(?:api|call|request|token|per-minute|organization['’]s|account['’]s) )*rate limits?\b/i,
    /(?<!["'`])\brate[- ]limited\b(?!["'`])/i,
    /\btoo many (?:requests\b|tokens, please wait\b)/i,
    /\brequests? (?:was|were|is|are|(?:has|have) been) throttled\b/i,
    /\bresource has been exhausted\b/i,
    /(?<!["'`])\bRESOURCE_EXHAUSTED\b(?!["'`])/,
    /\bservice tier capacity exceeded\b/i,
  ],
  overloaded: [
    /^(?:(?:API|APIStatus)?Error: )?Overloaded\.?$/,
    /\b(?:engine|model|provider|servers?|service)(?: \S{1,60})? (?:is|are) (?:currently |temporarily )?(?:overloaded|(?:at|over) capacity|experiencing high demand)\b/i,
    /\bover capacity\b.{0,40}\bback off\b/i,
  ],
  // The AI SDK says so of its provider only: any other address may be one of the agent's own.
  unreachable: [/\bCannot connect to API: /],
}
/** A quota that may be full only for this minute. */
const exceededQuota = [
  /\bexceeded your current quota\b/i,
  /(?<![a-z] )\bquota exceeded for\b.{0,160}(?:request|token)s?(?![a-z])/i,
]
const shortTime = /(?:\b|_)per[ _](?:second|minute)/i

/** `Error code: 429`, `{"statusCode":529}`, `429 {…}`. Any other number is no status, nor one that is called invalid. */
const quotedStatus = [
  /(?<!\b(?:invalid|unknown) )\b(?:error|status)[-_ ]?code["']?\s*[:=]?\s*["']?([45]29)\b/i,
  /\bHTTP(?:\/[\d.]+)?(?: error)?[!:]?(?: status)?:? ([45]29)\b/i,
  /\b(?:answered|failed|received|responded|returned|with)(?: with)?(?: an?)? (?:status|error):? ([45]29)\b/i,
  /["']status["']\s*:\s*["']?([45]29)\b/,
  /["']error["']\s*:\s*\{[^{}]*["']code["']\s*:\s*["']?([45]29)\b/,
  /^\s*(?:(?:API|APIStatus)?Error: )?([45]29)\s*(?:$|[:{([-])/,
]

/** What is known of an error. */
interface KnownError {
  /** Its codes and classes. */
  names: readonly string[]
  status: number | undefined
  text: string
}

/** Whether an error is a provider's refusal. In doubt, it is the agent's own. */
export function findRefusal({ names, status, text }: KnownError): Refusal | undefined {
  const named = findNamed(names) ?? (names.includes('UNAVAILABLE') ? 'overloaded' : undefined)
  if (named === 'quota' || matchesAny(refusalWords.quota, text)) return 'quota'
  if (status === 429) return 'rate_limit'
  // The error of a request that was refused for another reason may quote anything.
  return named ?? (status !== undefined && status < 500 ? undefined : findRefusalText(text))
}

function findRefusalText(text: string): Refusal | undefined {
  const classes = [...text.matchAll(quotedClass)].map(([, after, within]) => after ?? within ?? '')
  const fields = [...text.matchAll(quotedName)].map(([, , name = '']) => name)
  const named = findNamed([...classes, ...fields])
  const saysSo = (refusal: Refusal) => named === refusal || matchesAny(refusalWords[refusal], text)
  if (named === 'quota') return 'quota'
  if (saysSo('rate_limit')) return 'rate_limit'
  if (matchesAny(exceededQuota, text)) return shortTime.test(text) ? 'rate_limit' : 'quota'
  const status = quotedStatus.map((pattern) => pattern.exec(text)?.[1]).find(Boolean)
  if (status === '429') return 'rate_limit'
  if (status === '529' || saysSo('overloaded')) return 'overloaded'
  return saysSo('unreachable') ? 'unreachable' : undefined
}

function findNamed(names: readonly string[]): Refusal | undefined {
  const refusals: Refusal[] = ['quota', 'rate_limit', 'overloaded', 'unreachable']
  return refusals.find((refusal) => names.some((name) => refusalNames[refusal].test(name)))
}

function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text))
}
