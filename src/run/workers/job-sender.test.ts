import { expect, it, vi } from 'vitest'
import { JobSender } from './job-sender.ts'

const job = (id: string) => ({ id, message: '' })

it('jobs that are taken back are not sent, also when Redis refuses them while they are on their way', async () => {
  const refusals: string[] = []
  let refuse: (error: Error) => void = () => {}
  const addBulk = vi.fn(
    () =>
      new Promise<never[]>((_, reject) => {
        refuse = reject
      }),
  )
  const sender = new JobSender({
    queue: { addBulk },
    take: async (ids) => ids.filter((id) => id === 'waiting'),
    onRefused: (message) => void refusals.push(message),
  })
  sender.send(job('on its way'))
  await vi.waitUntil(() => addBulk.mock.calls.length === 1)
  sender.send(job('unsent'))
  const withdrawn = sender.withdraw(['unsent', 'on its way', 'waiting', 'played'])
  refuse(new Error('OOM'))
  expect(await withdrawn).toEqual(['unsent', 'on its way', 'waiting'])
  expect(refusals).toEqual(['OOM'])
  sender.close()
})
