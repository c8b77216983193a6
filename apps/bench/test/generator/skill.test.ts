import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlias, isScalar, parseDocument } from 'yaml'
import { RATES } from '../../src/generator/rates.ts'
import { createGenerator, type GeneratedSkill, writeTree } from '../../src/generator/skill.ts'
import { temporary } from '../temporary.ts'

/** As many as the rates need to be told from others; where people wait for the tests a third, within wider bounds. */
const COUNT = process.env['CI'] === undefined ? 4_000 : 12_000

interface Read {
  readonly skill: GeneratedSkill
  readonly front: string
  readonly document: ReturnType<typeof parseDocument>
}

let skills: readonly GeneratedSkill[] = []
/** Those with a frontmatter. */
let read: readonly Read[] = []
let sound: readonly Read[] = []

beforeAll(() => {
  const generate = createGenerator(7)
  skills = Array.from({ length: COUNT }, (_, index) => generate(index))
  read = skills.flatMap((skill) => {
    const front = frontmatterOf(skill)
    return front === undefined ? [] : [{ skill, front, document: parseDocument(front) }]
  })
  sound = read.filter(({ skill }) => skill.kind === 'sound')
})
// They are a hundred megabytes, and a worker runs many files.
afterAll(() => void ([skills, read, sound] = [[], [], []]))

describe('the generated skills', () => {
  it('[NFR-1] are the same for a seed, however many are made and in whatever order', () => {
    const again = createGenerator(7)
    expect(again(3_210)).toEqual(skills[3_210])
    expect(again(0)).toEqual(skills[0])
    expect(createGenerator(8)(0)).not.toEqual(skills[0])
  })

  it('[NFR-1] have a folder each, with a name that a file system takes', () => {
    expect(new Set(skills.map(({ folder }) => folder)).size).toBe(COUNT)
    expect(skills.filter(({ folder }) => !/^[a-z][a-z0-9-]{2,63}$/.test(folder))).toEqual([])
  })

  it('[NFR-1] write their descriptions in the styles of real ones, as often', () => {
    const styles = { PLAIN: 0, QUOTE_DOUBLE: 0, QUOTE_SINGLE: 0, BLOCK_FOLDED: 0, BLOCK_LITERAL: 0 }
    let lines = 0
    for (const { front, document } of sound) {
      const node = document.get('description', true)
      if (!isScalar(node) || isAlias(node)) throw new Error(`No scalar:\n${front}`)
      styles[node.type as keyof typeof styles]++
      const [start = 0, end = 0] = node.range ?? []
      if (node.type === 'PLAIN' && front.slice(start, end).includes('\n')) lines++
    }
    const { plain, plainLines, next, double, single, singleLines, block } = RATES.description
    expectRate(styles.PLAIN, sound.length, plain + plainLines + next)
    expectRate(styles.QUOTE_DOUBLE, sound.length, double)
    expectRate(styles.QUOTE_SINGLE, sound.length, single + singleLines)
    expectRate(styles.BLOCK_FOLDED + styles.BLOCK_LITERAL, sound.length, block)
    expect(lines).toBeGreaterThan(sound.length * plainLines * 0.8)
  })

  it('[NFR-1] hold what real ones hold, as often', () => {
    const share = (pattern: RegExp): number => sound.filter(({ front }) => pattern.test(front)).length
    expectRate(share(/[^\0-\u007F]/), sound.length, RATES.nonAscii)
    expectRate(share(/^metadata: \{/m), sound.length, RATES.metadata.json)
    expectRate(share(/^metadata:$/m), sound.length, RATES.metadata.block + RATES.metadata.nested)
    expectRate(share(/^license: /m), sound.length, RATES.license)
    expectRate(share(/^allowed-tools:/m), sound.length, 1 - RATES.allowedTools.none)
    expectRate(share(/^#/m), sound.length, RATES.comment)
    expectRate(share(/^(?:version|author|tags|category|triggers|dependencies|homepage|updated|requires|origin):/m), sound.length, RATES.unknownKeys) // prettier-ignore
    expectRate(skills.filter(({ text }) => text.includes('\r\n')).length, COUNT, RATES.crlf)
    expectRate(skills.filter(({ text }) => text.startsWith('\uFEFF')).length, COUNT, RATES.bom)
  })

  it('[NFR-1] are valid YAML but for the share that real ones are not', () => {
    const namesOf = (those: readonly Read[]): readonly string[] => those.map(({ skill }) => skill.folder)
    const unread = read.filter(({ document }) => document.errors.length > 0)
    expect(namesOf(unread)).toEqual(namesOf(read.filter(({ skill }) => skill.kind !== 'sound')))
    const ofKind = (kind: GeneratedSkill['kind']): number => skills.filter((skill) => skill.kind === kind).length
    for (const kind of ['sound', 'colon', 'broken', 'none'] as const) expectRate(ofKind(kind), COUNT, RATES.file[kind])
    expect(read).toHaveLength(COUNT - ofKind('none'))
  })

  it('[NFR-1] are as large as real ones, and their frontmatter fits into the first 4 KB', () => {
    const sizes = read.map(({ front }) => Buffer.byteLength(front)).toSorted(ascending)
    expect(quantile(sizes, 0.5)).toBeGreaterThan(290)
    expect(quantile(sizes, 0.5)).toBeLessThan(400)
    expect(quantile(sizes, 0.99)).toBeGreaterThan(850)
    expect(quantile(sizes, 0.99)).toBeLessThan(1_250)
    expect(quantile(sizes, 1)).toBeLessThan(4_000)
    const bodies = skills.map(({ text }) => Buffer.byteLength(text)).toSorted(ascending)
    expect(quantile(bodies, 0)).toBeGreaterThan(2_000)
    expect(quantile(bodies, 0.5)).toBeGreaterThan(5_000)
    expect(quantile(bodies, 1)).toBeLessThan(16_000)
  })

  it('[NFR-1] are written to disk, each in its own folder', () => {
    const root = temporary()
    writeTree(root, 40, 7)
    const written = readdirSync(root).map((folder) => [folder, readFileSync(join(root, folder, 'SKILL.md'), 'utf8')])
    expect(Object.fromEntries(written)).toEqual(
      Object.fromEntries(skills.slice(0, 40).map(({ folder, text }) => [folder, text])),
    )
  })
})

/** Four standard deviations: the seed is fixed, so that this holds in every run or in none. */
function expectRate(count: number, of: number, rate: number): void {
  const deviation = Math.sqrt(of * rate * (1 - rate))
  expect(Math.abs(count - of * rate)).toBeLessThan(4 * deviation + 1)
}

function frontmatterOf({ text }: GeneratedSkill): string | undefined {
  const unix = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return /^---\n([\s\S]*?\n)---\n/.exec(unix)?.[1]
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ascending(a: number, b: number): number {
  return a - b
}
