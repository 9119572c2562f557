// @ts-nocheck
/** Tool `agents_barista_orders__place`. */
function Place(order, ctx) {
  const count = ctx.memory.chat.Incr('orders')
  ctx.variables.order = order
  return {
    ...order,
    number: count,
    status: 'placed',
    message: `Your ${order.size} ${order.drink} is on its way.`,
  }
}
