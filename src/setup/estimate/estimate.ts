import type { CaseList } from '../../cases/case-list.ts'
import type { CaseSource } from '../../cases/entry.ts'
import { calculateCost, type Price } from '../../models/prices.ts'
import { formatDollars } from '../../text/dollars.ts'
import type { App } from '../phases/app.ts'
import type { Variants } from '../phases/variants.ts'
import { assumedReplyTokens, estimatePlan, type Load } from './estimate-plan.ts'

/** What a run would ask for, said before it is run. */
export class Estimate {
  readonly #least: Load = { calls: 0, inputTokens: 0, outputTokens: 0 }
  readonly #most: Load = { calls: 0, inputTokens: 0, outputTokens: 0 }
  /** Undefined once something has no price. */
  #cost: { least: number; most: number } | undefined = { least: 0, most: 0 }

  #simulated = 0

  add(least: Load, most: Load, simulated: number, price: Price | undefined): void {
    this.#simulated += simulated
    for (const [total, more] of [
      [this.#least, least],
      [this.#most, most],
    ] as const) {
      total.calls += more.calls
      total.inputTokens += more.inputTokens
      total.outputTokens += more.outputTokens
    }
    const [low, high] = [calculateCost(least, price), calculateCost(most, price)]
    this.#cost =
      this.#cost === undefined || low === undefined || high === undefined
        ? undefined
        : { least: this.#cost.least + low, most: this.#cost.most + high }
  }

  lines(): string[] {
    const range = (show: (load: Load) => string) => between(show(this.#least), show(this.#most))
    const count = (value: number) => value.toLocaleString('en-US')
    const calls = range((load) => count(load.calls))
    const tokens = `${range((load) => count(load.inputTokens))} tokens in, ${range((load) => count(load.outputTokens))} out`
    const cost = this.#cost && between(formatDollars(this.#cost.least), formatDollars(this.#cost.most))
    const simulators =
      this.#simulated === 0
        ? []
        : [`        up to ${count(this.#simulated)} to simulators, whose cost is not counted`]
    return [
      `Calls:  about ${calls} to the agent, ${tokens} (${assumedReplyTokens} a reply; tools and retries not counted)`,
      ...simulators,
      `Cost:   ${cost ?? 'unknown; "prices" in the config says what a model costs'}`,
    ]
  }
}

function between(least: string, most: string): string {
  return least === most ? least : `${least} to ${most}`
}

/** Every case is loaded once more, and let go. */
export async function estimateRun(
  entries: CaseList,
  source: CaseSource,
  {
    variants,
    app: {
      sources: { connectors },
    },
  }: { variants: Variants; app: App },
): Promise<Estimate> {
  const estimate = new Estimate()
  for (const entry of entries) {
    const loaded = await source.load(entry)
    // What a script or a suite asks for is known when it asks.
    if (loaded.kind !== 'conversation' || loaded.skip !== undefined) continue
    const { plan } = loaded
    for (const { connector, connectorFixed, price, promptLength = 0 } of variants.values()) {
      const { least, most, simulated } = estimatePlan(plan, promptLength)
      const wanted = connectorFixed ? connector : (plan.options.connector ?? connector)
      estimate.add(
        least,
        most,
        simulated,
        typeof wanted === 'string' ? connectors.model(wanted).price : price,
      )
    }
  }
  return estimate
}
