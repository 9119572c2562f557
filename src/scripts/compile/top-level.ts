import type { BindingPattern, ModuleExportName, Statement } from 'oxc-parser'
import { requirePackage } from '../../require-package.ts'
import { isCallable } from '../protocol/is-callable.ts'

/** What a module declares, imports and exports at its top level, found without running it. */
export interface TopLevel {
  /** Values, not types. */
  declared: Declaration[]
  imports: ImportStatement[]
  exports: ExportEntry[]
  /** It has an `export * from`, so it may export more than is listed here. */
  passesOn?: true
  /** The offset of the first top-level `await`. */
  firstAwait?: number
}

interface Declaration {
  name: string
  /** The offset of its name, in UTF-16 units. */
  offset: number
  /** Whether it looks like a function, or like a call that wraps one (`withDatabase((t) => …)`). */
  callable: boolean
}

interface ExportEntry {
  name: string
  offset: number
  /** Its name inside the module; absent when it is re-exported from another module. */
  local?: string
}

export interface ImportStatement {
  from: string
  start: number
  end: number
  /** Local name and imported name: `default`, `*`, or a name. */
  names: { local: string; imported: string }[]
}

export function parseTopLevel(file: string, source: string): TopLevel {
  const found: TopLevel = { declared: [], imports: [], exports: [] }
  const { parseSync } = requirePackage('oxc-parser') as typeof import('oxc-parser')
  for (const statement of parseSync(file, source).program.body) {
    readStatement(statement, found)
    noteAwait(statement, found)
  }
  return found
}

function readStatement(statement: Statement, found: TopLevel): void {
  switch (statement.type) {
    case 'ImportDeclaration': {
      const onlyTypes = statement.specifiers.length > 0 && readImport(statement).names.length === 0
      if (statement.importKind !== 'type' && !onlyTypes) found.imports.push(readImport(statement))
      return
    }
    case 'TSImportEqualsDeclaration':
      if (statement.importKind !== 'type') found.imports.push(...readImportEquals(statement))
      return
    case 'ExportDefaultDeclaration':
      found.exports.push({ name: 'default', offset: statement.start })
      readDeclaration(statement.declaration as Statement, found)
      return
    case 'ExportAllDeclaration':
      if (statement.exportKind !== 'type') found.passesOn = true
      return
    case 'ExportNamedDeclaration':
      if (statement.exportKind !== 'type') readExport(statement, found)
      return
    default:
      readDeclaration(statement, found)
  }
}

function readExport(
  { declaration, specifiers, source }: Extract<Statement, { type: 'ExportNamedDeclaration' }>,
  found: TopLevel,
): void {
  const before = found.declared.length
  if (declaration !== null) readDeclaration(declaration, found)
  for (const { name, offset } of found.declared.slice(before))
    found.exports.push({ name, offset, local: name })
  for (const { local, exported, exportKind, start } of specifiers) {
    if (exportKind === 'type') continue
    const own = source === null ? { local: exportName(local) } : {}
    found.exports.push({ name: exportName(exported), offset: start, ...own })
  }
}

function readDeclaration(declaration: Statement, found: TopLevel): void {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
      if (declaration.declare || declaration.id === null) return
      found.declared.push({
        name: declaration.id.name,
        offset: declaration.id.start,
        callable: declaration.type === 'FunctionDeclaration',
      })
      return
    case 'VariableDeclaration':
      if (declaration.declare) return
      for (const { id, init } of declaration.declarations) {
        const callable = init !== null && isCallable(init)
        for (const { name, start } of bindingNames(id)) found.declared.push({ name, offset: start, callable })
      }
      return
    case 'TSModuleDeclaration':
      // A namespace of types only is gone after compilation; looking it up then finds nothing.
      if (!declaration.declare && declaration.id.type === 'Identifier')
        found.declared.push({ name: declaration.id.name, offset: declaration.id.start, callable: false })
      return
    default:
  }
}

function readImport(statement: Extract<Statement, { type: 'ImportDeclaration' }>): ImportStatement {
  const names = statement.specifiers.flatMap((specifier) => {
    if (specifier.type === 'ImportDefaultSpecifier')
      return { local: specifier.local.name, imported: 'default' }
    if (specifier.type === 'ImportNamespaceSpecifier') return { local: specifier.local.name, imported: '*' }
    if (specifier.importKind === 'type') return []
    return { local: specifier.local.name, imported: exportName(specifier.imported) }
  })
  return { from: String(statement.source.value), start: statement.start, end: statement.end, names }
}

/** `import setup = require('./setup')` */
function readImportEquals(
  statement: Extract<Statement, { type: 'TSImportEqualsDeclaration' }>,
): ImportStatement[] {
  const { id, moduleReference, start, end } = statement
  if (moduleReference.type !== 'TSExternalModuleReference') return []
  const from = moduleReference.expression.value
  return [{ from, start, end, names: [{ local: id.name, imported: '*' }] }]
}

function exportName(name: ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

function bindingNames(pattern: BindingPattern): { name: string; start: number }[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'AssignmentPattern':
      return bindingNames(pattern.left)
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        bindingNames(
          (property.type === 'RestElement' ? property.argument : property.value) as BindingPattern,
        ),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => {
        if (element === null) return []
        return bindingNames((element.type === 'RestElement' ? element.argument : element) as BindingPattern)
      })
    default:
      return []
  }
}

/** Checks only code that runs while the module is loaded, not the bodies of functions. */
function noteAwait(statement: Statement, found: TopLevel): void {
  if (found.firstAwait !== undefined) return
  const waiting: unknown[] = [statement]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    const { type, start } = node as { type?: string; start?: number }
    if (type !== undefined && /Function|^MethodDefinition$|^PropertyDefinition$/.test(type)) continue
    if (isAwait(node)) found.firstAwait = Math.min(found.firstAwait ?? Number.POSITIVE_INFINITY, start ?? 0)
    waiting.push(...Object.values(node).reverse())
  }
}

function isAwait(node: { type?: string; await?: boolean; kind?: string }): boolean {
  if (node.type === 'ForOfStatement') return node.await === true
  return (
    node.type === 'AwaitExpression' || (node.type === 'VariableDeclaration' && node.kind === 'await using')
  )
}
