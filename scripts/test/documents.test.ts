import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { type Page, readAll, readPages } from './pages.ts'
import { exported } from './public-calls.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = readPages()

/** The programs in TypeScript, without their indentation. */
function programsOf({ text }: Page): readonly string[] {
  return [...text.matchAll(/^( *)```ts\n([^]*?)^ *```$/gm)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

/** Whether a program is a file, or consecutive whole lines of it at any depth. */
function isPartOf(program: string, { text }: Page): boolean {
  return ['', '  ', '    ', '      '].some((indent) => {
    const lines = text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : `\0${line}`))
    return `\n${lines.map((line) => (line === `\0` ? '' : line)).join('\n')}`.includes(`\n${program}`)
  })
}

const withoutCode = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, '')

/** The links of a page that lead to files of the repository. */
function linksOf({ text }: Page): readonly string[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, '`')
  const links = [...prose.matchAll(/\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
  return links.map(([, inline, reference]) => (inline ?? reference)!).filter((link) => !/^[a-z][a-z+.-]*:/i.test(link))
}

/** The anchors that a code host makes of a page's headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    let number = 0
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number++
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`)
  }
  return anchors
}

it('links lead to files and headings that are there', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })))
  expect(links.length).toBeGreaterThan(50)
  const dead = links.filter(({ page, link }) => {
    const [file = '', anchor] = link.split('#')
    const path = join(ROOT, file === '' ? page.path : posix.join(dirname(page.path), decodeURI(file)))
    return !existsSync(path) || (anchor !== undefined && !anchorsOf(readFileSync(path, 'utf8')).has(anchor))
  })
  expect(dead.map(({ page, link }) => `${page.path}: ${link}`)).toEqual([])
})

it('the page about the architecture names every folder of core, of its sessions and its part for Node, and of the gate', () => {
  const { text } = pages.find(({ path }) => path === 'docs/architecture.md')!
  const entries = ['core/src', 'core/src/session', 'core/src/node', 'gate/src', 'skill-md/src'].flatMap((parent) =>
    readdirSync(join(ROOT, 'packages', parent), { withFileTypes: true }),
  )
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.length).toBeGreaterThan(25)
  expect(folders.filter((name) => !text.includes(`\`${name}/\``))).toEqual([])
})

it('the README of a package is short: what is longer is a page in docs', () => {
  const readmes = pages.filter(({ path }) => /^packages\/.*README\.md$/.test(path))
  const long = readmes.filter(
    ({ path, text }) => text.split('\n').length > (/\/(?:core|cli|conformance)\//.test(path) ? 151 : 100),
  )
  expect(readmes.length).toBeGreaterThan(10)
  expect(long.map(({ path }) => path)).toEqual([])
})

it('[ADPT-4] every program of a page is part of a file that is compiled and run, and every such file is on a page', () => {
  const examples = readAll([
    'packages/*/test/**/*-example.ts',
    'packages/conformance/test/{docs/smallest-adapter,careless/driver}.ts',
    'packages/conformance/src/oracle/reference.ts',
  ]).map(({ path, text }) => ({ path, text: text.replace("'../driver.ts'", "'@repertoire/conformance'") }))
  const programs = pages.flatMap((page) => programsOf(page).map((program) => ({ page, program })))
  expect(programs.length).toBeGreaterThan(25)
  const complete = readAll(['examples/*/*.{ts,tsx}', 'examples/*/app/**/*.{ts,tsx}'])
  const sources = [...examples, ...complete]
  const others = programs.filter(({ program }) => !sources.some((source) => isPartOf(program, source)))
  expect(others.map(({ page, program }) => `${page.path}:\n${program}`)).toEqual([])
  const left = examples.filter((example) => !programs.some(({ program }) => isPartOf(program, example)))
  expect(left.map(({ path }) => path)).toEqual([])
})

it('[ADPT-4] every public function is named on a page, as code, and every one that makes sources in the table of sources', () => {
  const code = pages.flatMap(({ text }) => text.match(/^ *```[^]*?^ *```$|`[^`\n]+`/gm) ?? []).join('\n')
  const isNamed = (name: string, where: string): boolean => new RegExp(`\\b${name}\\b`).test(where)
  expect(exported.filter((name) => !isNamed(name, code))).toEqual([])
  const [, table = ''] =
    /^\| source .*\n((?:\|.*\n)+)/m.exec(pages.find(({ path }) => path === 'docs/sources.md')!.text) ?? []
  const sources = exported.filter((name) => /Sources?$/.test(name))
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter((name) => !isNamed(name, table))).toEqual([])
})
