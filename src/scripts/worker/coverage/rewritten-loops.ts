import { type ForStatement, type Program, Visitor } from 'oxc-parser'

export interface Loop {
  start: number
  end: number
}

/**
 * Loops with variables of their own (`for (let …;…;…)`) and functions that may keep these. V8 makes a new scope for
 * every round of such a loop, and what it then counts for the body goes on to what follows the loop.
 */
export function rewrittenLoops(program: Program): Loop[] {
  const open: ForStatement[] = []
  const found = new Set<ForStatement>()
  const keep = () => {
    for (const loop of open.filter(hasOwnVariables)) found.add(loop)
  }
  new Visitor({
    ForStatement: (loop) => void open.push(loop),
    'ForStatement:exit': () => void open.pop(),
    FunctionDeclaration: keep,
    FunctionExpression: keep,
    ArrowFunctionExpression: keep,
    ClassDeclaration: keep,
    ClassExpression: keep,
  }).visit(program)
  return Array.from(found, ({ start, end }) => ({ start, end }))
}

function hasOwnVariables({ init }: ForStatement): boolean {
  return init?.type === 'VariableDeclaration' && init.kind !== 'var'
}
