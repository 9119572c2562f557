interface Request {
  messages: { role: string; content: string }[]
}

/** What a generator, a validator and a reporter would answer. */
export default function helper({ messages }: Request) {
  const asked = JSON.parse(messages.at(-1)?.content ?? '{}')
  if (asked.test_mode === 'generator') return { reply: '```json\n' + JSON.stringify(cases(asked)) + '\n```' }
  if (asked.test_mode === 'reporter') return { reply: report(asked) }
  return { reply: JSON.stringify(verdict(asked)) }
}

function cases({ count, focus, target_agent }: { count: number; focus: string; target_agent: string }) {
  const amounts = Array.from({ length: count }, (_, index) => 100 * (index + 1))
  return {
    cases: amounts.map((amount, index) => ({
      id: `${focus}-${index + 1}`,
      name: `${target_agent}: travel for $${amount}`,
      input: `Business travel, $${amount}`,
      assertions: [
        { type: 'tool_called', name: 'submit_expense' },
        {
          type: 'agent',
          use: 'agents:workers.test.validator',
          value: 'It says that the expense is submitted',
        },
      ],
    })),
  }
}

function verdict({ output, criteria }: { output: unknown; criteria: string }) {
  const submitted = /submitted/i.test(JSON.stringify(output))
  const reason = submitted ? 'the reply says so' : `nothing in the reply says so: ${criteria}`
  return {
    reason,
    passed: submitted,
    score: submitted ? 1 : 0,
    suggestions: submitted ? [] : ['Say what was done'],
  }
}

function report({ report: { summary, results } }: { report: { summary: Data; results: Data[] } }): string {
  const lines = results.map(({ id, status }) => `- ${String(id)}: ${String(status)}`)
  return [`# ${String(summary.passed)} of ${String(summary.total)} passed`, '', ...lines].join('\n')
}

type Data = Record<string, unknown>
