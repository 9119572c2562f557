/** The text in a block: base64 of raw deflate. */
export async function inflateBlock(base64: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return await new Response(inflated).text()
  } catch {
    // The browser's own words ("Failed to fetch") speak of a network that has no part in it.
    throw new Error('a part of its data is damaged')
  }
}
