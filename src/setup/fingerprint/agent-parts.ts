import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { AgentOrigin, AgentSources } from '../../agents/resolved.ts'
import { ConfigError } from '../../errors.ts'
import { redactAgentName } from '../../models/network/address.ts'
import { listFiles } from '../../project/app/files-below.ts'
import { findModules, listModelAgents, loadModelAgent, promptFile } from '../../project/app/model-agent.ts'
import { loadPackage, locatePackage, type Package, packageIds } from '../../project/app/package.ts'
import { createAppScripts } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'
import { splitCommand } from '../../system/split-command.ts'
import type { CodeReach, CodeReader } from './code.ts'
import type { FingerprintParts } from './parts.ts'
import { findServerCode, isCode } from './server-code.ts'

const whyUnseen = {
  model: 'a model behind a server may change',
  http: 'viva does not see the code of an HTTP agent',
  a2a: 'viva does not see the code of an A2A agent',
  exec: 'viva does not see all that a command runs',
}

type Sources = Pick<AgentSources, 'project' | 'connectors' | 'toolServers'>

/** Adds packages, connectors and MCP servers to the parts of an agent, each once. */
export class AgentParts {
  readonly #sources: Sources
  readonly #code: CodeReader
  readonly #parts: FingerprintParts
  /** The agent under test, as the config names it under `fingerprint`. */
  readonly #names: readonly string[]
  readonly #added = new Set<string>()

  constructor(sources: Sources, code: CodeReader, parts: FingerprintParts, names: readonly string[]) {
    this.#sources = sources
    this.#code = code
    this.#parts = parts
    this.#names = names
  }

  #once(what: string, add: () => void): void {
    if (this.#added.has(what)) return
    this.#added.add(what)
    add()
  }

  /** With all it uses. Its own connector is another one with `-c`. */
  package(pack: Package, connector: string | undefined): void {
    this.#once(`package ${pack.id}`, () => {
      const { project } = this.#sources
      // A model of the config has no folder of its own.
      if (project.config.agents?.[pack.id] === undefined) this.#packageFiles(pack)
      else this.#modelAgent(pack)
      for (const { id } of pack.tools.servers) this.server(id)
      for (const path of pack.tools.modules) this.code(path)
      if (pack.hooks !== undefined) this.code(pack.hooks.path)
      if (connector !== undefined) this.connector(connector)
    })
  }

  /** The prompts, the package itself, and what the app has for all its packages. */
  #packageFiles({ folder }: Package): void {
    const { appRoot } = this.#sources.project
    const own = listFiles(folder).filter((name) =>
      /^(?:package\.yao|prompts\.ya?ml|(?:prompts|assets|locales)\b)/.test(name),
    )
    for (const name of own) this.#parts.file(join(folder, name))
    const shared = appRoot === undefined ? undefined : join(appRoot, 'agent')
    if (shared !== undefined)
      for (const name of listFiles(shared))
        if (/^(?:agent\.yml|prompts\.yml|assets\b)/.test(name)) this.#parts.file(join(shared, name))
  }

  #modelAgent({ id, prompts, options, tools: { servers, maxTurn } }: Package): void {
    const file = promptFile(this.#sources.project, id)
    if (file !== undefined) this.#parts.file(file)
    this.#parts.data(`agent ${id}`, { options, servers, maxTurn, ...(file === undefined && { prompts }) })
  }

  /** By whatever an agent can be made of. `connector`: the one it answers with. */
  origin(origin: AgentOrigin, connector: string | undefined): void {
    const { project } = this.#sources
    if (origin.kind === 'package') this.package(origin.pack, connector)
    else if (origin.kind === 'module') {
      this.#parts.data(`export of ${this.#parts.nameOf(origin.file)}`, origin.exportName)
      this.code(origin.file)
    } else this.#outside(origin, project.root)
    for (const name of new Set(this.#names)) this.#parts.named(name)
  }

  /** An agent that is reached by its address, or run as a command. */
  #outside(
    { kind, reference, entry }: Exclude<AgentOrigin, { kind: 'package' | 'module' }>,
    root: string,
  ): void {
    this.#parts.settings(`agent ${this.#names[0]}`, { reference: redactAgentName(reference), entry })
    const words = kind === 'exec' ? splitCommand(reference.slice('exec:'.length)) : []
    for (const word of words)
      if (/[./]/.test(word) && !isAbsolute(word)) this.#parts.file(resolve(root, word))
    this.#parts.unseen(this.#names, whyUnseen[kind])
  }

  /** A file of code with what it imports, and all of the app that it may call by name. */
  code(path: string, names = this.#names): void {
    this.#once(`code ${path}`, () => {
      this.#parts.data('version of Node.js', process.versions.node)
      this.#reach(this.#code.read(path, this.#parts), names)
    })
  }

  #reach({ unseen, callsByName }: CodeReach, names: readonly string[]): void {
    if (unseen !== undefined) this.#parts.unseen(names, unseen)
    if (callsByName) this.#once('app', () => this.#wholeApp())
  }

  #wholeApp(): void {
    const { project, connectors, toolServers } = this.#sources
    for (const id of connectors.ids()) this.connector(id)
    for (const id of toolServers.ids()) this.server(id)
    for (const [id, agent] of listModelAgents(project)) {
      this.#unlessBroken(id, () =>
        this.package(loadModelAgent(id, agent, { project, connectors }), undefined),
      )
      for (const path of findModules(project, agent)) this.code(path)
    }
    for (const id of packageIds(project)) {
      const folder = locatePackage(project, id)
      if (folder !== undefined)
        this.#unlessBroken(id, () => this.package(loadPackage(project, folder), undefined))
    }
    this.#scripts(project)
    for (const [id, entry] of Object.entries(project.config.agents ?? {}))
      if (typeof entry === 'string' || !('connector' in entry))
        this.#parts.unseen([id], `the agent ${id}, which may be called by its name, is not looked into`)
  }

  #scripts({ appRoot }: Project): void {
    if (appRoot === undefined) return
    for (const folder of [join(appRoot, 'scripts'), join(appRoot, 'assistants')])
      for (const name of listFiles(folder))
        if (/\.[cm]?[jt]s$/.test(name) && !/_test\.\w+$|(?:^|[\\/])tests[\\/]/.test(name))
          this.code(join(folder, name))
  }

  /** Without its key. A model behind a server may become another one under the same name. */
  connector(id: string): void {
    const { connectors } = this.#sources
    this.#once(`connector ${id}`, () =>
      this.#unlessBroken(`connector ${id}`, () => {
        const written = connectors.idOf(id)
        const { connector, folder } = connectors.written(written)
        const { limits: _, label: _label, name: _name, ...settings } = connector
        this.#parts.settings(`connector ${written}`, settings)
        const { module } = settings.options ?? {}
        if (settings.type !== 'scripted')
          this.#parts.unseen([written], `the model of connector ${written} may change behind its name`)
        else if (typeof module === 'string') this.code(resolve(folder, module), [written])
        this.#parts.named(written)
      }),
    )
  }

  /** Every tool that the app has, and those of the agents under test. */
  tools(modules: readonly string[]): void {
    for (const id of this.#sources.toolServers.ids()) this.server(id)
    for (const path of modules) this.code(path)
  }

  server(id: string): void {
    this.#once(`server ${id}`, () => this.#unlessBroken(`MCP server ${id}`, () => this.#server(id)))
  }

  #server(id: string): void {
    const { toolServers, project } = this.#sources
    const { settings, cwd, mapping } = toolServers.written(id)
    this.#parts.settings(`MCP server ${id}`, settings)
    if (settings.transport === 'process') {
      for (const name of mapping === undefined ? [] : listFiles(mapping))
        this.#parts.file(join(mapping ?? '', name))
      const files = createAppScripts(project)
      for (const process of processesIn([settings.tools, settings.resources, settings.prompts])) {
        const script = files.ofProcess(process)
        if (script === undefined) this.#once('app', () => this.#wholeApp())
        else this.code(script.file)
      }
      return
    }
    const { files, isSeen } = findServerCode(settings, cwd)
    for (const path of files.filter((each) => isInside(each, project)))
      if (isCode.test(path)) this.code(path)
      else this.#parts.file(path)
    const [script = ''] = files
    if (!isSeen || !isInside(script, project))
      this.#parts.unseen(this.#names, `viva does not see the code of MCP server ${id}`)
  }

  /** What cannot be opened is reported where it is used. */
  #unlessBroken(what: string, add: () => void): void {
    try {
      add()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#parts.unseen([], `${what} cannot be read`)
    }
  }
}

function processesIn(maps: readonly unknown[]): string[] {
  return maps
    .flatMap((map) => (typeof map === 'object' && map !== null ? Object.values(map) : []))
    .map(String)
}

function isInside(path: string, { root, appRoot }: Project): boolean {
  const isBelow = (folder: string) => path.startsWith(join(folder, '/'))
  return isBelow(root) || (appRoot !== undefined && isBelow(appRoot)) || dirname(path) === root
}
