/** The contracts by which a folder may call one that it does not import, and the import rules of ARCHITECTURE.md. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { repository } from '../measure.mjs'

/** These may be called from anywhere, and their calls of others are those of who called them. */
export const baseFolders = ['errors', 'json', 'results', 'scope', 'system', 'text', 'version']

/** Folder → contracts by which it may be entered again. What is passed to `Scope.exchange` is called back from there. */
const contracts = {
  cli: ['Front', 'Terminal', 'Person', 'Reporter', 'Screen', 'Phases.use'],
  suite: [
    'Agent',
    'Session',
    'Check',
    'CaseSource',
    'MessageSource',
    'ResultStore',
    'Reporter',
    'Phase',
    'Phases.use',
    'SecretSource',
  ],
  setup: [
    'ScriptRequestHandler',
    'CleanUp',
    'Baseline',
    'CaseServices',
    'SpentAroundCases',
    'OpenOptions',
    'Recording',
    'SecretSource',
    'CaseSource',
    'Reporter',
    'CheckHelpers',
    'Tool',
    'ToolServer',
  ],
  analysis: ['Agent', 'Session', 'Reporter', 'Baseline'],
  run: ['TestListener', 'ConversationSettings'],
  reporters: ['Reporter'],
  cases: ['CaseSource', 'Check', 'MessageSource'],
  conversation: ['MessageSource', 'Check'],
  checks: ['Check'],
  agents: ['Agent', 'Session'],
  project: ['Tool', 'ToolServer'],
  tools: ['Tool', 'ToolServer'],
  models: ['Model'],
  scripts: [],
  privacy: [],
}

/**
 * Where each is declared. A contract lets others call the members of its interface, which has its name unless it says
 * otherwise; `calls` are functions that are passed to one of its members.
 */
const declarations = {
  'Scope.exchange': { file: 'src/scope/scope.ts', name: 'Exchange' },
  Agent: { file: 'src/agents/agent.ts' },
  Session: { file: 'src/agents/agent.ts' },
  Model: { file: 'src/models/model.ts' },
  Tool: { file: 'src/tools/tool.ts' },
  ToolServer: { file: 'src/tools/tool.ts' },
  Check: { file: 'src/checks/check.ts' },
  CheckHelpers: { file: 'src/checks/check-helpers.ts' },
  CaseSource: { file: 'src/cases/entry.ts' },
  MessageSource: { file: 'src/conversation/plan.ts' },
  Person: { file: 'src/conversation/person.ts' },
  Reporter: { file: 'src/reporters/reporter.ts' },
  Screen: { file: 'src/reporters/screen.ts' },
  ResultStore: { file: 'src/results/store.ts' },
  TestListener: { file: 'src/scripts/runner/test-round.ts' },
  ScriptRequestHandler: { file: 'src/scripts/protocol/ask.ts' },
  CleanUp: { file: 'src/run/run.ts' },
  Baseline: { file: 'src/run/conclude.ts' },
  CaseServices: { file: 'src/run/stage.ts' },
  SpentAroundCases: { file: 'src/run/conclude.ts' },
  OpenOptions: { file: 'src/cases/sources/open.ts' },
  Recording: { file: 'src/analysis/history/record.ts' },
  SecretSource: { file: 'src/privacy/secrets.ts' },
  ConversationSettings: { file: 'src/conversation/play.ts' },
  Front: { file: 'src/setup/terminal-contract.ts' },
  Terminal: { file: 'src/setup/terminal-contract.ts' },
  Phase: { file: 'src/setup/phase.ts' },
  'Phases.use': { file: 'src/setup/phase.ts', calls: ['work'] },
}

/** Returns a function that names the contract of a folder to which a call belongs. A caller must know the contract. */
export async function readContracts(imports) {
  const members = new Map()
  for (const [contract, { file, name = contract.split('.')[0], calls }] of Object.entries(declarations)) {
    const source = await readFile(join(repository, file), 'utf8')
    const declared = interfaceMembers(parseSync(file, source).program, name)
    if (declared === undefined)
      throw new Error(`${file} declares no interface ${name}: mend bench/walks/contracts.mjs`)
    members.set(contract, calls ?? declared)
  }
  const knows = (caller, file) => caller === file || imports.get(caller).has(file)
  return (folder, { names, callers }) =>
    ['Scope.exchange', ...(contracts[folder] ?? [])].find(
      (contract) =>
        names.some((name) => members.get(contract).includes(name)) &&
        callers.some((caller) => knows(caller, declarations[contract].file)),
    )
}

export function declaredIn(contract) {
  return declarations[contract].file
}

function interfaceMembers({ body }, name) {
  const declarations = body.map((statement) => statement.declaration ?? statement)
  const found = declarations.find(({ type, id }) => type === 'TSInterfaceDeclaration' && id.name === name)
  return found?.body.body.map(({ key }) => key?.name ?? '')
}

/** Folder → folders that it imports, from the table of ARCHITECTURE.md. */
export async function readImportRules() {
  const text = await readFile(join(repository, 'ARCHITECTURE.md'), 'utf8')
  const rows = (text.split('| folder |')[1] ?? '').split('\n').slice(2)
  const cells = rows
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(({ length }) => length === 5)
  return new Map(cells.map(([, folder, , imports]) => [folder, imports.split(/,\s*/)]))
}
