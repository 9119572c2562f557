import { type BindingPattern, type Expression, parseSync, type Statement } from 'oxc-parser'

/** What a module declares and imports at its top level, without running it. */
export interface TopLevel {
  /** Values, not types. */
  declared: Declared[]
  imports: Imported[]
  /** What it gives away under a name: of its own or passed on. */
  exports: { name: string; offset: number }[]
  /** It passes on whatever another module exports. */
  exportsOthers: boolean
  /** Where the first top-level `await` is. */
  firstAwait?: number
}

interface Declared {
  name: string
  /** Where its name stands, in UTF-16 units. */
  offset: number
  /** By its look: a function, or what a call with a function in it gives (`withDatabase((t) => …)`). */
  callable: boolean
}

export interface Imported {
  from: string
  start: number
  end: number
  /** Local name and imported one: `default`, `*`, or a name. */
  names: { local: string; imported: string }[]
}

export function topLevelOf(file: string, source: string): TopLevel {
  const found: TopLevel = { declared: [], imports: [], exports: [], exportsOthers: false }
  for (const statement of parseSync(file, source).program.body) readStatement(statement, found)
  return found
}

function readStatement(statement: Statement, found: TopLevel): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      if (statement.importKind !== 'type') found.imports.push(importOf(statement))
      return
    case 'ExportAllDeclaration':
      found.exportsOthers ||= statement.exportKind !== 'type'
      return
    case 'ExportDefaultDeclaration':
      found.exports.push({ name: 'default', offset: statement.start })
      readDeclaration(statement.declaration as Statement, found)
      return
    case 'ExportNamedDeclaration': {
      if (statement.exportKind === 'type') return
      const before = found.declared.length
      if (statement.declaration !== null) readDeclaration(statement.declaration, found)
      for (const { name, offset } of found.declared.slice(before)) found.exports.push({ name, offset })
      for (const { exported, start } of statement.specifiers) {
        const name = exported.type === 'Literal' ? String(exported.value) : exported.name
        found.exports.push({ name, offset: start })
      }
      return
    }
    default:
      readDeclaration(statement, found)
      noteAwait(statement, found)
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
        for (const { name, start } of namesIn(id)) found.declared.push({ name, offset: start, callable })
      }
      noteAwait(declaration, found)
      return
    default:
  }
}

function importOf(statement: Extract<Statement, { type: 'ImportDeclaration' }>): Imported {
  const names = statement.specifiers.flatMap((specifier) => {
    if (specifier.type === 'ImportDefaultSpecifier')
      return { local: specifier.local.name, imported: 'default' }
    if (specifier.type === 'ImportNamespaceSpecifier') return { local: specifier.local.name, imported: '*' }
    if (specifier.importKind === 'type') return []
    const { imported } = specifier
    return {
      local: specifier.local.name,
      imported: imported.type === 'Literal' ? String(imported.value) : imported.name,
    }
  })
  return { from: String(statement.source.value), start: statement.start, end: statement.end, names }
}

function isCallable(expression: Expression): boolean {
  switch (expression.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true
    case 'CallExpression':
      return expression.arguments.some((argument) => isCallable(argument as Expression))
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return isCallable(expression.expression)
    default:
      return false
  }
}

function namesIn(pattern: BindingPattern): { name: string; start: number }[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesIn((property.type === 'RestElement' ? property.argument : property.value) as BindingPattern),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => {
        if (element === null) return []
        return namesIn((element.type === 'RestElement' ? element.argument : element) as BindingPattern)
      })
    default:
      return []
  }
}

/** Only statements that run while the module is loaded are looked at, not what is in functions. */
function noteAwait(statement: Statement, found: TopLevel): void {
  if (found.firstAwait !== undefined) return
  const waiting: unknown[] = [statement]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const { type, start } = node as { type?: string; start?: number }
    if (type !== undefined && /Function|^MethodDefinition$|^PropertyDefinition$/.test(type)) continue
    if (type === 'AwaitExpression' || (type === 'ForOfStatement' && 'await' in node && node.await === true))
      found.firstAwait = Math.min(found.firstAwait ?? Number.POSITIVE_INFINITY, start ?? 0)
    waiting.push(...Object.values(node).reverse())
  }
}
