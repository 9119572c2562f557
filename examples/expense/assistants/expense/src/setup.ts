/** What happens before the assistant is asked. */

interface Context {
  User: { ID: string } | null
  Team: { ID: string } | null
}

interface Expense {
  type: string
  amount: number
}

/** Above it an expense needs a purchase order, as the prompt of the assistant says too. */
const limit = 10_000

/** Nobody files an expense for nobody. */
export function SystemReady(ctx: Context): boolean {
  return Boolean(ctx.User?.ID && ctx.Team?.ID)
}

/** Not exported: tests find it all the same. */
function needsPurchaseOrder({ amount }: Expense): boolean {
  return amount > limit
}

/** The first message to the assistant. */
export function OpeningMessage(expense: Expense): string {
  if (!(expense.amount > 0)) throw new RangeError(`an expense of ${expense.amount} cannot be filed`)
  const order = needsPurchaseOrder(expense) ? ', with a purchase order' : ''
  return `Business ${expense.type}, $${expense.amount}${order}`
}
