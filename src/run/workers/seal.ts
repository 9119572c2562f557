import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../json/json.ts'

/** The variable with the secret that a coordinator and its workers share. */
export const secretVariable = 'VIVA_QUEUE_SECRET'

/** Signs what is put into Redis, and reads only what was signed with the same secret. Without a secret, nothing is signed. */
export interface Seal {
  /** `about` is what the message is for, so that it cannot be used for anything else. */
  seal(about: string, message: object): string
  /** Throws an error that says what is wrong. */
  open(about: string, text: string): unknown
}

const signatureLength = 64

export function createSeal(secret: string | undefined): Seal {
  if (secret === undefined || secret === '')
    return {
      seal: (_, message) => JSON.stringify(message),
      open(_, text) {
        if (!text.startsWith('{')) throw new Error(`it is signed, and ${secretVariable} is not set here`)
        return parseWhole(text)
      },
    }
  const sign = (about: string, json: string) =>
    createHmac('sha256', secret).update(`${about}\n`).update(json).digest('hex')
  return {
    seal(about, message) {
      const json = JSON.stringify(message)
      return sign(about, json) + json
    },
    open(about, text) {
      const json = text.slice(signatureLength)
      const [given, wanted] = [text.slice(0, signatureLength), sign(about, json)].map((each) =>
        Buffer.from(each),
      )
      if (given?.length !== wanted?.length || !timingSafeEqual(given ?? empty, wanted ?? empty))
        throw new Error(`it is not signed with the ${secretVariable} of this machine`)
      return parseWhole(json)
    },
  }
}

const empty = Buffer.alloc(0)

function parseWhole(json: string): unknown {
  const parsed = parseJson(json)
  if (parsed === undefined) throw new Error('it is not JSON')
  return parsed
}
