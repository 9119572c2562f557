import { resolve } from 'node:path'
import { collect } from '../../cases/collect.ts'
import { ConfigError } from '../../errors.ts'
import { redactKey } from '../../privacy/redact.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { createLogEscape } from '../../reporters/workflow-commands.ts'
import type { Key } from '../../results/key.ts'
import { type Pruned, pruneRecording } from '../../scope/recording/prune.ts'
import { casesSetup } from '../../setup/phase-lists.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { shortSize } from '../../text/file-size.ts'
import { caseName } from '../recording-text.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

export interface PruneFlags {
  input?: string[]
  dryRun?: boolean
}

const mostListed = 10

/** `viva recording prune FILE [-i cases…]`: removes what is not needed any more. */
export function recordingPruneCommand(file: string, given: PruneFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, async (signal) => {
    const isInInputs = await readInputs(given.input, shell, signal)
    const isDry = given.dryRun === true
    let isAnyLeft = false
    const isWanted = (key: Key) => {
      // What was recorded beside the cases is in no file.
      if (key.variant === '') return true
      const isKept = isInInputs(key)
      isAnyLeft ||= isKept
      return isKept
    }
    const path = resolve(shell.cwd, file)
    const planned = await pruneRecording(path, file, { isWanted, isDry: true })
    if (planned.unwanted.length > 0 && !isAnyLeft) throw otherCasesError(file)
    const pruned = isDry ? planned : await pruneRecording(path, file, { isWanted, isDry })
    const pen = createPen(wantsColour(shell.stdout, shell.env))
    const text = pruneLines(file, pruned, isDry, pen).map((line) => `${line.text}\n`)
    shell.stdout.write(createLogEscape(shell.env)(text.join('')))
    return 0
  })
}

/** Whether a play is of a case in the inputs. Keys are compared as the file has them: without secrets. */
async function readInputs(
  input: string[] | undefined,
  shell: Shell,
  signal: AbortSignal,
): Promise<(key: Key) => boolean> {
  if (input === undefined) return () => true
  const name = ({ file, id }: Key) => JSON.stringify([file, id])
  const given = { input, list: true }
  const start = createStart(given, shell, new TerminalFront(given, shell), signal)
  const wanted = new Set<string>()
  await casesSetup.use(start, async ({ source, secrets }) => {
    const redact = secrets.redact()
    for (const { file, id } of await collect(source.cases))
      wanted.add(name(redactKey({ file, id, variant: '', run: 1, attempt: 1 }, redact)))
  })
  return (key) => wanted.has(name(key))
}

function otherCasesError(file: string): ConfigError {
  return new ConfigError({
    code: 'bad_input',
    message: `${file} has no play of any of these cases: nothing would be left of it`,
    hint: 'give the cases that it was recorded with, in the same project',
  })
}

function pruneLines(file: string, pruned: Pruned, isDry: boolean, pen: Pen): Inked[] {
  const { bytesBefore, bytesAfter, replaced, unwanted, damaged } = pruned
  const line = (text: string) => pen.line`  ${text}`
  const gone = [...new Set(unwanted.map(caseName))].map((name) => oneLine(name))
  const more = gone.length - mostListed
  const removed = [
    ...(replaced > 0 ? [line(`${pluralize(replaced, 'play')} that a later run has recorded again`)] : []),
    ...(unwanted.length > 0
      ? [
          line(
            `${pluralize(unwanted.length, 'play')} of ${pluralize(gone.length, 'case')} not in the inputs: ${gone.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
          ),
        ]
      : []),
    ...damaged.map((each) => line(`line ${each.line}: ${oneLine(each.problem)}`)),
  ]
  const sizes = `${shortSize(bytesBefore)} → ${shortSize(bytesAfter)}`
  if (removed.length === 0 && bytesBefore === bytesAfter)
    return [pen.line`${oneLine(file)}: nothing to remove (${shortSize(bytesBefore)})`]
  const heading = isDry ? 'would be removed' : 'removed'
  return [pen.line`${oneLine(file)}: ${heading} (${sizes})`, ...removed]
}
