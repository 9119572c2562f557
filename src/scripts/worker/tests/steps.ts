/** Work that yields promises to be awaited, and does nothing else that takes time. */
export type Steps<Result> = Generator<PromiseLike<unknown>, Result, void>

/** Runs steps at once, so that work that awaits nothing is finished when this returns. */
export function runSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const step = steps.next()
  return step.done === true ? step.value : continueSteps(steps, step.value)
}

async function continueSteps<Result>(steps: Steps<Result>, first: PromiseLike<unknown>): Promise<Result> {
  let awaited = first
  for (;;) {
    const rejected = await catchRejection(awaited)
    const step = rejected === undefined ? steps.next() : steps.throw(rejected.error)
    if (step.done === true) return step.value
    awaited = step.value
  }
}

async function catchRejection(awaited: PromiseLike<unknown>): Promise<{ error: unknown } | undefined> {
  try {
    await awaited
    return undefined
  } catch (error) {
    return { error }
  }
}
