import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Paths } from './fs-paths.ts'

/** Default for new files. */
const fileMode = 0o644

/** The contents of files: as text, as bytes and in base64. */
export function contentMethods(paths: Paths) {
  const read = (path: unknown) => readFileSync(paths.follow(path))
  const write = (path: unknown, bytes: Uint8Array, mode = fileMode) => {
    writeFileSync(createParentFolder(paths.follow(path)), bytes, { mode })
    return bytes.length
  }
  const append = (path: unknown, bytes: Uint8Array, mode = fileMode) => {
    appendFileSync(createParentFolder(paths.follow(path)), bytes, { mode })
    return bytes.length
  }
  const insert = (path: unknown, offset: number, bytes: Uint8Array, mode = fileMode) => {
    const file = paths.follow(path)
    if (!existsSync(file)) return write(path, bytes, mode)
    if (!(offset >= 0)) throw new RangeError(`${paths.label}: ${offset} is not an offset in ${path}`)
    const before = readFileSync(file)
    writeFileSync(file, Buffer.concat([before.subarray(0, offset), bytes, before.subarray(offset)]))
    return bytes.length
  }
  const text = (data: unknown) => encodeText(data, paths.label)
  const bytes = (data: unknown) => toBytes(data, paths.label)
  const base64 = (data: unknown) => decodeBase64(data, paths.label)
  const appendBuffer = (path: string, data: Uint8Array, mode?: number) => append(path, bytes(data), mode)
  const appendBase64 = (path: string, data: string, mode?: number) => append(path, base64(data), mode)
  const insertBuffer = (path: string, offset: number, data: Uint8Array, mode?: number) =>
    insert(path, offset, bytes(data), mode)
  const insertBase64 = (path: string, offset: number, data: string, mode?: number) =>
    insert(path, offset, base64(data), mode)

  return {
    ReadFile: (path: string) => read(path).toString(),
    ReadFileBuffer: (path: string) => new Uint8Array(read(path)),
    ReadFileBase64: (path: string) => read(path).toString('base64'),
    WriteFile: (path: string, data: string, mode?: number) => write(path, text(data), mode),
    WriteFileBuffer: (path: string, data: Uint8Array, mode?: number) => write(path, bytes(data), mode),
    WriteFileBase64: (path: string, data: string, mode?: number) => write(path, base64(data), mode),
    AppendFile: (path: string, data: string, mode?: number) => append(path, text(data), mode),
    AppendFileBuffer: appendBuffer,
    AppendFileBase64: appendBase64,
    InsertFile: (path: string, offset: number, data: string, mode?: number) =>
      insert(path, offset, text(data), mode),
    InsertFileBuffer: insertBuffer,
    InsertFileBase64: insertBase64,
    // These are the names in the engine; its types have the longer ones.
    AppendBuffer: appendBuffer,
    AppendBase64: appendBase64,
    InsertBuffer: insertBuffer,
    InsertBase64: insertBase64,
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
