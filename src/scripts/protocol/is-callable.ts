import type { Expression } from 'oxc-parser'

/** Methods that return data, even when they take a function. */
const dataMethods =
  /^(?:map|flatMap|filter|reduce|reduceRight|find|findLast|findIndex|findLastIndex|some|every|sort|toSorted|forEach|from|fromEntries|groupBy|replace|replaceAll|then|catch|finally)$/

/** Whether an expression looks like a function, or like a call that wraps one (`withDatabase((t) => …)`). */
export function isCallable(expression: Expression): boolean {
  switch (expression.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true
    case 'CallExpression':
      return (
        !returnsData(expression.callee) &&
        expression.arguments.some((argument) => isCallable(argument as Expression))
      )
    case 'ConditionalExpression':
      return isCallable(expression.consequent) || isCallable(expression.alternate)
    case 'LogicalExpression':
      return isCallable(expression.left) || isCallable(expression.right)
    case 'AwaitExpression':
      return isCallable(expression.argument)
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

function returnsData(callee: Expression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    dataMethods.test(callee.property.name)
  )
}
