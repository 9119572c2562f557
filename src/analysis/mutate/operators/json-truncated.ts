import { sayInstead } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { isWholeJson } from '../spoken.ts'

export const jsonTruncated: Operator = {
  name: 'json_truncated',
  about: 'The JSON of the reply ends in the middle.',
  damage: ({ reply }) => {
    const cut = cutJson(reply.content)
    return cut === undefined ? [] : [{ what: 'the JSON was cut off', apply: () => sayInstead(reply, cut) }]
  },
}

const fenced = /```(?:json)?\s*\n(\s*[[{][\s\S]*?)\n\s*```/

function cutJson(text: string): string | undefined {
  const json = isWholeJson(text) ? text : fenced.exec(text)?.[1]
  if (json === undefined || json.trim().length < 10) return undefined
  const start = text.indexOf(json)
  return text.slice(0, start + Math.floor(json.length * 0.6))
}
