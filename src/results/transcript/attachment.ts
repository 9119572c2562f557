import type { Data } from './message.ts'

/** A file that a case sends along, found and allowed. */
export interface AttachedFile {
  path: string
  mediaType: string
}

/** Only what a case attached is ever read: an agent can make up parts that look the same. */
const files = new WeakMap<object, AttachedFile>()

export function attach(part: Data, file: AttachedFile): Data {
  files.set(part, file)
  return part
}

export function attachedFile(part: object): AttachedFile | undefined {
  return files.get(part)
}
