import { type Node, type Program, type PropertyKey, Visitor } from 'oxc-parser'

/** Names each function: by its own name, or by that of the variable or property it is assigned to. */
export function functionNames(program: Program, text: string): Map<object, string> {
  const names = new Map<object, string>()

  function give(value: object | null, name: string | undefined, prefix = ''): void {
    if (value !== null && name !== undefined) names.set(value, prefix + name)
  }

  function giveKey(value: object | null, key: PropertyKey, computed: boolean, kind = ''): void {
    give(value, keyName(key, computed, text), kind === 'get' || kind === 'set' ? `${kind} ` : '')
  }

  new Visitor({
    ExportDefaultDeclaration: ({ declaration }) => give(declaration, 'default'),
    VariableDeclarator: ({ id, init }) => give(init, targetName(id)),
    AssignmentExpression: ({ left, right }) => give(right, targetName(left)),
    AssignmentPattern: ({ left, right }) => give(right, targetName(left)),
    Property: ({ key, value, computed, kind }) => giveKey(value, key, computed, kind),
    MethodDefinition: ({ key, value, computed, kind }) => giveKey(value, key, computed, kind),
    PropertyDefinition: ({ key, value, computed }) => giveKey(value, key, computed),
    FunctionDeclaration: (node) => give(node, node.id?.name),
    FunctionExpression: (node) => give(node, node.id?.name),
  }).visit(program)
  return names
}

function targetName(target: Node): string | undefined {
  if (target.type === 'Identifier') return target.name
  if (target.type !== 'MemberExpression' || target.computed) return undefined
  return target.property.type === 'PrivateIdentifier' ? `#${target.property.name}` : target.property.name
}

function keyName(key: PropertyKey, computed: boolean, text: string): string {
  if (computed) return `[${text.slice(key.start, key.end)}]`
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : text.slice(key.start, key.end)
}
