import { hash } from 'node:crypto'
import { z } from 'zod'
import { missingInputs } from '../../conversation/plan.ts'
import { isRecord, sortedJson } from '../../json/json.ts'
import { resultLineSchema } from '../../results/line-schema.ts'
import type { RecordedTool } from '../../scope/recording/line.ts'
import { type KeptPlay, layers, type TapeData } from '../../scope/tape.ts'

/** Changes whenever workers and coordinators of another version would misunderstand each other. */
export const queueProtocol = 3

/** What every offer has, of whatever version. */
export const anyOfferSchema = z.object({ protocol: z.number(), version: z.string() })

const recordedTools = z.custom<readonly RecordedTool[]>(Array.isArray)

/** What a worker must know of a run to take part in it. Plain data: it names nothing that a worker does not have itself. */
export const runOfferSchema = z.strictObject({
  protocol: z.literal(queueProtocol),
  version: z.string(),
  run: z.string(),
  startedAt: z.string(),
  /** The number of results. */
  total: z.number(),
  /** The working folder of the command, from the root of the project. */
  folder: z.string(),
  /** Case files and folders, from the root of the project. Other cases travel with their jobs. */
  inputs: z.array(z.string()),
  /** Whether there are such cases. */
  sendsCases: z.boolean(),
  /** Hashes of all that decides how a case is played, by what a user would call it. */
  fingerprint: z.record(z.string(), z.string()),
  variants: z.array(z.string()),
  request: z.strictObject({
    names: z.array(z.string()),
    connectors: z.array(z.string()),
    identity: z.strictObject({
      user: z.string().optional(),
      team: z.string().optional(),
      locale: z.string().optional(),
    }),
    ctx: z.string().optional(),
    timeout: z.string().optional(),
    onMissingInput: z.enum(missingInputs).optional(),
    simulator: z.string().optional(),
    stubAll: z.boolean(),
    seed: z.number().optional(),
    masks: z.array(z.string()),
    transcripts: z.boolean(),
    requireChecks: z.boolean(),
  }),
  /** What `--before-all` returned. */
  variables: z.record(z.string(), z.unknown()),
  /** With `--record` or `--replay`. */
  tapes: z
    .strictObject({
      keeps: z.enum(['all', 'missing', 'none']),
      rules: z.strictObject({ live: z.array(z.enum(layers)), missing: z.enum(['error', 'live']) }).optional(),
      /** The tools of servers that are not asked, by their names. */
      tools: z.array(z.tuple([z.string(), recordedTools])),
    })
    .optional(),
})
export type RunOffer = z.infer<typeof runOfferSchema>

/** The same for offers by which every case is played alike. */
export function hashOffer(offer: RunOffer): string {
  const { tapes } = offer
  const same = { ...offer, startedAt: '', total: 0, tapes: tapes && { ...tapes, tools: [] } }
  return hash('sha256', sortedJson(same)).slice(0, 24)
}

/** One job. A worker plays the case that it knows by this file, id and hash, or the one that comes with it. */
export const queuedJobSchema = z.strictObject({
  /** The hash of the offer that it belongs to. */
  generation: z.string(),
  variant: z.string(),
  run: z.number(),
  attempt: z.number(),
  cases: z
    .array(
      z.strictObject({
        file: z.string(),
        id: z.string(),
        hash: z.string(),
        line: z.number(),
        /** The case itself, where it is in no file: of stdin, of a message, of a generator. */
        written: z.unknown().optional(),
      }),
    )
    .min(1),
  /** How many workers had ended while they played it, before the run was interrupted and continued. */
  lost: z.number().optional(),
  /** What is answered from a recording, by case. */
  tapes: z.array(z.custom<TapeData>(isRecord)).optional(),
})
export type QueuedJob = z.infer<typeof queuedJobSchema>

const keySchema = z.strictObject({
  file: z.string(),
  id: z.string(),
  variant: z.string(),
  run: z.number(),
  attempt: z.number(),
})

/** What a worker says of a job: its results, or why it was not played. */
export const jobReportSchema = z.strictObject({
  job: z.string(),
  start: z.number(),
  worker: z.string(),
  /** In the order of its cases. */
  results: z.array(resultLineSchema),
  refused: z.string().optional(),
  /** How many workers ended while they played the job. */
  lost: z.number().optional(),
  /** What is to be recorded of its plays. */
  tapes: z
    .array(z.strictObject({ key: keySchema, isComplete: z.boolean(), kept: z.custom<KeptPlay>(isRecord) }))
    .optional(),
  /** The tools of servers that were asked for them. */
  tools: z.array(z.tuple([z.string(), recordedTools])).optional(),
})
export type JobReport = z.infer<typeof jobReportSchema>

/** What a worker says of itself. */
export const workerStatusSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  concurrency: z.number(),
  /** The run that it takes part in. */
  run: z.string().optional(),
  /** The jobs that it plays. */
  playing: z.array(z.string()),
  /** How many it has played. */
  done: z.number(),
  /** On the clock of Redis, in milliseconds. */
  seenAt: z.number(),
})
export type WorkerStatus = z.infer<typeof workerStatusSchema>

/** A schema says all that is wrong with a message, in JSON of many lines. */
export function describeFirstIssue({ issues: [issue] }: z.ZodError): string {
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
}
