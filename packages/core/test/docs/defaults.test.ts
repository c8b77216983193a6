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
  for (const file of globSync('packages/{core,tools}/src/**/*.ts', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8')
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
  for (const page of readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
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
  expect(compared.length).toBeGreaterThan(18)
  const wrong = compared.filter(([, option, value]) => !declared.get(option)!.has(value))
  expect(wrong.map((each) => [...each, [...declared.get(each[1])!]])).toEqual([])
})
