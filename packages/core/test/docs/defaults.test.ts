import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')

/** A figure, in milliseconds where it is a time; `true`, `false`, or a word in backticks. Nothing where it is prose. */
function defaultIn(text: string): string | undefined {
  const [, number, unit = '', truth, word] =
    /^(?:(\d[\d,_.]*)(?: (ms|s|minutes)\b)?|(true|false)\b|`(\w+)`)/.exec(text.trim()) ?? []
  if (number === undefined) return truth ?? word
  const scale = { '': 1, ms: 1, s: 1000, minutes: 60_000 }[unit]!
  return String(Number(number.replaceAll(/[,_]|\.$/g, '')) * scale)
}

/** Every default that the documentation of an option names where a user meets it: above its declaration. */
function declaredDefaults(): ReadonlyMap<string, ReadonlySet<string>> {
  const defaults = new Map<string, Set<string>>()
  const packages = join(ROOT, 'packages')
  const sources = readdirSync(packages).flatMap((name) => {
    const source = join(packages, name, 'src')
    return readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) => join(source, file))
  })
  for (const file of sources) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(file, 'utf8')
    for (const [, comment = '', name = ''] of text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*readonly (\w+)\?:/g)) {
      const sentence = comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').split(/\bDefault:? /)[1]
      const value = sentence === undefined ? undefined : defaultIn(sentence)
      if (value !== undefined) defaults.set(name, (defaults.get(name) ?? new Set()).add(value))
    }
  }
  return defaults
}

/** The rows of tables with a column for the default: the option's name, and what stands there. */
function* tabledDefaults(): Generator<readonly [page: string, option: string, value: string]> {
  const pages = [
    ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
    ...globSync('packages/*/README.md', { cwd: ROOT }),
  ]
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    for (const [, head = '', body = ''] of text.matchAll(/^\|(.*)\|\n\|[-:| ]+\|\n((?:\|.*\|\n?)+)/gm)) {
      const column = head.split('|').findIndex((cell) => cell.trim() === 'default')
      if (column === -1) continue
      for (const row of body.trim().split('\n')) {
        const cells = row.slice(1, -1).split('|')
        const [, option] = /^\s*`(?:\w+\.)?(\w+)`\s*$/.exec(cells[0]!) ?? []
        const value = defaultIn(cells[column]!)
        if (option !== undefined && value !== undefined) yield [page, option, value]
      }
    }
  }
}

it('[NFR-4] names in the tables of every page the defaults that the options are documented with', () => {
  const declared = declaredDefaults()
  const compared = [...tabledDefaults()].filter(([, option]) => declared.has(option))
  expect(compared.length).toBeGreaterThan(20)
  const wrong = compared.filter(([, option, value]) => !declared.get(option)!.has(value))
  expect(wrong.map((each) => [...each, [...declared.get(each[1])!]])).toEqual([])
})
