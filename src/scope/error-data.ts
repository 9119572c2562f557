import { AgentError, ConfigError, errorMessage, InfrastructureError, TimeoutError } from '../errors.ts'
import { defined } from '../json/defined.ts'

/** An error as plain JSON. `kind` is that of an `InfrastructureError`. */
export interface ErrorData {
  name: string
  message: string
  kind?: string
  retryable?: boolean
  status?: number
  tool?: string
  /** The time was over: everything in its scope ends with it. */
  aborted?: boolean
}

/** Errors that say who is to blame. All others are an error with a message. */
const known = { AgentError, TimeoutError }

export function errorToData(error: unknown): ErrorData {
  const message = errorMessage(error)
  if (!(error instanceof InfrastructureError))
    return { name: error instanceof Error ? String(error.name || 'Error') : 'Error', message }
  const { name, kind, retryable, status, tool } = error
  return { name, message, kind, ...defined({ retryable: retryable || undefined, status, tool }) }
}

export function errorFromData({ name, message, kind, aborted: _, ...details }: ErrorData): Error {
  if (name === 'InfrastructureError')
    return new InfrastructureError((kind ?? 'connection') as InfrastructureError['kind'], message, details)
  if (name === 'ConfigError') return new ConfigError({ code: 'recorded', message })
  if (Object.hasOwn(known, name)) return new known[name as keyof typeof known](message)
  const error = new Error(message)
  error.name = name
  return error
}
