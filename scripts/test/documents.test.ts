import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, isPartOf, isRelative, linksOf, programsOf, readExamples, readPages, targetOf } from './documents.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = readPages()
const relative = pages.flatMap((page) =>
  linksOf(page)
    .filter(isRelative)
    .map((link) => ({ page, link, ...targetOf(page, link) })),
)

describe('links', () => {
  it('lead to files and headings that are there', () => {
    expect(relative.length).toBeGreaterThan(50)
    const dead = relative.filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true
      if (anchor === undefined) return false
      return !anchorsOf({ path, text: readFileSync(join(ROOT, path), 'utf8') }).has(anchor)
    })
    expect(dead.map(({ page, link }) => `${page.path}: ${link}`)).toEqual([])
  })
})

it('the page about the architecture names every folder of core, of its sessions, its gate and its part for Node', () => {
  const { text } = pages.find(({ path }) => path === 'docs/architecture.md')!
  const source = join(ROOT, 'packages/core/src')
  const folders = ['', 'session', 'gate', 'node'].flatMap((parent) =>
    readdirSync(join(source, parent), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    ),
  )
  expect(folders.length).toBeGreaterThan(25)
  expect(folders.filter((name) => !text.includes(`\`${name}/\``))).toEqual([])
})

it.each([
  ['packages/core/README.md', 150],
  ['packages/cli/README.md', 150],
  ['packages/ai-sdk/README.md', 99],
  ['packages/langchain/README.md', 99],
  ['packages/react-loop/README.md', 99],
  ['packages/tools/README.md', 99],
  ['packages/runners/README.md', 99],
  ['packages/library/README.md', 99],
  ['packages/storage/README.md', 99],
])('%s is a door of at most %i lines: what is longer is a page in docs', (path, most) => {
  const { text } = pages.find((page) => page.path === path)!
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

describe('programs', () => {
  const examples = readExamples()

  it('[ADPT-4] of every page are parts of files that are compiled and run', () => {
    const programs = pages.flatMap((page) => programsOf(page).map((program) => ({ page, program })))
    expect(programs.length).toBeGreaterThan(25)
    const others = programs.filter(({ program }) => !examples.some((example) => isPartOf(program, example)))
    expect(others.map(({ page, program }) => `${page.path}:\n${program}`)).toEqual([])
  })

  it('[ADPT-4] are all there: no file for them is left of a page that has lost it', () => {
    const programs = pages.flatMap(programsOf)
    const left = examples.filter((example) => !programs.some((program) => isPartOf(program, example)))
    expect(left.map(({ path }) => path)).toEqual([])
  })
})
