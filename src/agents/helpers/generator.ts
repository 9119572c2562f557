import { InfrastructureError } from '../../errors.ts'
import { extractAllJson } from '../../json/extract-json.ts'
import { isRecord, sortedJson } from '../../json/json.ts'
import { type Data, messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { askForData } from './ask-for-data.ts'
import type { Reading } from './ask-twice.ts'

export interface Generation {
  cases: Data[]
  /** What it gave besides, and why that is not among them. */
  leftOut: { id: string; why: string }[]
}

export interface GeneratorRequest {
  params: Data & { count: number }
  /** Says what is wrong with a case, as a file's would be looked at. */
  problemsOf(value: Data): string[]
  /** Whether two cases are much the same. */
  alike(left: Data, right: Data): boolean
}

/** Asks a generator for cases. Those that are not valid are sent back once, with what is wrong with them. */
export async function generateCases(
  agent: Agent,
  request: GeneratorRequest,
  scope: Scope,
): Promise<Generation> {
  const { params } = request
  const ask = (more: Data) =>
    askForData(
      agent,
      { role: 'generator', params: { ...params, ...more }, options: {} },
      readGeneratedCases,
      scope,
    )
  const found = new Selection(request)
  const invalid = found.add(await ask({}))
  if (invalid.length > 0 && !found.isFull) {
    const wrong = invalid.map(({ value, problems }) => ({ case: value, problems }))
    scope.log(`${agent.id}: ${wrong.length} of its cases are not valid; they are sent back`)
    const told = {
      count: wrong.length,
      invalid: wrong,
      last_answer_problem: 'holds cases that are not valid',
    }
    // What is right of the first answer does not depend on the second.
    found.add(await ask(told).catch(unlessInfrastructure))
  }
  for (const { id, problems } of invalid) found.leaveOutUnlessKept(id, problems.join('; '))
  return { cases: found.cases, leftOut: found.leftOut }
}

function unlessInfrastructure(error: unknown): unknown[] {
  if (error instanceof InfrastructureError && error.kind === 'bad_response') return []
  throw error
}

/** The cases that are kept, of all that are given. */
class Selection {
  readonly cases: Data[] = []
  readonly leftOut: Generation['leftOut'] = []
  readonly #request: GeneratorRequest

  constructor(request: GeneratorRequest) {
    this.#request = request
  }

  get isFull(): boolean {
    return this.cases.length >= this.#request.params.count
  }

  /** Gives those that are not valid. */
  add(given: readonly unknown[]): { id: string; value: unknown; problems: string[] }[] {
    const { params, problemsOf, alike } = this.#request
    const invalid: { id: string; value: unknown; problems: string[] }[] = []
    const spare: string[] = []
    for (const [index, value] of given.entries()) {
      const id = caseId(value, index)
      if (this.isFull) {
        spare.push(id)
        continue
      }
      if (!isRecord(value)) {
        const problem = `a case must be an object, got ${JSON.stringify(value) ?? 'nothing'}`
        invalid.push({ id, value, problems: [problem] })
        continue
      }
      const named = { ...value, id: this.#free(id) }
      const twin = this.cases.find((each) => alike(each, named))
      const problems = twin === undefined ? problemsOf(named) : []
      if (twin !== undefined) {
        if (twin.id !== id) this.leaveOut(id, `it is like ${String(twin.id)}`)
      } else if (problems.length > 0) invalid.push({ id, value, problems })
      else this.cases.push(named)
    }
    const [only = ''] = spare
    const left = spare.length === 1 ? only : `${spare.length} more`
    if (spare.length > 0) this.leaveOut(left, `${params.count} were asked for`)
    return invalid
  }

  leaveOut(id: string, why: string): void {
    this.leftOut.push({ id, why })
  }

  /** It may have come back corrected. */
  leaveOutUnlessKept(id: string, why: string): void {
    const isKnown = [...this.cases, ...this.leftOut].some((each) => each.id === id)
    if (!isKnown) this.leaveOut(id, why)
  }

  /** No other case has it. */
  #free(id: string): string {
    const taken = new Set(this.cases.map((each) => each.id))
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? id : `${id}-${number}`
      if (!taken.has(name)) return name
    }
  }
}

function caseId(value: unknown, index: number): string {
  const id = isRecord(value) ? value.id : undefined
  const text = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : ''
  return text === '' ? `G${String(index + 1).padStart(3, '0')}` : text
}

/** The very same thing is said. */
export function sameCase(left: Data, right: Data): boolean {
  return caseContent(left) === caseContent(right)
}

const contents = new WeakMap<Data, string>()

function caseContent(value: Data): string {
  const { id: _id, name: _name, ...rest } = value
  const content = contents.get(value) ?? sortedJson(rest)
  contents.set(value, content)
  return content
}

/** A list, `{"cases": […]}`, `{"test_cases": […]}` or one case; as data, JSON, fenced or in prose. */
export function readGeneratedCases({
  output,
  content,
}: Pick<Reply, 'output' | 'content'>): Reading<unknown[]> {
  const isData = isRecord(output) || Array.isArray(output)
  const found = isData ? [output] : extractAllJson(messageText(output) || content)
  // One object a line, as in a case file.
  if (found.length > 1 && found.every(isCase)) return { value: found }
  const said = found.find((each) => Array.isArray(each) || isRecord(each))
  if (Array.isArray(said)) return { value: said }
  const list = isRecord(said) ? (said.cases ?? said.test_cases) : undefined
  if (Array.isArray(list)) return { value: list }
  return isCase(said) ? { value: [said] } : { problem: 'gave no cases ({"cases": [{"id": …, "input": …}]})' }
}

function isCase(value: unknown): boolean {
  return (
    isRecord(value) && ['input', 'messages', 'turns', 'simulator'].some((key) => value[key] !== undefined)
  )
}
