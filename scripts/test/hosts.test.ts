import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hostResults, type HostReport, hostSummary } from '../hosts/tables.ts'

const HOSTS = join(import.meta.dirname, '../../hosts')
const read = (path: string): string => readFileSync(join(HOSTS, path), 'utf8')
const drivers = globSync('drivers/*.ts', { cwd: HOSTS })

it('[CONF-7] drivers of other systems read the version from a package that is pinned', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: Record<string, string> }
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const judged = drivers.map((file) => /version: versionOf\('(.*)'\)/.exec(read(file))?.[1])
  expect(judged.length).toBeGreaterThan(5)
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(judged))
})

it('[CONF-7] the pages of other loaders have every system that has a driver, in the version that is installed', () => {
  const page = read('results.md')
  const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: Record<string, string> }
  for (const file of drivers) {
    const [, name, dependency] = /name: '(.*)',\n\s*version: versionOf\('(.*)'\)/.exec(read(file)) ?? []
    expect(page).toContain(`### ${name} ${dependencies[dependency!]}\n`)
  }
  expect(page.match(/^### .*$/gm)!.at(-1)).toMatch(/^### Repertoire /)
  const summary = readFileSync(join(HOSTS, '../docs/other-loaders.md'), 'utf8').match(/^\| \[.*$/gm)
  expect(summary).toHaveLength(drivers.length + 1)
})

it('[NFR-7, CONF-7] README.md states the tokens of every system, also of those that add fewer', () => {
  const costs = [
    ...read('results.md').matchAll(/10 skills add (\d+) tokens to every step, and each further one (\d+)/g),
  ]
  const tens = costs.map(([, ten]) => Number(ten))
  const further = costs.slice(0, -1).map(([, , each]) => Number(each))
  const [, , ours = ''] = costs.at(-1)!
  const cheaper = tens.filter((ten) => ten < tens.at(-1)!).toSorted((a, b) => a - b)
  const dearer = tens.filter((ten) => ten > tens.at(-1)!).toSorted((a, b) => a - b)
  expect(tens).toHaveLength(drivers.length + 1)
  expect(cheaper).toHaveLength(2)
  const text = readFileSync(join(HOSTS, '../README.md'), 'utf8')
  expect(text).toContain(`add ${tens.at(-1)} tokens to each request, and each further one ${ours}.`)
  expect(text).toContain(`The Claude Agent SDK (${cheaper[0]}) and Genkit (${cheaper[1]}) add less for ten`)
  expect(text).toContain(`add ${dearer[0]} to ${dearer.at(-1)}.`)
  expect(text).toContain(`Each further skill costs ${Math.min(...further)} to ${Math.max(...further)} there.`)
})

it('[CONF-7] the page of other loaders says of every cell that fails what the documentation of the system says', () => {
  const failed = read('results.md').match(/^- ✗ .*$/gm) ?? []
  expect(failed.length).toBeGreaterThan(20)
  expect(failed.filter((line) => !/ (?:Its documentation: .+|Not documented\.)$/.test(line))).toEqual([])
})

it('[CONF-7] tables of other loaders show what failed and what is told, and no word that was made for one run', () => {
  const report: HostReport = {
    hosts: [{ name: 'one', version: '1.0.0', documentation: 'https://example.com' }],
    results: [
      {
        adapter: 'one',
        id: 'listing-bom',
        level: 'MUST',
        title: '[CONF-7] lists a file',
        status: 'fail',
        reason: 'saw `zqabcdefghijkl`',
        documented: '"No."',
      },
      {
        adapter: 'one',
        id: 'listing-stable',
        level: 'MUST',
        title: '[CONF-7] lists again',
        status: 'fail',
        reason: 'saw it',
      },
      { adapter: 'one', id: 'listing-crlf', level: 'MUST', title: '[CONF-7] lists lines', status: 'pass' },
      {
        adapter: 'one',
        id: 'told-cost',
        level: 'INFO',
        title: '[CONF-7] what it costs',
        status: 'told',
        reason: 'A | B.',
      },
    ],
  }
  expect(hostSummary([report], '2026-01-02')).toContain('| [one](https://example.com) | 1.0.0 | 1 of 3 | 0 of 0 | 0 |')
  const tables = hostResults([report])
  expect(tables).toContain('| `listing-bom` | MUST | ✗ |')
  expect(tables).not.toContain('| `listing-crlf` |')
  expect(tables).toContain('- ✗ `listing-bom` (lists a file): `` saw `WORD` `` Its documentation: "No."')
  expect(tables).toContain('- ✗ `listing-stable` (lists again): `saw it` Not documented.')
  expect(tables).toContain('| what it costs | A \\| B. |')
})
