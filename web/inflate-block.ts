/** Unpacks the text of a block: base64 of raw deflate. */
export async function inflateBlock(base64: string): Promise<string> {
  const inflater = createInflater()
  try {
    const inflated = new Blob([decodeBase64(base64)]).stream().pipeThrough(inflater)
    return await new Response(inflated).text()
  } catch {
    // The browser's own message ("Failed to fetch") is about a network, which is not involved.
    throw new Error('part of its data is damaged')
  }
}

function createInflater(): DecompressionStream {
  try {
    return new DecompressionStream('deflate-raw')
  } catch {
    throw new Error('this browser is too old: it cannot unpack the data')
  }
}

/** A loop, because `Uint8Array.from` with a function is many times slower. */
function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
  return bytes
}
