/** Projects in which viva is run. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes files by their path; objects are written as JSON, and lists of objects as one line of JSON each. */
export async function writeFiles(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, serialize(content))
  }
}

function serialize(content) {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  return JSON.stringify(content)
}

/** A connector for the server of the benchmarks. */
export function connector(server, model, options = {}) {
  return {
    type: 'openai',
    options: { host: `${server.url}/`, key: '$ENV.OPENAI_API_KEY', model, ...options },
  }
}
