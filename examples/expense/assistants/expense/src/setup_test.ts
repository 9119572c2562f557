// Tests of setup.ts, whose functions are there without an import: viva test -i scripts.expense.setup

export function TestSystemReady(t, ctx) {
  t.assert.True(SystemReady(ctx), 'a user of a team is ready')
  ctx.User = null
  t.assert.False(SystemReady(ctx), 'nobody is not')
}

export function TestPurchaseOrder(t) {
  t.assert.False(needsPurchaseOrder({ type: 'travel', amount: 10_000 }))
  t.assert.True(needsPurchaseOrder({ type: 'travel', amount: 10_001 }))
}

export function TestOpeningMessage(t) {
  t.run('small', (t) => {
    t.assert.Equal(OpeningMessage({ type: 'travel', amount: 500 }), 'Business travel, $500')
  })
  t.run('large', (t) => {
    t.assert.Contains(OpeningMessage({ type: 'travel', amount: 12_000 }), 'purchase order')
  })
  t.assert.Panic(() => OpeningMessage({ type: 'travel', amount: -1 }), 'no money comes back')
}

/** The real assistant, with its prompts and its connector. */
export function TestAssistantUnderstands(t, ctx) {
  const message = OpeningMessage({ type: 'travel', amount: 500 })
  const reply = Process('agents.expense.Stream', ctx, [{ role: 'user', content: message }])
  t.assert.Contains(reply.content, 'Please confirm')
  t.assert.JSONPath(reply, 'tool_calls[0].arguments', { type: 'travel', amount: '500' })
}
