import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Paths } from './fs-paths.ts'

/** Default for new files. */
const fileMode = 0o644

/** The contents of files: as text, as bytes and in base64. */
export function contentMethods(paths: Paths) {
  const { read, write, append, insert } = byteMethods(paths)
  const encoded = <T>(encode: (data: T, label: string) => Uint8Array) => ({
    write: (path: string, data: T, mode?: number) => write(path, encode(data, paths.label), mode),
    append: (path: string, data: T, mode?: number) => append(path, encode(data, paths.label), mode),
    insert: (path: string, offset: number, data: T, mode?: number) =>
      insert(path, offset, encode(data, paths.label), mode),
  })
  const text = encoded<string>(encodeText)
  const buffer = encoded<Uint8Array>(toBytes)
  const base64 = encoded<string>(decodeBase64)
  return {
    ReadFile: (path: string) => read(path).toString(),
    ReadFileBuffer: (path: string) => new Uint8Array(read(path)),
    ReadFileBase64: (path: string) => read(path).toString('base64'),
    WriteFile: text.write,
    WriteFileBuffer: buffer.write,
    WriteFileBase64: base64.write,
    AppendFile: text.append,
    AppendFileBuffer: buffer.append,
    AppendFileBase64: base64.append,
    InsertFile: text.insert,
    InsertFileBuffer: buffer.insert,
    InsertFileBase64: base64.insert,
    // These are the names in the engine; its types have the longer ones.
    AppendBuffer: buffer.append,
    AppendBase64: base64.append,
    InsertBuffer: buffer.insert,
    InsertBase64: base64.insert,
    MoveAppend: returnNull((from: string, to: string) => {
      append(to, read(from))
      rmSync(paths.entry(from))
    }),
    MoveInsert: returnNull((from: string, to: string, offset: number) => {
      insert(to, offset, read(from))
      rmSync(paths.entry(from))
    }),
  }
}

function byteMethods(paths: Paths) {
  const writing =
    (put: typeof writeFileSync | typeof appendFileSync) =>
    (path: unknown, bytes: Uint8Array, mode = fileMode) => {
      put(createParentFolder(paths.follow(path)), bytes, { mode })
      return bytes.length
    }
  const write = writing(writeFileSync)
  return {
    read: (path: unknown) => readFileSync(paths.follow(path)),
    write,
    append: writing(appendFileSync),
    insert(path: unknown, offset: number, bytes: Uint8Array, mode = fileMode) {
      const file = paths.follow(path)
      if (!existsSync(file)) return write(path, bytes, mode)
      if (!(offset >= 0)) throw new RangeError(`${paths.label}: ${offset} is not an offset in ${path}`)
      const before = readFileSync(file)
      writeFileSync(file, Buffer.concat([before.subarray(0, offset), bytes, before.subarray(offset)]))
      return bytes.length
    },
  }
}

/** Methods without a result return `null`, as in the engine. */
export function returnNull<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => null {
  return (...args) => {
    work(...args)
    return null
  }
}

/** Creates a missing folder, as the engine does. */
export function createParentFolder(file: string): string {
  mkdirSync(dirname(file), { recursive: true })
  return file
}

function encodeText(data: unknown, label: string): Buffer {
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return Buffer.from(String(data))
  throw new TypeError(`${label}: a file takes a text, got ${typeof data}`)
}

function toBytes(data: unknown, label: string): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  throw new TypeError(`${label}: bytes must be a Uint8Array, got ${typeof data}`)
}

/** Node would silently skip characters that are not base64. */
function decodeBase64(data: unknown, label: string): Buffer {
  const letters = typeof data === 'string' ? data.replace(/[\r\n]/g, '') : undefined
  if (letters === undefined || letters.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(letters))
    throw new TypeError(`${label}: this is not base64`)
  return Buffer.from(letters, 'base64')
}
