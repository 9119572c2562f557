import { project, viva } from './viva.ts'

export interface Mistake {
  file: string
  text: string
  /** The expected message. */
  message: string
}

/**
 * Runs one command on files with one mistake each, every file in its own folder, because one command per file would take
 * minutes. Returns the mistakes whose message is missing.
 */
export async function untold(
  mistakes: readonly Mistake[],
  agent: string,
  more: Record<string, string> = {},
): Promise<{ exitCode: number | null; untold: { message: string; said: string[] }[] }> {
  const folders = mistakes.map((_, index) => `mistake-${index}`)
  const files = mistakes.map(({ file, text }, index) => [`${folders[index]}/${file}`, text] as const)
  const cwd = project({ ...more, ...Object.fromEntries(files) })
  const inputs = files.flatMap(([path]) => ['-i', path])
  const { exitCode, stderr } = await viva(['test', ...inputs, '-n', agent], { cwd })
  const told = stderr.split(/^(?=✗ )/m)
  return {
    exitCode,
    untold: mistakes.flatMap(({ message }, index) => {
      const said = told.filter((text) => new RegExp(`^✗ ${folders[index]}/[\\w.-]+:\\d+`).test(text))
      return said.some((text) => text.includes(message)) ? [] : [{ message, said }]
    }),
  }
}

/** Checks cases with one mistake each and returns those whose message is missing. */
export function findUnreported(
  cases: readonly { id: string; message: string }[],
  stderr: string,
): { id: string; message: string; said: string[] }[] {
  const told = stderr.split('\n')
  return cases.flatMap(({ id, message }) => {
    const said = told.filter((line) => line.includes(`: ${id}: `))
    return said.some((line) => line.includes(message)) ? [] : [{ id, message, said }]
  })
}
