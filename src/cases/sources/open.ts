import { realpathSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { findScriptAgent } from '../../project/app/script-files.ts'
import { type Project, projectPath } from '../../project/project.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { LoadContext } from '../../scripts/runner/script-host.ts'
import type { TestHost } from '../../scripts/runner/test-host.ts'
import type { InputStream } from '../../system/shell.ts'
import { createFindFile } from '../attached-file.ts'
import type { CaseSettings } from '../compile.ts'
import type { CaseSource } from '../entry.ts'
import { findFormat } from '../formats/formats.ts'
import type { CaseUses } from '../uses.ts'
import { type AgentLimits, validateCase } from '../validate.ts'
import { caseFileSource } from './case-file.ts'
import { combineSources } from './combine.ts'
import { type DetectedInput, isSuiteFile } from './detect.ts'
import { listCaseFiles } from './folder.ts'
import { givenSource } from './given.ts'
import { messageSource } from './message.ts'
import { createReturnedCases } from './returned-cases.ts'
import { scriptTestSource } from './script-tests.ts'
import { createSentCases, type SentCases } from './sent.ts'
import { stdinSource } from './stdin.ts'
import { suiteModuleSource } from './suite.ts'

/** The folder from which the project is looked for. */
export function inputFolder(inputs: readonly DetectedInput[], cwd: string): string {
  const [first] = inputs
  if (first === undefined || !('path' in first)) return cwd
  return first.kind === 'folder' ? first.path : dirname(first.path)
}

/** Generates cases with a script or an agent. `problemsOf` validates one of them. */
export type Generate = (
  reference: string,
  params: Data,
  problemsOf: (value: Data) => string[],
) => Promise<unknown>

export interface OpenOptions {
  project: Project
  /** Loads case files that are modules. */
  loading: LoadContext
  stdin: InputStream
  limits: AgentLimits
  /** Services for the checks of cases in this folder. */
  helpers(folder: string): CaseSettings['helpers']
  /** The simulators and the person that may play the user in cases of this folder. */
  speakers(folder: string): CaseSettings['speakers']
  /** Where the tests of a script file run. */
  testHost(path: string): TestHost
  generate: Generate
  onMissingInput?: NonNullable<CaseSettings['onMissingInput']>
  /** The folder of the agent under test, if it has one. */
  agentFolder?: string
  /** Only these files of the inputs, as real paths. Then nothing is generated. */
  files?: ReadonlySet<string>
  /** Where it is noted what each case names. */
  uses?: CaseUses
}

/** All inputs of a run as one source. */
export function openInputs(inputs: readonly DetectedInput[], options: OpenOptions): CaseSource {
  const [only] = inputs
  if (inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person'))
    return messageSource(
      only.kind === 'message' ? only.text : undefined,
      createSurroundings(options.project.cwd, options).settings,
    )
  if (inputs.length === 1 && only?.kind === 'stdin')
    return stdinSource(createSurroundings(options.project.cwd, options), options.stdin)

  if (inputs.length === 1 && only?.kind === 'given')
    return givenSource(only.shown, only.write(options.limits), createSurroundings(only.folder, options))

  const sources = new Map<string, CaseSource>()
  for (const input of inputs) {
    if (input.kind === 'generator') {
      if (options.files === undefined) sources.set(input.shown, generatorSource(input, options))
      continue
    }
    for (const path of listPaths(input)) {
      if (options.files && !options.files.has(realpathSync(path))) continue
      const file = projectPath(options.project, path)
      sources.set(file, openSource(input, path, file, options))
    }
  }
  return combineSources(inputs.map(({ shown }) => shown).join(', '), sources)
}

/** Cases that another process has sent, because they are in no file. */
export function openSentCases(options: OpenOptions): SentCases {
  return createSentCases(createSurroundings(options.project.cwd, options))
}

function listPaths(input: DetectedInput): string[] {
  if (input.kind === 'folder') return listCaseFiles(input.path)
  if (input.kind === 'cases' || input.kind === 'tests' || input.kind === 'suite') return [input.path]
  const message = `${input.kind === 'stdin' ? 'stdin' : 'a message'} cannot be combined with other inputs: ${input.shown}`
  throw new ConfigError({ code: 'bad_input', message })
}

function openSource(input: DetectedInput, path: string, file: string, options: OpenOptions): CaseSource {
  if (input.kind === 'tests') return testSource(path, file, options)
  return isSuiteFile(path) ? suiteModuleSource(path, file, options.loading) : fileSource(path, file, options)
}

function fileSource(path: string, file: string, options: OpenOptions): CaseSource {
  const format = findFormat(extname(path), options.loading, options.project.root)
  if (format === undefined) {
    const message = `${file}: unknown type of case file "${extname(path)}"`
    throw new ConfigError({ code: 'bad_input', message, hint: 'use .jsonl, .json, .yaml, .csv, .ts or .js' })
  }
  return caseFileSource({ path, file, format, ...createSurroundings(dirname(path), options) })
}

function testSource(path: string, file: string, options: OpenOptions): CaseSource {
  const { project, loading, testHost } = options
  const { root, appRoot } = project
  const agentId = findScriptAgent(path, defined({ appRoot })) ?? ''
  return scriptTestSource({ path, file, root, agentId, stop: loading.signal, host: testHost(path) })
}

/** Generated cases are validated like those of a file. */
function generatorSource(
  { reference, params, shown }: Extract<DetectedInput, { kind: 'generator' }>,
  options: OpenOptions,
): CaseSource {
  const { project, generate } = options
  const { surroundings, settings } = createSurroundings(project.cwd, options)
  const problemsOf = (value: Data) => {
    const validated = validateCase(value, surroundings)
    return validated.ok ? [] : validated.issues.map(({ message }) => message)
  }
  const give = () => generate(reference, params, problemsOf)
  const format = createReturnedCases('a generator must return a list of cases', give)
  const place = { path: project.root, file: shown, format, surroundings, settings }
  const cases = caseFileSource(place)
  // Without `file`: there is none beside which results could be written.
  return {
    label: cases.label,
    index: () => cases.index(),
    load: (entry) => cases.load(entry),
    loadChanged: (entry, change) => cases.loadChanged(entry, change),
    written: (entry) => cases.read(entry),
    close: async () => cases.close?.(),
  }
}

/** Files are looked up beside the cases, in the agent's folder and in the app. */
function createSurroundings(folder: string, options: OpenOptions) {
  const { project, limits, onMissingInput, agentFolder, uses } = options
  const [helpers, speakers] = [options.helpers(folder), options.speakers(folder)]
  const folders = [folder, agentFolder, project.packageFolder, project.appRoot ?? project.root]
  const findFile = createFindFile(
    folders.filter((path) => path !== undefined),
    project.root,
  )
  const surroundings = { limits, findFile, helpers, speakers }
  return {
    // What is asked for when cases are played is not noted.
    surroundings: uses?.noting(surroundings, folder, project.root) ?? surroundings,
    settings: { findFile, helpers, speakers, ...defined({ onMissingInput }) },
    ...defined({ uses }),
  }
}
