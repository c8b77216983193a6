import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { FIGURES } from './figures.ts'

const ROOT = join(import.meta.dirname, '../..')
const COMMANDS =
  'list search show explain prompt validate run serve add install update remove verify recover new pack conformance models'.split(
    ' ',
  )
const UNITS: Readonly<Record<string, number>> = {
  minutes: 60_000,
  s: 1_000,
  KB: 1024,
  MiB: 1024 * 1024,
  '%': 0.01,
}

/** A figure as people write it: `5 minutes`, `20,000`, `10 MiB`, `2%`. */
function figureIn(text: string): number {
  const [, number = '', unit = ''] = /^([\d,.]+?)\.?(?: ?([A-Za-z%]+))?$/.exec(text) ?? []
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1)
}

/** The value of a constant, a product of numbers. */
function constantIn(text: string, name: string): number {
  const [, product = ''] = new RegExp(String.raw`\b${name}(?: =|:) ([\d_. *]+)`).exec(text) ?? []
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}

/** A file with each comment on one line. */
const flat = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replaceAll(/\n\s*\* /g, ' ')

/** A command, as far as its help goes. */
type Run = (
  args: readonly string[],
  surroundings: { readonly stdout: object; readonly stderr: object; readonly env: object; readonly cwd: () => string },
) => Promise<number>

/** Imports sources that are compiled by the settings of their own package. */
const importFrom = async (file: string): Promise<unknown> => import(pathToFileURL(join(ROOT, file)).href)

/** Defaults that a help text takes from the code. */
let computed: Readonly<Record<string, unknown>>

/** The help that each command prints, on lines without an end, and without its examples. */
const helps = new Map<string, string>()

beforeAll(async () => {
  const help = async (run: Run, args: readonly string[]): Promise<string> => {
    let text = ''
    const stdout = {
      on: () => {},
      write(part: string, done: () => void) {
        text += part
        done()
      },
    }
    expect(await run(args, { stdout, stderr: stdout, env: {}, cwd: () => ROOT })).toBe(0)
    const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('$ '))
    return lines.join(' ').replaceAll(/ +/g, ' ')
  }
  const { run: runCommand } = (await importFrom('packages/cli/src/program.ts')) as { run: Run }
  const { run: runBench } = (await importFrom('apps/bench/src/program.ts')) as { run: Run }
  const { DEFAULTS } = (await importFrom('apps/bench/src/options.ts')) as { DEFAULTS: typeof computed }
  computed = DEFAULTS
  helps.set('repertoire --help', await help(runCommand, ['--help']))
  for (const name of COMMANDS) helps.set(`repertoire ${name} --help`, await help(runCommand, [name, '--help']))
  helps.set('npm run bench -- --help', await help(runBench, ['--help']))
})

const textOf = (place: string): string => helps.get(place) ?? flat(place)

test.each(FIGURES.map((figure) => ({ what: figure[0], value: figure[1], figure })))(
  '[NFR-4] the $what is what users are told: $value',
  ({ value, figure }) => {
    const [, , [file, name], ...told] = figure
    expect(constantIn(flat(file), name)).toBeCloseTo(value, 6)
    const wrong = told.filter(([place, pattern]) => {
      const [, written = ''] = pattern.exec(textOf(place)) ?? []
      return !(Math.abs(figureIn(written) - value) <= 1e-9)
    })
    expect(wrong).toEqual([])
  },
)

/** The figures in a text that no entry of the table speaks of. */
function untold(place: string, pattern: RegExp): readonly string[] {
  const text = textOf(place)
  const known = FIGURES.flatMap(([, , , ...told]) => told.filter(([where]) => where === place)).map(
    ([, each]) => each.exec(text)![0],
  )
  return [...text.matchAll(pattern)]
    .map(([written]) => written)
    .filter((each) => !known.some((one) => one.includes(each)))
}

test('[NFR-4] every command is known whose help has figures', () => {
  const listed = [...helps.get('repertoire --help')!.matchAll(/(?<= )([a-z]+) (?:\[options\]|<)/g)].map(
    ([, name]) => name,
  )
  expect(new Set(listed)).toEqual(new Set([...COMMANDS, 'repertoire']))
})

test('[NFR-4] every figure with a unit and every default in a help text is read from the code', () => {
  const figure =
    /(?<![\w.:/-])\d[\d,.]* ?(?:%|ms|s|seconds?|minutes?|hours?|[kKMG]i?B|tokens|characters|calls|scripts|folders|levels|files)(?!\w)|default: [^()]*?\d[\d,.]*%?/g
  // An example of a value to give, and a default that the help takes from the code.
  const others = ['such as 2%', `default: ${String(computed['sizes'])}`]
  const unknown = [...helps.keys()].flatMap((place) =>
    untold(place, figure)
      .filter((each) => !others.some((other) => other.endsWith(each)))
      .map((each) => [place, each]),
  )
  expect(unknown).toEqual([])
})

test('[NFR-4] every default that a page names in a sentence is read from the code', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
    'apps/bench/README.md',
  ]
  const unknown = pages.flatMap((page) =>
    untold(page, /[Dd]efault:?(?: of| is)? \d[\d,.]*(?: \w+| %)?/g).map((each) => [page, each]),
  )
  expect(unknown).toEqual([])
})
