/**
 * Finds the code in a script. Lines count as users of Istanbul know it: those on which a statement begins, a variable or
 * field gets its value, or the body of an arrow function begins. Because branches are not counted separately, the parts of
 * an expression that run only sometimes (after `?`, `:`, `&&`, `||`, `??`) count, too. Declarations of functions and
 * classes, imports, types, `}` and `else {` are not code.
 */
import {
  type ArrowFunctionExpression,
  type Class,
  type Function as FunctionNode,
  type Program,
  type PropertyKey,
  parseSync,
  type Span,
  Visitor,
  type VisitorObject,
} from 'oxc-parser'
import { functionNames } from './function-names.ts'
import { findRewrittenLoops } from './rewritten-loops.ts'

/** All offsets are in the text that ran. */
export interface Code {
  units: CodeUnit[]
  loops: Span[]
}

/** What V8 counts as one function: a function, the top level of a script, or the fields of a class. */
export type CodeUnit = ScriptUnit | FunctionUnit | FieldUnit

interface ScriptUnit {
  kind: 'script'
  end: number
  points: CodePoint[]
}

export interface FunctionUnit {
  kind: 'function'
  points: CodePoint[]
  name: string
  start: number
  end: number
  /** V8 may let a method begin after its `static`. */
  latestStart: number
  /** Where a reader looks for it: decorators and `static` may be on lines before a method's name. */
  nameStart: number
  bodyStart: number
  isArrow: boolean
  hasBlock: boolean
}

interface FieldUnit {
  kind: 'field'
  points: CodePoint[]
  start: number
  classStart: number
  classEnd: number
  isStatic: boolean
}

/** Where code begins. */
export interface CodePoint {
  start: number
  end: number
  /** Whether it is a part of an expression, not a statement. */
  isPart: boolean
}

interface Units {
  enter(unit: CodeUnit): void
  leave(): void
  addPoint(span: Span | null, isPart?: boolean): void
}

export function parseCode(file: string, text: string): Code {
  const program = parseProgram(file, text)
  const all: CodeUnit[] = []
  const open: CodeUnit[] = []
  const units: Units = {
    enter(unit) {
      all.push(unit)
      open.push(unit)
    },
    leave: () => void open.pop(),
    addPoint(span, isPart = false) {
      if (span !== null) open.at(-1)?.points.push({ start: span.start, end: span.end, isPart })
    },
  }
  units.enter({ kind: 'script', points: [], end: text.length })
  const visitor = {
    ...statementVisitor(units),
    ...functionVisitor(units, functionNames(program, text)),
    ...classVisitor(units),
  }
  new Visitor(visitor).visit(program)
  return { units: all, loops: findRewrittenLoops(program) }
}

/** V8 ran either a module or CommonJS, which may have a `return` at its top level. */
function parseProgram(file: string, text: string): Program {
  const asModule = parseSync(file, text, { lang: 'js', sourceType: 'module', preserveParens: false })
  if (asModule.errors.length === 0) return asModule.program
  return parseSync(file, text, { lang: 'js', sourceType: 'commonjs', preserveParens: false }).program
}

function statementVisitor({ addPoint }: Units): VisitorObject {
  const add = (node: Span) => addPoint(node)
  return {
    BreakStatement: add,
    ContinueStatement: add,
    DebuggerStatement: add,
    DoWhileStatement: add,
    ForInStatement: add,
    ForOfStatement: add,
    ForStatement: add,
    IfStatement: add,
    ReturnStatement: add,
    SwitchStatement: add,
    ThrowStatement: add,
    TryStatement: add,
    WhileStatement: add,
    WithStatement: add,
    ExpressionStatement: (node) => addPoint('directive' in node && node.directive !== null ? null : node),
    VariableDeclarator: (node) => addPoint(node.init === null ? null : node),
    ExportDefaultDeclaration: (node) => addPoint(/Declaration$/.test(node.declaration.type) ? null : node),
    ConditionalExpression({ consequent, alternate }) {
      addPoint(consequent, true)
      addPoint(alternate, true)
    },
    LogicalExpression: ({ right }) => addPoint(right, true),
  }
}

interface Member {
  start: number
  key: PropertyKey
}

function functionVisitor({ enter, leave, addPoint }: Units, names: Map<object, string>): VisitorObject {
  const members = new Map<object, Member>()

  function enterFunction(node: FunctionNode | ArrowFunctionExpression): void {
    const isArrow = node.type === 'ArrowFunctionExpression'
    const member = members.get(node)
    enter({
      kind: 'function',
      points: [],
      name: names.get(node) ?? '(anonymous)',
      start: member?.start ?? node.start,
      end: node.end,
      latestStart: node.start,
      nameStart: member?.key.start ?? node.start,
      bodyStart: node.body?.start ?? node.end,
      isArrow,
      hasBlock: !isArrow || !node.expression,
    })
    if (isArrow && node.expression) addPoint(node.body)
  }

  return {
    MethodDefinition: ({ start, key, value }) => void members.set(value, { start, key }),
    Property({ start, key, value, method, kind }) {
      if (method || kind !== 'init') members.set(value, { start, key })
    },
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    ArrowFunctionExpression: enterFunction,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
  }
}

function classVisitor({ enter, leave, addPoint }: Units): VisitorObject {
  const classes: Span[] = []

  function enterField(start: number, isStatic: boolean): void {
    const around = classes.at(-1)
    enter({
      kind: 'field',
      points: [],
      start,
      classStart: around?.start ?? start,
      classEnd: around?.end ?? start,
      isStatic,
    })
  }

  const enterClass = (node: Class) => void classes.push(node)
  const leaveClass = () => void classes.pop()
  return {
    ClassDeclaration: enterClass,
    ClassExpression: enterClass,
    'ClassDeclaration:exit': leaveClass,
    'ClassExpression:exit': leaveClass,
    PropertyDefinition(node) {
      enterField(node.start, node.static)
      if (node.value !== null) addPoint(node)
    },
    'PropertyDefinition:exit': leave,
    StaticBlock: ({ start }) => enterField(start, true),
    'StaticBlock:exit': leave,
  }
}
