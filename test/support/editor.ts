import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getLanguageService as jsonService } from 'vscode-json-languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'
import yamlLanguageServer from 'yaml-language-server'
import { repository } from './command.ts'

/** What an editor shows for a file: the underlined places with their messages, and the completions at `▮`. */
export interface Shown {
  problems: { text: string; line: number; message: string }[]
  completions: Map<string, string>
}

interface Diagnosed {
  range: TextRange
  message: string | { value: string }
}
interface TextRange {
  start: { line: number; character: number }
  end: { line: number; character: number }
}
interface Suggested {
  label: string
  documentation?: string | { value: string }
}

async function readSchema(uri: string): Promise<string> {
  return readFileSync(fileURLToPath(uri), 'utf8')
}

// The YAML server keeps what it has parsed by name and version.
let version = 0

/** The language services of VS Code, of which most editors use the servers. `text` may contain a `▮`, the cursor. */
export async function showInEditor(name: string, text: string, schemaFile?: string): Promise<Shown> {
  const isYaml = name.endsWith('.yaml')
  const offset = text.indexOf('▮')
  const uri = pathToFileURL(join(repository, name)).href
  const document = TextDocument.create(uri, isYaml ? 'yaml' : 'json', ++version, text.replace('▮', ''))
  const schemas =
    schemaFile === undefined
      ? []
      : [{ uri: pathToFileURL(join(repository, 'schemas', schemaFile)).href, fileMatch: [`*/${name}`] }]
  const { diagnose, complete } = isYaml ? yamlEditor(document, schemas) : jsonEditor(document, schemas)
  const suggested = offset === -1 ? [] : await complete(document.positionAt(offset))
  return {
    problems: (await diagnose()).map(({ range, message }) => ({
      text: document.getText(range),
      line: range.start.line + 1,
      message: typeof message === 'string' ? message : message.value,
    })),
    completions: new Map(
      suggested.map(({ label, documentation = '' }) => [
        label,
        typeof documentation === 'string' ? documentation : documentation.value,
      ]),
    ),
  }
}

interface Editor {
  diagnose(): Promise<Diagnosed[]>
  complete(position: TextRange['start']): Promise<Suggested[]>
}

type Schemas = { uri: string; fileMatch: string[] }[]

const workspaceContext = {
  resolveRelativePath: (path: string, resource: string) => new URL(path, resource).href,
}

function jsonEditor(document: TextDocument, schemas: Schemas): Editor {
  const service = jsonService({ schemaRequestService: readSchema, workspaceContext })
  service.configure({ schemas, validate: true })
  const parsed = service.parseJSONDocument(document)
  return {
    diagnose: async () => service.doValidation(document, parsed),
    async complete(position) {
      return (await service.doComplete(document, position, parsed))?.items ?? []
    },
  }
}

function yamlEditor(document: TextDocument, schemas: Schemas): Editor {
  const service = yamlLanguageServer.getLanguageService({
    schemaRequestService: readSchema,
    workspaceContext,
  })
  service.configure({ schemas, validate: true, completion: true, hover: true })
  return {
    diagnose: () => service.doValidation(document, false),
    async complete(position) {
      return (await service.doComplete(document, position, false)).items
    },
  }
}
