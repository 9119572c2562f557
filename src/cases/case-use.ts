/** Something of the project that a case names, besides the agent under test. */
export interface CaseUse {
  kind: 'script' | 'judge' | 'user' | 'connector' | 'tools' | 'snapshot' | 'url' | 'person'
  /** Absent for tools, snapshots and persons. */
  name?: string
  /** The connector that a judge or a simulated user was given. */
  connector?: string
  /** The folder, relative to the project, from which the name is looked up. */
  folder?: string
}
