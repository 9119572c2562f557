/**
 * How well viva tells from an agent's words alone whether it waits for an answer.
 *
 *   node bench/awaiting.mjs FILE [--errors]
 *
 * FILE is JSONL, one message a line: {"content": "…", "awaiting": true}, with "task" for the spread between tasks.
 * Balanced accuracy is the mean of the recalls of both classes, so that a rare class counts as much as a common one.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { loadSource } from './load-source.mjs'

const { values, positionals } = parseArgs({
  options: { errors: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [file] = positionals
if (file === undefined) {
  console.error('Usage: node bench/awaiting.mjs FILE [--errors]\nFILE: JSONL of {"content", "awaiting"}')
  process.exit(2)
}

/** What one part of the tasks would have said of the rules. */
const folds = 5

const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '')
const judged = await judgeAll(lines.map((line) => JSON.parse(line)))
printScores(judged)
printReasons(judged)
if (values.errors) printErrors(judged)

async function judgeAll(messages) {
  const { detectAwaiting } = await loadSource('src/awaiting/awaiting.ts')
  return messages.map((message) => {
    const { content } = message
    const reply = { output: content, content, messages: [], toolCalls: [] }
    return { ...message, verdict: detectAwaiting(reply) }
  })
}

function recall(judged, awaiting) {
  const those = judged.filter((message) => message.awaiting === awaiting)
  const hits = those.filter(({ verdict }) => verdict.awaiting === awaiting).length
  return { hits, count: those.length, rate: hits / those.length }
}

function balanced(judged) {
  return (recall(judged, true).rate + recall(judged, false).rate) / 2
}

function printScores(judged) {
  const [waiting, ended] = [recall(judged, true), recall(judged, false)]
  console.log(`balanced accuracy  ${balanced(judged).toFixed(3)}`)
  console.log(`recall, awaiting   ${waiting.rate.toFixed(3)}  (${waiting.hits} of ${waiting.count})`)
  console.log(`recall, not        ${ended.rate.toFixed(3)}  (${ended.hits} of ${ended.count})`)
  const tasks = [...new Set(judged.map(({ task }) => task))]
  if (tasks.length < folds) return
  const parts = Array.from({ length: folds }, (_, fold) =>
    balanced(judged.filter(({ task }) => tasks.indexOf(task) % folds === fold)).toFixed(3),
  )
  console.log(`by fifths of tasks ${parts.join(' ')}`)
}

function printReasons(judged) {
  const reasons = [...new Set(judged.map(({ verdict }) => verdict.reason))].sort()
  console.log(`\n${'reason'.padEnd(24)}right  wrong`)
  for (const reason of reasons) {
    const those = judged.filter(({ verdict }) => verdict.reason === reason)
    const right = those.filter(({ verdict, awaiting }) => verdict.awaiting === awaiting).length
    console.log(
      `${reason.padEnd(24)}${String(right).padStart(5)}  ${String(those.length - right).padStart(5)}`,
    )
  }
}

function printErrors(judged) {
  for (const { task, awaiting, verdict, content } of judged) {
    if (verdict.awaiting === awaiting) continue
    console.log(`\ntask ${task}: awaiting ${awaiting}, taken for ${verdict.reason} (${verdict.match ?? ''})`)
    console.log(content.slice(-300))
  }
}
