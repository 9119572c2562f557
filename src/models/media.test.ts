import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { attach } from '../results/transcript/attachment.ts'
import { inlineFiles, toMedia } from './media.ts'

const source = import.meta.url
const file = { path: fileURLToPath(source), mediaType: 'text/plain' }

describe('a file', () => {
  it('that a case attached is read', () => {
    const part = attach({ type: 'file', source }, file)
    expect(Buffer.from(toMedia(part)?.data?.base64 ?? '', 'base64').toString()).toContain('a case attached')
    expect(inlineFiles([part])).toMatchObject([
      { source: expect.stringMatching(/^data:text\/plain;base64,./) as string },
    ])
  })

  it.each([
    { type: 'file', source, media_type: 'text/plain' },
    { type: 'image', source, media_type: 'text/plain' },
    { type: 'image_url', image_url: source },
    { type: 'image_url', image_url: { url: source }, media_type: 'text/plain' },
  ])('that an agent made up is not read: %j', (part) => {
    expect(toMedia(part)).toBeUndefined()
    expect(inlineFiles([part])).toEqual([part])
  })
})
