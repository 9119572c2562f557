import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Declaration, type ExportNamedDeclaration, type Program, parseSync } from 'oxc-parser'
import { repository } from '../support/command.ts'

/** What users can import from one entry of the package. */
export interface PublicEntry {
  /** As users import it: `vivavoce/vitest`. */
  name: string
  doc: Doc
  exports: PublicExport[]
}

export interface PublicExport {
  name: string
  kind: 'function' | 'class' | 'constant' | 'type'
  /** The file that defines it, relative to the repository. */
  file: string
  /** The declaration without its body; absent for types. */
  signature?: string
  doc: Doc
}

/** A doc comment, which is empty where there is none. */
export interface Doc {
  text: string
  example?: string
}

/** The entries of the package with all their exports, read from the source. */
export function readPublicApi(): PublicEntry[] {
  return ['index', 'vitest', 'testing', 'scripts'].map((entry) => {
    const file = join('src', `${entry}.ts`)
    const { doc, exports } = readModule(file)
    const found = [...exports.keys()].map((name) => findExport(file, name))
    return {
      name: entry === 'index' ? 'vivavoce' : `vivavoce/${entry}`,
      doc,
      exports: found.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    }
  })
}

interface Module {
  /** The doc comment of the file, before its imports. */
  doc: Doc
  /** Where each exported name comes from. */
  exports: Map<string, Export>
}

type Export =
  | { from: string; name: string; typeOnly: boolean }
  | { declaration: Declaration; overloads: Declaration[]; doc: Doc; source: string }

const modules = new Map<string, Module>()

function readModule(file: string): Module {
  const known = modules.get(file)
  if (known !== undefined) return known
  const source = readFileSync(join(repository, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  /** The doc comment right before a position; other comments may be between them. */
  const docAt = (position: number) => {
    const last = docs.findLast(({ end }) => end <= position)
    const isNext = last && /^\s*(\/\/.*\s*)*$/.test(source.slice(last.end, position))
    return isNext ? parseDoc(last.value) : { text: '' }
  }
  const first = docs[0]
  const startsFile = first?.start === 0 && /^\s*\n\s*\n|^\s*(import|export \{)/.test(source.slice(first.end))
  const exports = new Map<string, Export>()
  for (const statement of program.body)
    if (statement.type === 'ExportNamedDeclaration') {
      for (const [name, from] of reExports(file, statement, program)) exports.set(name, from)
      const { declaration } = statement
      for (const name of declaration ? declaredNames(declaration) : []) {
        const before = exports.get(name)
        // Users see the overloads of a function, the first of which has the comment, and not what is behind them.
        if (before !== undefined && 'overloads' in before) {
          if (declaration?.type === 'TSDeclareFunction') before.overloads.push(declaration)
        } else if (declaration) {
          exports.set(name, { declaration, overloads: [], doc: docAt(statement.start), source })
        }
      }
    }
  const read = { doc: startsFile ? parseDoc(first.value) : { text: '' }, exports }
  modules.set(file, read)
  return read
}

/** Names that a statement passes on from another file, directly or after an import. */
function reExports(file: string, statement: ExportNamedDeclaration, { body }: Program): [string, Export][] {
  return statement.specifiers.map(({ exported, local, exportKind }) => {
    const name = textOf(local)
    const typeOnly = statement.exportKind === 'type' || exportKind === 'type'
    if (statement.source)
      return [textOf(exported), { from: resolve(file, statement.source.value), name, typeOnly }]
    const imported = body.find(
      (other) =>
        other.type === 'ImportDeclaration' &&
        other.specifiers.some((specifier) => specifier.local.name === name),
    )
    if (imported?.type !== 'ImportDeclaration') throw new Error(`${file}: where does ${name} come from?`)
    return [textOf(exported), { from: resolve(file, imported.source.value), name, typeOnly }]
  })
}

function textOf(name: ExportNamedDeclaration['specifiers'][number]['local']): string {
  return name.type === 'Literal' ? name.value : name.name
}

function resolve(file: string, specifier: string): string {
  return join(dirname(file), specifier)
}

function declaredNames(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

function findExport(file: string, name: string, typeOnly = false): PublicExport {
  const found = readModule(file).exports.get(name)
  if (found === undefined) throw new Error(`${file} does not export ${name}`)
  if ('from' in found) return { ...findExport(found.from, found.name, typeOnly || found.typeOnly), name }
  const { declaration, overloads, doc, source } = found
  const kind = typeOnly ? 'type' : (kinds[declaration.type] ?? 'type')
  const signatures = [declaration, ...overloads].flatMap((each) => signatureOf(each, source) ?? [])
  const signature = kind === 'type' ? undefined : signatures.join('\n')
  return { name, kind, file, doc, ...(signature !== undefined && { signature }) }
}

const kinds: Partial<Record<Declaration['type'], PublicExport['kind']>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
}

function signatureOf(declaration: Declaration, source: string): string | undefined {
  const slice = (from: number, to: number) => source.slice(from, to).trim()
  if (declaration.type === 'FunctionDeclaration' && declaration.body)
    return slice(declaration.start, declaration.body.start)
  if (declaration.type === 'TSDeclareFunction') return slice(declaration.start, declaration.end)
  if (declaration.type === 'ClassDeclaration') {
    const head = slice(declaration.start, declaration.body.start)
    const made = declaration.body.body.find(
      (member) => member.type === 'MethodDefinition' && member.kind === 'constructor',
    )
    if (made?.type !== 'MethodDefinition' || !made.value.body) return head
    return `${head} {\n  ${slice(made.start, made.value.body.start)}\n}`
  }
  const id = declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : undefined
  return id && `const ${slice(id.start, id.end)}`
}

/** Text and example of a doc comment, whose lines begin with a star. */
function parseDoc(comment: string): Doc {
  const lines = comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [text = '', example] = lines.join('\n').split(/^@example$/m)
  return { text: text.trim(), ...(example !== undefined && { example: example.trim() }) }
}
