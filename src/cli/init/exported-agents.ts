import type { Expression, ObjectExpression, ObjectProperty, Program } from 'oxc-parser'
import { requirePackage } from '../../require-package.ts'

/** An agent or a model of the AI SDK that a module exports, found without running it. */
export interface ExportedAgent {
  kind: 'agent' | 'model'
  /** Of the export. */
  name: string
  /** Where they are a text of the source. */
  instructions?: string
  tools: { name: string; description?: string }[]
}

const agentClasses = new Set(['ToolLoopAgent', 'Experimental_Agent', 'Agent'])

export function findExportedAgents(file: string, text: string): ExportedAgent[] {
  // Most files have nothing to do with it, and parsing takes time.
  if (!/from\s+['"](?:ai|@ai-sdk\/[\w-]+)['"]/.test(text)) return []
  const { parseSync } = requirePackage('oxc-parser') as typeof import('oxc-parser')
  const { program } = parseSync(file, text)
  const imported = importedNames(program)
  const values = topLevelValues(program)
  return listExports(program).flatMap(({ name, value }) => {
    const expression = typeof value === 'string' ? values.get(value) : value
    const agent = expression && readAgent(expression, imported, values)
    return agent === undefined ? [] : [{ name, ...agent }]
  })
}

type Values = Map<string, Expression>

/** Local names and the packages that they come from. */
function importedNames({ body }: Program): Map<string, string> {
  const names = new Map<string, string>()
  for (const statement of body)
    if (statement.type === 'ImportDeclaration')
      for (const { local } of statement.specifiers) names.set(local.name, String(statement.source.value))
  return names
}

function topLevelValues({ body }: Program): Values {
  const values: Values = new Map()
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init !== null) values.set(id.name, init)
  }
  return values
}

/** Each with its expression, or the name of a variable. */
function listExports({ body }: Program): { name: string; value: string | Expression }[] {
  return body.flatMap((statement) => {
    if (statement.type === 'ExportDefaultDeclaration') {
      const value = statement.declaration as Expression
      return [{ name: 'default', value: value.type === 'Identifier' ? value.name : value }]
    }
    if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) return []
    const { declaration, specifiers } = statement
    const declared =
      declaration?.type === 'VariableDeclaration'
        ? declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
        : []
    return [
      ...declared.map((name) => ({ name, value: name })),
      ...specifiers.flatMap(({ local, exported }) =>
        local.type === 'Identifier' && exported.type === 'Identifier'
          ? { name: exported.name, value: local.name }
          : [],
      ),
    ]
  })
}

function readAgent(
  expression: Expression,
  imported: Map<string, string>,
  values: Values,
): Omit<ExportedAgent, 'name'> | undefined {
  if (expression.type === 'NewExpression' && expression.callee.type === 'Identifier') {
    const { name } = expression.callee
    const [settings] = expression.arguments
    if (!agentClasses.has(name) || imported.get(name) !== 'ai') return undefined
    return {
      kind: 'agent',
      ...(settings?.type === 'ObjectExpression' ? readSettings(settings, values) : { tools: [] }),
    }
  }
  return isModel(expression, imported, values) ? { kind: 'model', tools: [] } : undefined
}

/** `openai('gpt-5')`, `provider.chat('m')`, where `provider` is imported or made by a function of such a package. */
function isModel(expression: Expression, imported: Map<string, string>, values: Values): boolean {
  if (expression.type !== 'CallExpression') return false
  const name = calledName(expression.callee)
  if (name === undefined || /embed|image|speech|transcri/i.test(JSON.stringify(expression.callee)))
    return false
  if (imported.get(name)?.startsWith('@ai-sdk/')) return !/^create/.test(name)
  const made = values.get(name)
  return (
    made?.type === 'CallExpression' &&
    imported.get(calledName(made.callee) ?? '')?.startsWith('@ai-sdk/') === true
  )
}

function calledName(callee: Expression): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' ? calledName(callee.object as Expression) : undefined
}

function readSettings(
  settings: ObjectExpression,
  values: Values,
): Pick<ExportedAgent, 'instructions' | 'tools'> {
  const follow = (value: Expression | undefined) =>
    value?.type === 'Identifier' ? values.get(value.name) : value
  const instructions = plainText(follow(property(settings, 'instructions') ?? property(settings, 'system')))
  const tools = follow(property(settings, 'tools'))
  return {
    tools: tools?.type === 'ObjectExpression' ? listTools(tools, follow) : [],
    ...(instructions === undefined ? {} : { instructions }),
  }
}

function listTools(
  tools: ObjectExpression,
  follow: (value: Expression) => Expression | undefined,
): ExportedAgent['tools'] {
  return tools.properties.flatMap((entry) => {
    if (entry.type !== 'Property') return []
    const name = keyName(entry)
    if (name === undefined) return []
    const made = follow(entry.value as Expression)
    const [settings] = made?.type === 'CallExpression' ? made.arguments : []
    const description =
      settings?.type === 'ObjectExpression' ? plainText(property(settings, 'description')) : undefined
    return [{ name, ...(description === undefined ? {} : { description }) }]
  })
}

function property(object: ObjectExpression, name: string): Expression | undefined {
  const found = object.properties.find((entry) => entry.type === 'Property' && keyName(entry) === name)
  return found?.type === 'Property' ? (found.value as Expression) : undefined
}

function keyName({ key }: ObjectProperty): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined
}

function plainText(value: Expression | undefined): string | undefined {
  if (value?.type === 'Literal' && typeof value.value === 'string') return value.value
  if (value?.type !== 'TemplateLiteral' || value.expressions.length > 0) return undefined
  return value.quasis[0]?.value.cooked ?? undefined
}
