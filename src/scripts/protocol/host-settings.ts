/** What a host process is told when it is started. */
export interface HostSettings {
  /** Of the whole process, with all its workers. */
  maxMemoryMb: number
  /** It has one call at a time: what has to be stopped is stopped with the whole process, and at once. */
  disposable: boolean
}
