import { Audit } from '../analysis/audit/audit.ts'
import { auditable } from '../analysis/audit/auditable.ts'
import { castFor } from '../analysis/audit/cast.ts'
import { auditReporter } from '../analysis/audit/reporter.ts'
import { collect } from '../cases/collect.ts'
import { select } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import { safeJson } from '../reporters/json-events.ts'
import type { GivenFlags } from './flags.ts'
import { testCommand, type Variation } from './test-command.ts'
import { resolveIfFound } from './variants.ts'

/** `viva audit`: which cases pass against agents that must not. */
export async function auditCommand(given: GivenFlags): Promise<number> {
  return testCommand(given, audit())
}

function audit(): Variation {
  let made: Audit | undefined
  const current = () => {
    if (made === undefined) throw new Error('the audit has not begun')
    return made
  }
  return {
    command: 'audit',
    keptIn: 'audits',
    // Nobody should have to talk to agents that do nothing.
    withoutPerson: true,
    // Most of an audit needs no agent: only one that is named must be there.
    resolve: resolveIfFound,
    async stage({ variants, source, inputs }, { selection }) {
      refuseMessages(inputs)
      const cast = castFor(variants)
      const kept = await auditable(select(await collect(source), selection), source)
      made = new Audit(cast, kept)
      const index = async function* () {
        yield* kept.entries
      }
      return {
        agents: cast.agents,
        source: { label: source.label, index, load: (entry) => source.load(entry) },
        selection: { tags: [], requireChecks: false },
      }
    },
    reporters: ({ screen, pen }, { json, verbose }, others) => [
      auditReporter(current(), {
        screen,
        pen,
        verbose,
        ...(json && {
          writeJson(line: object) {
            screen.clear()
            process.stdout.write(`${safeJson(line)}\n`)
          },
        }),
      }),
      // To a workflow every failure is one to mend, and here they are what is wanted.
      ...others.filter(({ name }) => name !== 'github'),
    ],
    exitCode: () => current().exitCode(),
  }
}

/** A message is a case that checks nothing: what there is to say of it is known. */
function refuseMessages(inputs: readonly DetectedInput[]): void {
  if (inputs.every(({ kind }) => kind !== 'message')) return
  throw new ConfigError({
    code: 'bad_input',
    message: 'a message checks nothing, so it cannot be audited',
    hint: 'give a case file or a folder',
  })
}
