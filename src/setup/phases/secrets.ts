import { ConfigError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { secretValues } from '../../privacy/secret-variables.ts'
import { createGrowingRedactor, shortestSecret } from '../../privacy/secrets.ts'
import type { Project } from '../../project/project.ts'

/** The values that no report may show. More of them become known while a run goes on. */
export interface Secrets {
  /** Adds a place that secrets come from; it is asked again whenever something is redacted. */
  add(source: () => readonly string[]): void
  redact(): Redactor
  /** All that are known by now. */
  values(): readonly string[]
}

export const secretsPhase = {
  name: 'secrets',
  open({ project, warn }: { project: Project; warn(text: string): void }): Secrets {
    const { config, env } = project
    for (const name of config.secrets ?? [])
      if (!env[name]) warn(`secret ${name} of the config is not set: nothing is hidden for it`)
    return createSecrets(projectSecrets(project))
  },
} as const

export function createSecrets(known: readonly string[]): Secrets {
  const sources: (() => readonly string[])[] = [() => known]
  const values = () => {
    // For every event of a run: `flatMap` would take several times as long.
    const all: string[] = []
    for (const source of sources) for (const value of source()) all.push(value)
    return all
  }
  return {
    add: (source) => void sources.push(source),
    redact: createGrowingRedactor({ secrets: values }),
    values,
  }
}

/** The values of variables that the config lists, and of those named like secrets. */
function projectSecrets({ config, env, envFile }: Project): string[] {
  const listed = (config.secrets ?? []).map((name) => ({ name, value: env[name] ?? '' }))
  const short = listed.find(({ value }) => value !== '' && value.length < shortestSecret)
  if (short) {
    const message = `secret ${short.name} has fewer than ${shortestSecret} characters: it cannot be told from ordinary text`
    throw new ConfigError({ code: 'short_secret', message })
  }
  return [...listed.map(({ value }) => value), ...secretValues(envFile), ...secretValues(env)]
}
