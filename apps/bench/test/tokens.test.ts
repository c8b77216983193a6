import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../src/parts/tokens.ts'
import type { Figures } from '../src/rows.ts'

const measured: Record<string, Figures> = {}
const folder = mkdtempSync(join(tmpdir(), 'bench-tokens-'))
beforeAll(async () => {
  for (const [name, count] of Object.entries(jobs)) measured[name] = await count(folder)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** Compares the figures in a sentence of a page with measured ones. */
function expectStated(page: string, sentence: RegExp, ...figures: readonly number[]): void {
  const text = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8')
  const stated = [...sentence.exec(text)!].slice(1).map((figure) => Number(figure.replaceAll(',', '')))
  const isRight = stated.map((figure, index) => Math.abs(figure - figures[index]!) <= 0.03 * figure)
  expect({ stated, figures, isRight }).toEqual({ stated, figures, isRight: figures.map(() => true) })
}

const figuresOf = (name: string): readonly [number, number] => [measured[name]!['ten']!, measured[name]!['further']!]

it('[NFR-7] skills and activations add the tokens that docs/listing.md states', () => {
  const table = /list of ten skills +\| about (\d+)[^]*?further skill +\| about (\d+)/
  expectStated('docs/listing.md', table, ...figuresOf('repertoire'))
  const { all, body } = measured['activation']!
  expectStated('docs/listing.md', /its instructions, and about (\d+) more/, all! - body!)
})
