import { collect } from '../../cases/collect.ts'
import { ConfigError } from '../../errors.ts'
import type { PlayStart } from '../../setup/command-start.ts'
import { commandSetup } from '../../setup/phase-lists.ts'
import { listedSourcePhase } from '../../setup/phases/listed-source.ts'
import { pluralize } from '../../text/counted.ts'
import { type DoctorFinding, describeErrors, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('Cases')

const mostShown = 5

/** What `viva test` would run. No agent is called, so cases that an agent generates are not counted. */
export async function caseFindings(start: PlayStart): Promise<DoctorFinding[]> {
  try {
    return await commandSetup.use(start, async (opened) => {
      const inputs = opened.inputs.filter(({ kind }) => kind !== 'generator')
      const generated = opened.inputs
        .filter(({ kind }) => kind === 'generator')
        .map(({ shown }) => ok(`${shown} writes its cases when viva test runs`))
      if (inputs.length === 0) return generated
      const source = listedSourcePhase.open({ ...opened, inputs })
      try {
        const count = (await collect(source.cases)).length
        const shown = inputs.map((input) => input.shown).join(', ')
        return [ok(`viva test runs ${pluralize(count, 'case')}: ${shown}`), ...generated]
      } finally {
        await listedSourcePhase.close(source)
      }
    })
  } catch (problem) {
    if (problem instanceof ConfigError && problem.problems[0]?.code === 'no_input')
      return [warning('viva test needs an input', 'name `inputs` in the config, or run viva test FILE')]
    const texts = describeErrors(problem)
    const more = texts.length - mostShown
    return [
      ...texts.slice(0, mostShown).map((text) => error(text)),
      ...(more > 0
        ? [error(`and ${pluralize(more, 'more problem')}`, 'viva test --dry-run lists them')]
        : []),
    ]
  }
}
