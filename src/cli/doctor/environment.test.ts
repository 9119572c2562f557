import { describe, expect, it } from 'vitest'
import { environmentFindings } from './environment.ts'

describe('the Node version in viva doctor', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('%s is new enough', (running) => {
    expect(environmentFindings({}, running)[0]).toMatchObject({ status: 'ok' })
  })

  it.each(['18.20.0', '20.9.0', '20.18.3'])('%s is too old', (running) => {
    expect(environmentFindings({}, running)[0]).toMatchObject({
      status: 'error',
      text: `Node ${running} is too old: viva needs >=20.19`,
    })
  })
})
