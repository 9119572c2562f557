import { z } from 'zod'
import { sortedJson } from '../json/json.ts'
import { refineByCompiling } from '../json/validation/compiled-text.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { compilePattern } from '../text/pattern.ts'

const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const day = '\\d{1,2}(?:st|nd|rd|th)?'

/** What differs from run to run, and what stands for it in a snapshot. Applied in this order. */
const builtInRules = {
  dates: {
    patterns: [
      /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g,
      /\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/g,
      new RegExp(`\\b${month}\\.? ${day},? \\d{4}\\b`, 'g'),
      new RegExp(`\\b${day} ${month}\\b\\.?(?:,? \\d{4}\\b)?`, 'g'),
      // `4:12` alone may be anything.
      /\b(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\b(?: ?[ap]m\b)?|\b\d{1,2}:[0-5]\d ?[ap]m\b/gi,
    ],
    placeholder: '<date>',
  },
  ids: {
    patterns: [
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
      // `call_8fJ2k9`, `order-2026a17`: a word, and then letters and digits in one piece.
      /\b[a-z]{2,}[_-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{5,}\b/g,
      /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/g,
    ],
    placeholder: '<id>',
  },
  numbers: { patterns: [/(?<![\w<])[-+]?\d(?:[\d.,]*\d)?/g], placeholder: '<number>' },
} as const

type BuiltInRule = keyof typeof builtInRules
const ruleNames = Object.keys(builtInRules) as [BuiltInRule, ...BuiltInRule[]]

const ruleSchema = z.union([
  z.enum(ruleNames),
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .superRefine(refineByCompiling(compilePattern))
      .describe('A regular expression in RE2 syntax'),
    as: z
      .string()
      .regex(/^[^$]*$/, 'must not contain $')
      .describe('The text that replaces every match'),
  }),
])

export const normalizeSchema = z.array(ruleSchema).optional()

export type NormalizeRule = z.infer<typeof ruleSchema>

/** Replaces what differs from run to run. */
export function compileNormalizer(rules: readonly NormalizeRule[] = []): (text: string) => string {
  const own = rules.flatMap((rule) => (typeof rule === 'string' ? [] : rule))
  const compiled = own.map(({ pattern, as }) => ({ pattern: compilePattern(pattern), as }))
  const builtIn = ruleNames.filter((name) => rules.includes(name)).map((name) => builtInRules[name])
  return (text) => {
    let normalized = text
    for (const { pattern, as } of compiled) normalized = pattern.replaceAll(normalized, as)
    for (const { patterns, placeholder } of builtIn)
      for (const pattern of patterns) normalized = normalized.replace(pattern, placeholder)
    return normalized
  }
}

/** Text as it is; data as JSON on several lines, with sorted keys. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : sortedJson(output, 2)
}

/** One line for each call; undefined if the agent hides its calls. */
export function toolCallsText(turns: readonly Turn[]): string | undefined {
  const calls = turns.flatMap(({ reply }) => (reply === undefined ? [] : [reply.toolCalls]))
  if (calls.includes('hidden')) return undefined
  const lines = calls.flatMap((each) => (each === 'hidden' ? [] : each)).map(callText)
  return lines.length === 0 ? '(no tool calls)' : lines.join('\n')
}

function callText({ name, arguments: args }: ToolCall): string {
  return `${name} ${sortedJson(args)}`
}

/** What was said, and which tools were called, turn by turn. */
export function spokenText(turns: readonly Turn[]): string {
  return turns
    .flatMap(({ input, reply }) => [
      `User: ${messageText(input.value)}`,
      ...(reply === undefined || reply.toolCalls === 'hidden'
        ? []
        : reply.toolCalls.map((call) => `Tool: ${callText(call)}`)),
      ...(reply === undefined ? [] : [`Agent: ${messageText(reply.output)}`]),
    ])
    .join('\n')
}

function messageText(value: unknown): string {
  return typeof value === 'string' ? value : sortedJson(value)
}
