/** What a host process is told when it is started. */
export interface HostSettings {
  /** Of the whole process, with all its workers. */
  maxMemoryMb: number
}
