/** The names of everything that a queue keeps in Redis, beside what BullMQ keeps of its jobs. */
export interface QueueKeys {
  /** What workers must know of each run that is open, by its id. */
  runs: string
  /** The ids of workers. */
  workers: string
  worker(id: string): string
  run(id: string): RunKeys
}

/** What is kept for one run. */
export interface RunKeys {
  /** Its queue of jobs, as BullMQ calls it. */
  queue: string
  /** What BullMQ notes of this queue, also for a worker that is late. */
  meta: string
  /** Set while its coordinator is there. */
  coordinator: string
  /** What its coordinator offers now, as a hash: workers that have opened another offer open the run again. */
  generation: string
  /** How many results are in the journal. */
  finished: string
  /** Set for a while when the run has ended. */
  ended: string
  /** What workers have reported, and is not in the journal yet: a stream. */
  reports: string
  /** How often each job was started, by its id. */
  starts: string
  /** How many of these starts did not end the process of a worker. */
  returns: string
  /** How many results came too late: another worker had taken over. */
  superseded: string
  /** Why workers did not take part, by their ids. */
  refusals: string
  /** The permits for the calls of one connector: those that are in use, and when the next one may start. */
  permits(connector: string): [inUse: string, next: string]
}

export function queueKeys(prefix: string): QueueKeys {
  return {
    runs: `${prefix}:runs`,
    workers: `${prefix}:workers`,
    worker: (id) => `${prefix}:worker:${id}`,
    run(id) {
      const own = `${prefix}:run:${id}`
      return {
        queue: `jobs-${id}`,
        meta: `${prefix}:jobs-${id}:meta`,
        coordinator: `${own}:coordinator`,
        generation: `${own}:generation`,
        finished: `${own}:finished`,
        ended: `${own}:ended`,
        reports: `${own}:reports`,
        starts: `${own}:starts`,
        returns: `${own}:returns`,
        superseded: `${own}:superseded`,
        refusals: `${own}:refusals`,
        permits: (connector) => [`${own}:permits:${connector}`, `${own}:next:${connector}`],
      }
    },
  }
}

/** The keys of a run that BullMQ does not remove, or not for good, and that do not expire. */
export function listRunKeys(keys: RunKeys): string[] {
  const { coordinator, generation, finished, reports, starts, returns, superseded, refusals, meta } = keys
  return [coordinator, generation, finished, reports, starts, returns, superseded, refusals, meta]
}

/** What Redis calls the types of the keys that all runs share and, with `run`, of those of this run. */
export function listKeyTypes(prefix: string, run?: string): [key: string, type: string][] {
  const { runs, workers, run: keysOf } = queueKeys(prefix)
  const shared: [string, string][] = [
    [runs, 'hash'],
    [workers, 'set'],
  ]
  if (run === undefined) return shared
  const own = keysOf(run)
  const { coordinator, generation, finished, ended, superseded, starts, returns, refusals } = own
  return [
    ...shared,
    ...[coordinator, generation, finished, ended, superseded].map((key): [string, string] => [key, 'string']),
    ...[starts, returns, refusals].map((key): [string, string] => [key, 'hash']),
    [own.reports, 'stream'],
    ...['wait', 'active'].map((list): [string, string] => [`${prefix}:${own.queue}:${list}`, 'list']),
  ]
}
