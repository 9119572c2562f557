import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Recorder } from './recorder.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'viva-recorder-'))
const create = (path: string) => new Recorder(path, 'shown.rec', { isNew: true })

describe('Recorder', () => {
  it('says that a place below a file cannot be written, not that the recording exists', () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    const recorder = create(join(file, 'x'))
    expect(() => recorder.start()).toThrow('shown.rec cannot be written')
  })

  it('refuses a link that leads nowhere before anything is played', () => {
    const path = join(folder(), 'link')
    symlinkSync('nowhere', path)
    expect(() => create(path)).toThrow('recording shown.rec: the file exists')
  })

  it('keeps what was recorded before it started', () => {
    const path = join(folder(), 'a')
    const recorder = create(path)
    recorder.write('{"type":"tools","server":"s","tools":[]}')
    expect(existsSync(path)).toBe(false)
    recorder.start()
    recorder.close()
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3)
  })

  it('adds to a recording only what a run has recorded', () => {
    const path = join(folder(), 'a')
    const first = create(path)
    first.start()
    first.write('{"type":"tools","server":"s","tools":[]}')
    first.close()
    const before = readFileSync(path, 'utf8')
    const second = new Recorder(path, 'shown.rec', { isNew: false })
    second.start()
    second.close()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})
