import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { closeHosts, script, startHost } from '../../../test/fixtures/scripts/hosts.ts'
import { fakePs, removeFakePs } from '../../../test/support/fake-ps.ts'
import { project } from '../../../test/support/viva.ts'

afterEach(async () => {
  removeFakePs()
  await closeHosts()
})

it('script hosts that end together share one search for leftover processes', async () => {
  const hosts = Array.from({ length: 4 }, () => startHost())
  for (const host of hosts) await (await script('export const f = () => 1', host)).call('f')
  const looks = join(project(), 'looks')
  fakePs(`printf x >> ${looks}`)
  await Promise.all(hosts.map((host) => host.close()))
  await vi.waitFor(() => expect(existsSync(looks)).toBe(true), { timeout: 10_000 })
  expect(readFileSync(looks, 'utf8').length).toBeLessThan(hosts.length)
})
