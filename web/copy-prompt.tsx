import { createRerunCommand } from '../src/text/run-again.ts'
import { CopyButton } from './copy-button.tsx'
import { failurePrompt } from './failure-prompt.ts'
import type { PageResult } from './report-data.ts'

/** Copies a failure as a prompt for a coding agent. */
export function CopyPrompt({ result, command }: { result: PageResult; command: string | undefined }) {
  const again = command === undefined ? undefined : createRerunCommand(command, [result.id])
  return (
    <CopyButton
      label="Copy as a prompt"
      title="For a coding agent: the conversation, what failed, and the command that runs it again"
      text={() => failurePrompt(result, { command: again, mark: randomMark() })}
    />
  )
}

function randomMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
