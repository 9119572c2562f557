/** Renders docs/architecture-walks.md. */
import { declaredIn } from './contracts.mjs'
import { isBase } from './run-walk.mjs'
import { none } from './walk.mjs'

export function renderPage(walks, loading) {
  return [introduction, ...walks.map(renderWalk), renderLoading(walks[0], loading)].join('\n')
}

const introduction = `# Walkthroughs of the architecture

This page shows the path of one case through \`src/\`, for each of the three ways in which a case can be run. It is
generated: \`node bench/walks.mjs\` runs the three programs below from the sources, and records which modules are called.
Modules are listed in the order in which one of their functions is first called. A module that is only loaded does not
count.

How to read it:

- The folders are those of [ARCHITECTURE.md](../ARCHITECTURE.md). "from" names the module that calls the folder.
  "continued" means that the folder continues after a call has returned, or is called by the same module again.
- \`json\`, \`text\`, \`system\`, \`results\`, \`scope\` and \`errors.ts\` may be called by every folder. Their modules are
  listed in italics where they are first called, as part of the folder that calls them.
- A folder calls the folders that it imports. A call in the other direction needs a contract: an interface that the
  caller knows and the called folder implements. Each walkthrough ends with a table of these calls. The table covers
  all functions, not only the first one of a module. A call that is marked "${none}" is a mistake in the code.
`

function renderWalk({ title, about, command, shown, files, modules, processes, reentries }) {
  return [
    `## ${title}\n`,
    `${about}\n`,
    ...shown.map((name) => indent([`# ${name}`, ...files[name].trimEnd().split('\n')])),
    indent([`$ ${command}`]),
    `${modules.length} modules${processes.length > 1 ? `, in ${processes.length} processes and threads` : ''}.\n`,
    ...processes.map((process) => renderProcess(process, processes.length > 1)),
    renderReentries(reentries),
  ].join('\n')
}

function indent(lines) {
  return `${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}\n`
}

const processTitles = {
  runner: 'In the runner',
  'script host': 'In the script host',
  worker: 'In its worker thread',
  'module hooks': "In the thread of the worker's module hooks",
}

function renderProcess({ name, parts }, isOneOfMany) {
  const heading = isOneOfMany ? [`### ${processTitles[name]}\n`] : []
  return [...heading, ...parts.map((part) => renderPart(part, isOneOfMany ? '####' : '###'))].join('\n')
}

function renderPart({ title, runs }, level) {
  const path = runs.map(({ folder, contract }) => (contract ? `(${contract}) ${folder}` : folder)).join(' → ')
  const list = runs.map((run, index) => `${index + 1}. ${renderRun(run)}`)
  return [
    ...(title ? [`${level} ${title}\n`] : []),
    ...(runs.length > 1 ? [`${path}\n`] : []),
    ...list,
    '',
  ].join('\n')
}

function renderRun({ folder, modules, from, contract, continued }) {
  const how = [
    ...(continued ? [', continued'] : []),
    ...(from ? [`, from \`${short(from)}\``] : []),
    ...(contract ? [contract === none ? `: **${none}**` : ` through \`${contract}\``] : []),
  ].join('')
  return `**${folder}**${how}: ${modules.map((file) => renderModule(file, folder)).join(', ')}`
}

const short = (file) => file.replace(/^src\//, '')

function renderModule(file, folder) {
  if (isBase(file) && !short(file).startsWith(`${folder}/`)) return `*${short(file)}*`
  return `\`${short(file).replace(`${folder}/`, '')}\``
}

function renderReentries(reentries) {
  if (reentries.length === 0) return 'There are no calls against the direction of imports.\n'
  const rows = reentries.map(({ from, to, contract, name }) => {
    const shown = contract === none ? `**${none}**` : `\`${contract}\` (${short(declaredIn(contract))})`
    return `| \`${short(from)}\` | \`${short(to)}\` | \`${name}\` | ${shown} |`
  })
  return [
    '### Calls against the direction of imports\n',
    '| from | to | called as | contract |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function renderLoading({ title }, { loaded, called, rows }) {
  return [
    '## Loaded and called modules\n',
    `In the runner, "${title}" loads ${loaded} modules and calls ${called} of them. The others contain only`,
    'declarations, such as schemas and lists, or are not needed by this case.\n',
    '| folder | loaded | called |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${row.folder} | ${row.loaded} | ${row.called} |`),
    '',
  ].join('\n')
}
