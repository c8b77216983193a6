import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { FIGURES } from './figures.ts'
import { figureIn } from './pages.ts'

/** A command, as far as its help goes. */
type Run = (
  args: readonly string[],
  surroundings: { readonly stdout: object; readonly stderr: object; readonly env: object; readonly cwd: () => string },
) => Promise<number>

const ROOT = join(import.meta.dirname, '../..')
/** Imports a command, which is compiled with its package's settings. */
const load = async (file: string): Promise<Run> =>
  ((await import(pathToFileURL(join(ROOT, file)).href)) as { readonly run: Run }).run

/** Returns what a command prints for `--help`. */
async function helpOf(run: Run, args: readonly string[]): Promise<string> {
  let text = ''
  const write = (part: string, done: () => void): void => {
    text += part
    done()
  }
  const stdout = { on: () => {}, write }
  expect(await run([...args, '--help'], { stdout, stderr: stdout, env: {}, cwd: () => ROOT })).toBe(0)
  return text
}

/** Returns a help without its examples. */
function asOneLine(text: string): string {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('$ '))
  return lines.join(' ').replaceAll(/ +/g, ' ')
}

const command = await load('packages/cli/src/program.ts')
const helps = new Map<string, string>()
const overview = await helpOf(command, [])
helps.set('repertoire --help', overview)
for (const [, name = ''] of overview.matchAll(/^ {2}([a-z]+) {2,}/gm))
  if (name !== 'help') helps.set(`repertoire ${name} --help`, asOneLine(await helpOf(command, [name])))

/** Returns a help, or a file with each comment on one line. */
function textOf(place: string): string {
  const path = /^(?!apps).*\/src\//.test(place) ? `packages/${place}` : place
  return helps.get(place) ?? readFileSync(join(ROOT, path), 'utf8').replaceAll(/\n\s*\* /g, ' ')
}

/** Reads a constant, which is a product of numbers. */
function constantIn(file: string, name: string): number {
  const [, product = ''] = new RegExp(String.raw`\b${name}(?: =|:) ([\d_. *]+)`).exec(textOf(file)) ?? []
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}

test.each(Object.entries(FIGURES))('[NFR-4] every figure in %s is what the code has', (place, figures) => {
  const text = textOf(place)
  for (const [told, constant, file = place] of figures) {
    const [, written = ''] = told.exec(text) ?? []
    expect([told, figureIn(written)]).toEqual([told, expect.closeTo(constantIn(file, constant), 6)])
  }
})

/** Returns the figures in a text that the table does not have. */
function untold(place: string, pattern: RegExp): readonly string[] {
  const text = textOf(place)
  const known = (FIGURES[place] ?? []).map(([told]) => told.exec(text)?.[0])
  const found = [...text.matchAll(pattern)].map(([written]) => written)
  return found.flatMap((each) => (known.some((one) => one?.includes(each)) ? [] : [`${place}: ${each}`]))
}

test('[NFR-4] every figure with a unit and every default in a help text is compared with the code', () => {
  const figure =
    /(?<![\w.:/-])\d[\d,.]* ?(?:%|ms|s|seconds?|minutes?|hours?|[kKMG]i?B|tokens|characters|calls|scripts|folders|levels|files)(?!\w)|default: [^()]*?\d[\d,.]*%?/g
  // Defaults that the help takes from the code.
  const others = /: default: [\d,]+,[\d,]+$/
  expect(helps.size).toBeGreaterThan(15)
  expect([...helps.keys()].flatMap((place) => untold(place, figure)).filter((each) => !others.test(each))).toEqual([])
})

test('[NFR-4] every default that a page names in a sentence is compared with the code', () => {
  const pages = globSync(['*.md', 'docs/*.md', '{packages,apps}/*/README.md'], { cwd: ROOT })
  const unknown = pages.flatMap((page) => untold(page, /[Dd]efault:?(?: of| is)? \d[\d,.]*(?: \w+| %)?/g))
  expect(pages.length).toBeGreaterThan(20)
  expect(unknown).toEqual([])
})
