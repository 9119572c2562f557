import { type ForStatement, type Program, type Span, Visitor } from 'oxc-parser'

/**
 * Finds loops with their own variables (`for (let …;…;…)`) that contain functions which may capture them. V8 creates a new
 * scope for every iteration of such a loop, and its count for the body then extends to what follows the loop.
 */
export function findRewrittenLoops(program: Program): Span[] {
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
