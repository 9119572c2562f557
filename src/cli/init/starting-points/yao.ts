import { join } from 'node:path'
import { findAppFiles } from '../../../project/app/app-files.ts'
import { loadPackage, type Package, packageIds } from '../../../project/app/package.ts'
import { locateProject, type Project } from '../../../project/project.ts'
import {
  introducesItself,
  keepsPromptPrivate,
  quotableSentence,
  remembers,
  survivesOddInput,
} from '../first-cases.ts'
import type { Folder } from '../folder.ts'
import type { AgentSetup, StartingPoint } from '../starting-point.ts'

/** A Yao app: its agents are found by their names. */
export const yaoApp: StartingPoint = {
  look(folder) {
    if (!folder.files.some((name) => /^assistants\/.*package\.yao$/.test(name))) return []
    const project: Project = { ...locateProject(folder.path, folder.path, folder.env), config: {} }
    return packageIds(project).map((id) => ({
      reference: id,
      found: `the agent ${id} of a Yao app`,
      setUp: () => setUpPackage(id, project, folder),
    }))
  },
}

function setUpPackage(id: string, project: Project, folder: Folder): AgentSetup {
  const pack = loadPackage(project, join(folder.path, 'assistants', ...id.split('.')))
  const prompt = pack.prompts.map(({ content }) => content).join('\n')
  const sentence = quotableSentence(prompt)
  return {
    config: { agent: id },
    target: pack.connector === undefined ? id : `${id}, whose model is the connector ${pack.connector}`,
    cases: [
      introducesItself(`${pack.name ?? ''} ${pack.description ?? ''}`),
      remembers(),
      sentence === undefined ? survivesOddInput() : keepsPromptPrivate(sentence),
    ],
    variables: connectorVariables(pack, project, folder),
  }
}

/** The variables that its connector reads. */
function connectorVariables({ connector }: Package, project: Project, folder: Folder): string[] {
  const file = findAppFiles(project, 'connectors', 'conn').find(({ id }) => id === connector)?.file ?? ''
  return [...new Set([...folder.read(file).matchAll(/\$ENV\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name))]
}
