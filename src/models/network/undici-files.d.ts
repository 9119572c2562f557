declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector } from 'undici'

  /** The connector returns its socket, though undici's own types do not say so. */
  export default function build(
    options: buildConnector.BuildOptions,
  ): (...args: Parameters<buildConnector.connector>) => Socket
}
