import { afterEach, describe, expect, it, vi } from 'vitest'
import { inflateBlock } from './inflate-block.ts'

afterEach(() => vi.unstubAllGlobals())

async function pack(text: string): Promise<string> {
  const deflated = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(deflated).arrayBuffer())))
}

const packed = await pack('["größer 👋"]')

describe('a block of data', () => {
  it('gives the text that was packed', async () => {
    expect(await inflateBlock(packed)).toBe('["größer 👋"]')
  })

  it.each([
    ['is cut', packed.slice(0, -8)],
    ['is no base64', '%%%'],
    ['is empty', ''],
  ])('that %s is damaged', async (_, text) => {
    await expect(inflateBlock(text)).rejects.toThrow('part of its data is damaged')
  })

  it.each([
    ['cannot unpack anything', undefined],
    [
      'cannot unpack this',
      class {
        constructor() {
          throw new TypeError('Unsupported compression format')
        }
      },
    ],
  ])('is not reported as damaged when the browser %s', async (_, substitute) => {
    vi.stubGlobal('DecompressionStream', substitute)
    await expect(inflateBlock(packed)).rejects.toThrow('this browser is too old')
  })
})
