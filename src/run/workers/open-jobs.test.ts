import { expect, it } from 'vitest'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { InfrastructureError, InterruptedError } from '../../errors.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import { emptyResult } from '../empty-result.ts'
import { resultKey } from '../jobs.ts'
import type { JobReport } from './messages.ts'
import { OpenJobs } from './open-jobs.ts'

const entries: CaseEntry[] = ['a', 'b'].map((id) => ({
  id,
  file: 'cases.jsonl',
  line: 1,
  hash: `hash of ${id}`,
  tags: [],
  at: { bytes: [0, 1] },
}))
const job: Job = { planHash: '', entries, variant: 'x', run: 1, attempt: 1 }

function openJob() {
  const counted: string[] = []
  const poisoned: Job[] = []
  const jobs = new OpenJobs({
    tapes: undefined,
    keepTools: () => {},
    onPoisonous: (each) => void poisoned.push(each),
  })
  const onResult = ({ key, status, failure, termination, workersLost }: CaseResult) => {
    const lost = workersLost === undefined ? '' : ` (${workersLost} lost)`
    counted.push(`${key.id} ${status} ${failure?.message ?? termination.detail}`.trim() + lost)
  }
  const add = (isStarted: boolean, lostBefore = 0) =>
    jobs.add('j', {
      job,
      tapes: new Map(),
      message: '',
      isStarted,
      lostBefore,
      lost: lostBefore,
      missed: 0,
      onResult,
      done: () => {},
      fail: () => {},
    })
  return { jobs, add, counted, poisoned }
}

/** As a worker writes them that calls the case `a` otherwise, because the name holds a secret of its own. */
function lines(): JobReport['results'] {
  return entries.map((entry) => {
    const result: CaseResult = { ...emptyResult(entry, resultKey(entry, job)), status: 'passed' }
    return { ...resultToLine(result), id: entry.id === 'a' ? '[secret]' : entry.id }
  })
}

const report = (results: JobReport['results']) => ({ job: 'j', start: 1, worker: 'w', results })

it('results are known by their places, whatever a worker redacts', () => {
  const { jobs, add, counted } = openJob()
  add(true)
  expect(jobs.count(report(lines()))).toBe(true)
  expect(counted).toEqual(['a passed', 'b passed'])
  expect(jobs.count(report(lines()))).toBe(false)
})

it.each([
  ['too few results', report(lines().slice(1)), 'it has 1 results, and the job has 2 cases'],
  ['another order', report(lines().reverse()), 'result 1 is of another case'],
  ['what cannot be read', { ...report([]), unreadable: 'results.0: too old' }, 'results.0: too old'],
])('a report with %s fails its job, and says so', (_, message, problem) => {
  const { jobs, add, counted, poisoned } = openJob()
  add(true)
  jobs.count(message)
  expect(counted).toEqual(
    ['a', 'b'].map((id) => `${id} failed the report of worker w cannot be read: ${problem}`),
  )
  expect(poisoned).toEqual([])
})

it('a job that ended its workers is named as such', () => {
  const { jobs, add, counted, poisoned } = openJob()
  add(true)
  jobs.count({ ...report([]), lost: 2 })
  expect(counted[0]).toBe('a failed 2 workers ended while they played it')
  expect(poisoned).toEqual([job])
})

it('what is being played when the run is lost is interrupted, and has not failed', () => {
  const { jobs, add, counted } = openJob()
  add(true)
  jobs.stop(new InfrastructureError('queue', 'no worker for 25s'))
  add(false)
  jobs.stop(new InfrastructureError('queue', 'no worker for 25s'))
  add(true)
  jobs.stop(new InterruptedError('SIGINT', 130))
  expect(counted.filter((line) => line.startsWith('a'))).toEqual([
    'a interrupted no worker for 25s',
    'a not_run no worker for 25s',
    'a interrupted SIGINT',
  ])
})

it('the run that goes on with a job knows how many workers it has ended', () => {
  const { jobs, add, counted } = openJob()
  const lose = (lost: number) => jobs.noteStarted([{ id: 'j', lost, isHeld: false }])
  const stop = () => jobs.stop(new InterruptedError('SIGINT', 130))
  add(false)
  lose(1)
  stop()
  add(true, 1)
  // It was not started yet.
  jobs.noteStarted([])
  stop()
  add(true)
  lose(1)
  // Its worker was only cut off for a while.
  lose(0)
  stop()
  add(false, 1)
  jobs.withdraw(['j'], 'over budget')
  expect(counted.filter((line) => line.startsWith('a'))).toEqual([
    'a interrupted SIGINT (1 lost)',
    'a interrupted SIGINT (1 lost)',
    'a interrupted SIGINT',
    'a not_run over budget (1 lost)',
  ])
})

it('a job that a worker plays was started, although the worker has not said so yet', () => {
  const { jobs, add, counted } = openJob()
  const stop = () => jobs.stop(new InterruptedError('SIGINT', 130))
  add(false)
  jobs.noteStarted([{ id: 'j', lost: 0, isHeld: true, holder: 'w' }])
  stop()
  add(false)
  // It was given back.
  jobs.noteStarted([{ id: 'j', lost: 0, isHeld: false }])
  stop()
  add(false)
  jobs.noteStarted([{ id: 'j', lost: 1, isHeld: false }])
  // It is over, and its worker goes on.
  jobs.noteStarted([])
  stop()
  expect(counted.filter((line) => line.startsWith('a'))).toEqual([
    'a interrupted SIGINT',
    'a not_run SIGINT',
    'a interrupted SIGINT (1 lost)',
  ])
})

it('a job that has ended two workers fails when the run ends before a third one takes it', () => {
  const { jobs, add, counted } = openJob()
  add(false, 1)
  jobs.noteStarted([{ id: 'j', lost: 2, isHeld: false }])
  jobs.stop(new InfrastructureError('queue', 'no worker for 25s'))
  expect(counted).toEqual(['a', 'b'].map((id) => `${id} failed 2 workers ended while they played it`))
})
