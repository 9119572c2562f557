import { type UsageByRole, usageOfCalls } from '../results/usage.ts'
import { UsageLedger } from './ledger.ts'
import type { Layer, RecordedCall, TapeCall } from './tape.ts'

/** A call that is being recorded, and what its code has called in turn. Scripts run side by side, so each has its own. */
export class CallUnderway {
  /** Counts what is called within it, for those around it too. */
  readonly ledger: UsageLedger
  readonly logs: string[] = []
  readonly #around: CallUnderway | undefined
  readonly #layers = new Set<Layer>()
  readonly #continued = new Set<string>()
  readonly #names: string[] = []

  constructor(around: CallUnderway | undefined, ledger: UsageLedger) {
    this.#around = around
    this.ledger = new UsageLedger(ledger)
  }

  /** Notes a call that is made within this one. */
  addInner(call: TapeCall, name: string): void {
    this.#layers.add(call.layer)
    this.#names.push(name)
    if (call.continues !== undefined) this.#continued.add(call.continues)
    this.#around?.addInner(call, name)
  }

  describe(): Pick<RecordedCall, 'inner' | 'innerUsage' | 'innerContinues' | 'innerNames' | 'logs'> {
    const innerUsage: UsageByRole = usageOfCalls(this.ledger.byRole)
    return {
      ...(this.#layers.size > 0 && { inner: [...this.#layers], innerNames: this.#names, innerUsage }),
      ...(this.#continued.size > 0 && { innerContinues: [...this.#continued] }),
      ...(this.logs.length > 0 && { logs: this.logs }),
    }
  }
}
