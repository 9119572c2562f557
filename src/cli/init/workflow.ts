import type { Folder } from './folder.ts'

/** The text of `.github/workflows/viva.yml`. Keys are named, and come from the secrets of the repository. */
export function renderWorkflow(folder: Folder, variables: readonly string[]): string {
  const steps = [...listInstallSteps(folder), testStep(folder, variables), reportStep]
  return `name: viva
on:
  push:
    branches: [main, master]
  pull_request:
permissions:
  contents: read
jobs:
  viva:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
${steps.map((step) => step.replace(/^(?=.)/gm, '      ')).join('')}`
}

/** What the agent needs, as far as the files of the folder say. */
function listInstallSteps({ has, files, manifest }: Folder): string[] {
  const steps: string[] = []
  if (files.some((name) => name.endsWith('.py'))) {
    steps.push('- uses: actions/setup-python@v5\n  with:\n    python-version: "3.x"\n')
    if (has('requirements.txt')) steps.push('- run: pip install -r requirements.txt\n')
    else if (has('pyproject.toml')) steps.push('- run: pip install .\n')
  }
  if (manifest === undefined) return steps
  if (has('pnpm-lock.yaml')) steps.push('- run: corepack enable && pnpm install --frozen-lockfile\n')
  else if (has('yarn.lock')) steps.push('- run: corepack enable && yarn install --immutable\n')
  else steps.push(`- run: ${has('package-lock.json') ? 'npm ci' : 'npm install'}\n`)
  return steps
}

/** The report and the file for CI are made from the same run. */
function testStep({ manifest }: Folder, variables: readonly string[]): string {
  const isDependency = manifest?.dependencies.has('vivavoce') === true
  const command = isDependency ? 'npx viva' : 'npx --yes --package vivavoce viva'
  const env = variables.map((name) => `    ${name}: \${{ secrets.${name} }}\n`).join('')
  return `- run: ${command} test -o viva-report.html -o viva-junit.xml\n${env === '' ? '' : `  env:\n${env}`}`
}

const reportStep = `- uses: actions/upload-artifact@v4
  if: \${{ !cancelled() }}
  with:
    name: viva-report
    path: |
      viva-report.html
      viva-junit.xml
`
