import type { AuthoredCase } from '../../cases/case-schema.ts'
import { listAssertions } from '../../cases/places.ts'
import { type Assertion, asksModel } from '../../checks/list.ts'
import { writtenFields } from '../../checks/run-assertion.ts'
import { sameData } from '../../json/equal/find-difference.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { isUnclear } from '../../results/checkpoint.ts'
import type { CaseResult } from '../../results/result.ts'
import { type CheckResult, fails } from '../../results/transcript/check-result.ts'

type RecordedVerdict = 'passed' | 'failed' | 'changed'

/**
 * What the models of the checks decided in the recorded run. `changed`: they were not asked then, or something else.
 * Of checkpoints only the ids are recorded, and conditions are not.
 */
export function findRecordedVerdict(
  authored: AuthoredCase,
  recorded: CaseResult,
  redactAsRecorded: Redactor,
): RecordedVerdict {
  const verdicts = listAssertions(authored)
    .filter(({ assertion }) => assertion.gates !== false && asksModel(assertion))
    .map(({ path, assertion }): RecordedVerdict => {
      const [key, place] = path
      if (key === 'terminate_when') return 'passed'
      if (key === 'checkpoints') return findCheckpointVerdict(authored.checkpoints?.[Number(place)], recorded)
      const checks = listChecksAt(path, recorded)
      const own = checks?.filter((check) => isSameCheck(assertion, check, redactAsRecorded))
      if (own?.length === 0) return 'changed'
      return own?.some(fails) ? 'failed' : 'passed'
    })
  return verdicts.find((each) => each === 'changed') ?? verdicts.find((each) => each === 'failed') ?? 'passed'
}

/** Whether it was reached is decided again, as it was recorded. Nobody knows it of one that could not be judged. */
function findCheckpointVerdict(
  checkpoint: NonNullable<AuthoredCase['checkpoints']>[number] | undefined,
  { checkpoints }: CaseResult,
): RecordedVerdict {
  const recorded = checkpoints.find(({ id }) => id === checkpoint?.id)
  if (recorded === undefined) return 'changed'
  return checkpoint?.forbidden && isUnclear(recorded) ? 'failed' : 'passed'
}

/** Undefined for a turn that the conversation did not reach. */
function listChecksAt(
  [key, place]: readonly (string | number)[],
  { view, finals }: CaseResult,
): readonly CheckResult[] | undefined {
  // Checks of the case are those of its last turn, or at the end.
  if (key !== 'turns') return [...(view.turns.at(-1)?.checks ?? []), ...finals]
  return view.turns.filter(({ source }) => source === 'static')[Number(place)]?.checks
}

function isSameCheck(assertion: Assertion, { type, fields }: CheckResult, redact: Redactor): boolean {
  // Results have it apart.
  const { gates: _, ...written } = writtenFields(assertion)
  return type === assertion.type && sameData(redact(written), fields)
}
