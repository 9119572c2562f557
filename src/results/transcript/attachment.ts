import type { Data } from './message.ts'

/** A file that a case attaches, found and permitted. */
export interface AttachedFile {
  path: string
  mediaType: string
}

/** Only files that a case attached are ever read: an agent could invent parts that look the same. */
const files = new WeakMap<object, AttachedFile>()

export function attach(part: Data, file: AttachedFile): Data {
  files.set(part, file)
  return part
}

export function attachedFile(part: object): AttachedFile | undefined {
  return files.get(part)
}
