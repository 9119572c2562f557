import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isReadingTool, quotableSentence, remembers } from './first-cases.ts'
import { folderWith } from './folder.fixture.ts'
import { withIgnoredFolder } from './ignore-file.ts'
import { renderCases } from './render-cases.ts'
import { renderConfig } from './render-config.ts'
import { renderWorkflow } from './workflow.ts'

describe('the files of viva init', () => {
  it('a config is JavaScript, whatever its texts contain', () => {
    const config = { agent: 'it\'s\n"x" \\ \u2028 `${y}`', agents: { 'a b': 'c' }, inputs: ['tests'] }
    const text = renderConfig(config, 'an agent,\nexport default evil()', false)
    expect(new Function(`return ${text.slice(text.indexOf('\nexport default ') + 16)}`)()).toEqual(config)
    expect(renderConfig({ inputs: ['tests'] }, 'an agent', true)).toBe(
      "import { defineConfig } from 'vivavoce'\n\n// viva init found an agent.\nexport default defineConfig({\n  inputs: ['tests'],\n})\n",
    )
  })

  it('cases are YAML, each with a comment', () => {
    const text = renderCases([remembers()])
    expect(parse(text)).toEqual([remembers().case])
    expect(text).toContain(`# ${remembers().comment}\n- id: remembers\n`)
  })

  it.each([
    ['', '.viva/\n'],
    ['dist', 'dist\n.viva/\n'],
    ['dist\r\n', 'dist\r\n.viva/\r\n'],
    ['# .viva/ is not ignored\n', '# .viva/ is not ignored\n.viva/\n'],
    ['/.viva\n', undefined],
    ['dist\n**/.viva/\n', undefined],
  ])('the .gitignore %j becomes %j', (text, expected) => {
    expect(withIgnoredFolder(text)).toBe(expected)
  })

  it('a workflow installs what the folder needs, and takes keys from the secrets', () => {
    const node = folderWith({
      'package.json': JSON.stringify({ devDependencies: { vivavoce: '1' } }),
      'package-lock.json': '{}',
    })
    const steps = (text: string) => (parse(text) as { jobs: { viva: { steps: object[] } } }).jobs.viva.steps
    expect(steps(renderWorkflow(node, ['A_KEY']))).toMatchObject([
      { uses: 'actions/checkout@v4' },
      { uses: 'actions/setup-node@v4' },
      { run: 'npm ci' },
      { run: 'npx viva test -o viva-report.html -o viva-junit.xml', env: { A_KEY: '${{ secrets.A_KEY }}' } },
      { uses: 'actions/upload-artifact@v4', if: '${{ !cancelled() }}' },
    ])
    const python = folderWith({ 'main.py': '', 'requirements.txt': '' })
    expect(steps(renderWorkflow(python, []))).toMatchObject([
      {},
      {},
      { uses: 'actions/setup-python@v5' },
      { run: 'pip install -r requirements.txt' },
      { run: expect.stringMatching(/^npx --yes --package vivavoce viva test /) },
      {},
    ])
  })

  it('tools that only read are told by their names', () => {
    const reading = ['get', 'get_order', 'listFiles', 'search-docs', 'orders__look_up', 'shop.findAll']
    const others = ['delete_order', 'getaway', 'send', 'add', 'reset_list', 'checkout']
    others.push('get_or_create_account', 'getOrCreateAccount', 'check_out_cart', 'checkOut')
    others.push('find_and_replace', 'read_and_delete', 'search-replace', 'shop.getANDDelete')
    expect([...reading, ...others].filter(isReadingTool)).toEqual(reading)
  })

  it('a sentence of a prompt can be quoted if it has no placeholders', () => {
    expect(
      quotableSentence('Hi. Today is $SYS.DATE, a very fine day.\nYou sell tea and coffee to tourists.'),
    ).toBe('You sell tea and coffee to tourists.')
    expect(quotableSentence('Be kind.')).toBeUndefined()
  })
})
