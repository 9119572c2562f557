/** Settings of a host process, passed at its start. */
export interface HostSettings {
  /** Limit of the whole process, with all its workers. */
  maxMemoryMb: number
  /** It runs one call at a time: a call that must be stopped is stopped with the whole process, at once. */
  disposable: boolean
}
