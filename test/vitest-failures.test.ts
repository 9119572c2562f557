import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runTests } from './support/run-tests.ts'
import { project, repository } from './support/viva.ts'

const agent = `import { agentReply } from 'vivavoce'
let calls = 0
export const agent = {
  async execute(input: string) {
    calls += 1
    const status = input === 'sometimes' && calls % 2 === 0 ? 'lost' : 'shipped'
    return agentReply({ id: 'A7', status }, { toolCalls: [{ name: 'look_up', args: { id: 'A7' }, result: { status } }] })
  },
}
`

it('a failed case shows the conversation, the difference, and the line of the case', () => {
  const printed = runTests({
    'agent.ts': agent,
    'orders.test.ts': `import { describeAgent } from 'vivavoce/vitest'
import { agent } from './agent.ts'

const order = (id: string, status: string) => ({
  id,
  input: 'Where is A7?',
  expectedOutput: { id: 'A7', status },
})

describeAgent('orders', { agent }, [
  { id: 'right', input: 'Where?', expectedOutput: { id: 'A7', status: 'shipped' } },
  {
    id: 'wrong',
    input: 'Where is it?',
    expectedOutput: { id: 'A7', status: 'lost' },
  },
  order('made', 'returned'),
  { input: 'without an id', expectedOutput: { id: 'A7', status: 'stolen' } },
])
`,
  })
  expect(printed).toContain('3 failed | 1 passed')
  expect(printed).toContain(
    '1 user: "Where is it?"\n1 tool: look_up({"id":"A7"}) → {"status":"shipped"}\n1 agent: {"id":"A7","status":"shipped"}',
  )
  expect(printed).toMatch(/-\s+"status": "lost",\n\+\s+"status": "shipped",/)
  expect(printed).toContain('orders.test.ts:13:9')
  expect(printed).toMatch(/13\|\s+id: 'wrong',/)
  expect(printed).toContain('orders.test.ts:17:9')
  // The line that defines the group.
  expect(printed).toContain('orders.test.ts:10:1')
})

it('a failed assertion about a result shows the conversation, and keeps its line', () => {
  const printed = runTests({
    'agent.ts': agent,
    'orders.test.ts': `import { createEvalSuite } from 'vivavoce'
import { agentCase } from 'vivavoce/vitest'
import { expect } from 'vitest'
import { agent } from './agent.ts'

agentCase(createEvalSuite({ agent }), { id: 'pays', input: 'Pay' }, (result) => {
  expect(result.output?.status).toBe('shipped')
  expect(result).toCallTool('pay')
})
`,
  })
  expect(printed).toContain('pay was not called (called: look_up)\n\n1 user: "Pay"')
  expect(printed).toContain('orders.test.ts:8:18')
})

it('what the agent said does not steer the terminal', () => {
  const printed = runTests({
    'orders.test.ts': `import { createEvalSuite } from 'vivavoce'
import { agentCase, describeAgent } from 'vivavoce/vitest'
import { expect } from 'vitest'

const nasty = 'red \\u001b[31m title \\u001b]0;owned\\u0007 bell \\u0007 csi \\u009b2J back \\u202e'
const agent = { execute: (_: string) => ({ said: nasty }) }
const broken = { execute: (_: string): string => { throw new Error(nasty) } }
describeAgent('compared', { agent }, [{ id: 'differs', input: 'x', expectedOutput: { said: 'y' } }])
describeAgent('broken', { agent: broken }, [{ id: 'breaks', input: 'x', expectedOutput: 'y' }])
agentCase(createEvalSuite({ agent }), { id: 'looked at', input: 'x' }, (result) => {
  expect(result.output).toEqual({ said: 'z' })
})
agentCase(createEvalSuite({ agent }), { id: 'matched', input: 'x' }, async (result) => {
  await expect(result).toReachCheckpoint(({ lastOutput }) => { throw new Error(lastOutput.said) })
})
`,
  })
  expect(printed).toContain('4 failed')
  expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(printed).toMatch(/\+\s+"said": "red \\\\x1b\[31m/)
  expect(printed).toContain('agent error: red \\x1b[31m')
})

it('a mistake in a case points at its line', () => {
  const printed = runTests({
    'agent.ts': agent,
    'orders.test.ts': `import { createEvalSuite } from 'vivavoce'
import { agentCase, describeAgent } from 'vivavoce/vitest'
import { agent } from './agent.ts'

describeAgent('orders', { agent }, [
  { id: 'right', input: 'x', expectedOutput: { id: 'A7', status: 'shipped' } },
  {
    id: 'misspelt',
    inputt: 'x',
  },
  { id: 'unknown check', input: 'x', assert: { type: 'contain', value: 'x' } },
  { id: 'endless', input: 'x', timeout: 'long' },
  { id: 'unchecked', input: 'x' },
])
agentCase(
  createEvalSuite({ agent }),
  { id: 'alone', input: 'x', stubs: 3 },
)
agentCase(createEvalSuite({ agent }), null)
`,
  })
  expect(printed).toContain('6 failed | 1 passed')
  for (const place of ['8:9', '11:9', '12:9', '13:9', '17:9', '19:1'])
    expect(printed).toContain(`orders.test.ts:${place}`)
  expect(printed).toContain('ConfigError: misspelt: input is missing\nmisspelt: unknown key "inputt"')
  expect(printed).toContain('ConfigError: endless: timeout long: ')
})

it('each play of a case must pass, or as many as the gate asks for', () => {
  const printed = runTests({
    'agent.ts': agent,
    'orders.test.ts': `import { createEvalSuite } from 'vivavoce'
import { agentCase, describeAgent } from 'vivavoce/vitest'
import { expect } from 'vitest'
import { agent } from './agent.ts'

const sometimes = { id: 'sometimes', input: 'sometimes', expectedOutput: { id: 'A7', status: 'shipped' } }
describeAgent('always', { agent }, [sometimes], { iterations: 4 })
describeAgent('half', { agent }, [sometimes], { iterations: 4, gates: { case: 0.5 } })
describeAgent('most', { agent }, [sometimes], { iterations: 4, concurrency: 2, gates: { case: 0.8 } })
const seen: number[] = []
agentCase(createEvalSuite({ agent }), { id: 'looked at', input: 'x' }, ({ iteration, toolCalls }) => {
  seen.push(iteration)
  expect(toolCalls).toHaveLength(iteration === 3 ? 2 : 1)
}, { iterations: 3 })
agentCase(createEvalSuite({ agent }), { id: 'refused', input: 'x', expectedOutput: { id: 'A7', status: 'shipped' } }, undefined, { gates: { case: 2 } })
`,
  })
  expect(printed).toContain('4 failed | 1 passed')
  expect(printed).toContain('2 of 4 plays passed; play 2: output is {"id":"A7","status":"lost"}')
  expect(printed).toContain('2 of 4 plays passed, and 80% must; play')
  expect(printed).toContain('2 of 3 plays passed; play 3: expected')
  expect(printed).toMatch(/gates\.case/)
})

it('as many plays as in a run reach a gate, and what no agent is to blame for is not counted', () => {
  const printed = runTests({
    'orders.test.ts': `import { InfrastructureError } from 'vivavoce'
import { describeAgent } from 'vivavoce/vitest'

const plays = (...answers: (string | Error)[]) => ({
  execute() {
    const answer = answers.shift() ?? 'bad'
    if (answer instanceof Error) throw answer
    return answer
  },
})
const once = { id: 'once', input: 'x', expectedOutput: 'good' }
const down = new InfrastructureError('connection', 'the service is down')
const good = Array(7).fill('good')
describeAgent('7 of 25', { agent: plays(...good) }, [once], { iterations: 25, gates: { case: 0.28 } })
describeAgent('6 of 25', { agent: plays(...good.slice(1)) }, [once], { iterations: 25, gates: { case: 0.28 } })
describeAgent('2 of 2', { agent: plays('good', 'good', down) }, [once], { iterations: 3, gates: { case: 1 } })
`,
  })
  expect(printed).toContain('1 failed | 2 passed')
  expect(printed).toContain('6 of 25 plays passed, and 28% must; play')
})

it('the matchers have types where viva is linked from a folder and has another copy of vitest', () => {
  const cwd = project({
    'booking.test.ts': `import { afterTurns, createEvalSuite, createJudge, fieldEquals } from 'vivavoce'
import { agentCase } from 'vivavoce/vitest'
import { expect } from 'vitest'

const judge = createJudge({ criteria: [{ id: 'a', name: 'a', description: 'a', validate: () => ({ score: 1, reasoning: '' }) }] })
agentCase(createEvalSuite({ agent: { execute: (text: string) => ({ text }) } }), { input: 'hi' }, async (result) => {
  expect(result).toCallTool('book', { guests: 4 })
  expect(result).not.toCallTool('cancel')
  await expect(result).toReachCheckpoint(fieldEquals('text', 'hi'))
  const reached: Promise<void> = expect(result).toReachCheckpoint(afterTurns(1))
  await expect(result).toPassJudge(judge)
  // @ts-expect-error a tool has a name
  expect(result).toCallTool(7)
  // @ts-expect-error there is no such matcher
  expect(result).toCallTol('book')
  // @ts-expect-error a judge is not a text
  await expect(result).toPassJudge('a judge')
  const text: string | undefined = result.output?.text
  // @ts-expect-error the output has no such field
  result.output?.txt
  return reached
})
`,
  })
  installOwnVitest(cwd)
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,esnext.disposable',
  ]
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'booking.test.ts'], {
    cwd,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

/** A copy of vitest, as each project has one; viva is linked, and finds the copy of its own folder. */
function installOwnVitest(cwd: string): void {
  const installed = join(repository, 'node_modules')
  const modules = join(cwd, 'node_modules')
  const copied = ['vitest', '@vitest']
  mkdirSync(modules)
  for (const name of copied)
    cpSync(join(installed, name), join(modules, name), { recursive: true, dereference: true })
  for (const name of readdirSync(installed).filter((each) => !each.startsWith('.') && !copied.includes(each)))
    symlinkSync(join(installed, name), join(modules, name))
  symlinkSync(repository, join(modules, 'vivavoce'))
}
