/**
 * How well viva detects from an agent's words alone whether it waits for an answer.
 *
 *   node bench/awaiting.mjs FILE... [--errors]
 *
 * FILE is JSONL, one message per line: {"content": "…", "awaiting": true}, with "task" for the spread between tasks
 * and "act" for the figures by dialogue act, both optional.
 * Balanced accuracy is the mean of the recalls of both classes, so that a rare class counts as much as a common one.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { loadSource } from './load-source.mjs'

const { values, positionals } = parseArgs({
  options: { errors: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (positionals.length === 0) {
  console.error('Usage: node bench/awaiting.mjs FILE... [--errors]\nFILE: JSONL of {"content", "awaiting"}')
  process.exit(2)
}

/** The figure for each part of the tasks. */
const folds = 5

const { detectAwaiting } = await loadSource('src/conversation/awaiting/awaiting.ts')
for (const file of positionals) {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const judged = lines.map((line) => judge(JSON.parse(line)))
  if (positionals.length > 1) console.log(`\n## ${file}\n`)
  printScores(judged)
  printActs(judged)
  printReasons(judged)
  if (values.errors) printErrors(judged)
}

function judge(message) {
  const { content } = message
  const reply = { output: content, content, messages: [], toolCalls: [] }
  return { ...message, verdict: detectAwaiting(reply) }
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

function printActs(judged) {
  const acts = [...new Set(judged.flatMap(({ act }) => act ?? []))].sort()
  if (acts.length > 0) console.log(`\n${'act'.padEnd(24)}right  wrong   rate`)
  for (const act of acts)
    printRow(
      act,
      judged.filter((message) => message.act === act),
    )
}

function printReasons(judged) {
  const reasons = [...new Set(judged.map(({ verdict }) => verdict.reason))].sort()
  console.log(`\n${'reason'.padEnd(24)}right  wrong   rate`)
  for (const reason of reasons)
    printRow(
      reason,
      judged.filter(({ verdict }) => verdict.reason === reason),
    )
}

function printRow(name, those) {
  const right = those.filter(({ verdict, awaiting }) => verdict.awaiting === awaiting).length
  const counts = [right, those.length - right].map((count) => String(count).padStart(5))
  console.log(`${name.padEnd(24)}${counts.join('  ')}  ${(right / those.length).toFixed(3)}`)
}

function printErrors(judged) {
  for (const { task, act, awaiting, verdict, content } of judged) {
    if (verdict.awaiting === awaiting) continue
    console.log(
      `\n${act ?? `task ${task}`}: awaiting ${awaiting}, detected as ${verdict.reason} (${verdict.match ?? ''})`,
    )
    console.log(content.slice(-300))
  }
}
