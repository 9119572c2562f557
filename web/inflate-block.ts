/** The text in a block: base64 of raw deflate. */
export async function inflateBlock(base64: string): Promise<string> {
  const inflated = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(inflated).text()
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
