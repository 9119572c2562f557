import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { phases } from './phase.ts'

const fakes = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] as const
const running = () => ({ signal: new AbortController().signal })

/** A phase that notes when it is opened and closed. */
function noting<Name extends string>(name: Name, notes: string[], closing?: Error) {
  return {
    name,
    open() {
      notes.push(`open ${name}`)
      return name
    },
    close() {
      notes.push(`close ${name}`)
      if (closing) throw closing
    },
  }
}

describe('a list of phases', () => {
  it('opens in order, gives each phase what was opened before it, and closes in reverse', async () => {
    const notes: string[] = []
    const list = phases()
      .with(noting('first', notes))
      .with({ name: 'second', open: ({ first }: { first: string }) => `after ${first}` })
      .with(noting('third', notes))
    const result = await list.use(running(), async ({ first, second, third }) => {
      notes.push('work')
      return [first, second, third]
    })
    expect(result).toEqual(['first', 'after first', 'third'])
    expect(notes).toEqual(['open first', 'open third', 'work', 'close third', 'close first'])
  })

  it('closes what was opened when a later phase fails, and does not start the work', async () => {
    const notes: string[] = []
    const list = phases()
      .with(noting('first', notes))
      .with({ name: 'second', open: () => Promise.reject(new Error('no second')) })
    const used = list.use(running(), async () => notes.push('work'))
    await expect(used).rejects.toThrow('no second')
    expect(notes).toEqual(['open first', 'close first'])
  })

  it('closes everything when the work fails, and throws its error as it is', async () => {
    const notes: string[] = []
    const error = new Error('the work failed')
    const list = phases().with(noting('first', notes)).with(noting('second', notes))
    await expect(list.use(running(), () => Promise.reject(error))).rejects.toBe(error)
    expect(notes.slice(2)).toEqual(['close second', 'close first'])
  })

  it('throws the error of a phase that cannot be closed, and closes the others all the same', async () => {
    const notes: string[] = []
    const error = new Error('second stays open')
    const list = phases()
      .with(noting('first', notes))
      .with(noting('second', notes, error))
    await expect(list.use(running(), async () => 'done')).rejects.toBe(error)
    expect(notes.slice(2)).toEqual(['close second', 'close first'])
  })

  it('throws all errors together, so that none hides another', async () => {
    const [work, closing] = [new Error('work'), new Error('closing')]
    const list = phases().with(noting('first', [], closing))
    await expect(list.use(running(), () => Promise.reject(work))).rejects.toMatchObject({
      errors: [work, closing],
    })
  })

  it('does not wait for a phase that opens too late after an abort, but closes it', async () => {
    vi.useFakeTimers({ toFake: [...fakes] })
    onTestFinished(() => void vi.useRealTimers())
    const notes: string[] = []
    const controller = new AbortController()
    let finish = () => {}
    const opening = new Promise<string>((resolve) => {
      finish = () => resolve('late')
    })
    const noteAndWait = () => {
      notes.push('open late')
      return opening
    }
    const list = phases()
      .with(noting('first', notes))
      .with({ name: 'late', open: noteAndWait, close: () => void notes.push('close late') })
    const used = list.use({ signal: controller.signal }, async () => notes.push('work'))
    await vi.waitFor(() => expect(notes).toContain('open late'))
    const rejected = expect(used).rejects.toThrow('stopped')
    controller.abort(new Error('stopped'))
    await vi.advanceTimersByTimeAsync(29_999)
    expect(notes).toEqual(['open first', 'open late'])
    await vi.advanceTimersByTimeAsync(1)
    await rejected
    expect(notes).toEqual(['open first', 'open late', 'close first'])
    finish()
    await new Promise((resolve) => setImmediate(resolve))
    expect(notes.at(-1)).toBe('close late')
  })

  it('closes a phase that was stopped while it opened before those that it was opened from', async () => {
    const notes: string[] = []
    const controller = new AbortController()
    const list = phases()
      .with(noting('first', notes))
      .with({
        name: 'slow',
        async open({ signal }: { signal: AbortSignal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          await new Promise((resolve) => setTimeout(resolve, 20))
          notes.push('half open')
          throw new Error('stopped')
        },
        close: () => void notes.push('close slow'),
      })
    const used = list.use({ signal: controller.signal }, async () => notes.push('work'))
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(used).rejects.toThrow('enough')
    expect(notes).toEqual(['open first', 'half open', 'close first'])
  })

  it('can be held open by a caller that closes it', async () => {
    const notes: string[] = []
    const { opened, close } = await phases().with(noting('first', notes)).open(running())
    expect(opened.first).toBe('first')
    expect(notes).toEqual(['open first'])
    await close()
    await close()
    expect(notes).toEqual(['open first', 'close first'])
  })
})
