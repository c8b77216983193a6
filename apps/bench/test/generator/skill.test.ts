import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlias, isScalar, parse, parseDocument } from 'yaml'
import { RATES } from '../../src/generator/rates.ts'
import { createGenerator, type GeneratedSkill } from '../../src/generator/skill.ts'

/** As many as the rates need to be told from others; where people wait for the tests a third, within wider bounds. */
const COUNT = process.env['CI'] === undefined ? 4_000 : 12_000

interface Sound {
  readonly skill: GeneratedSkill
  readonly front: string
  readonly document: ReturnType<typeof parseDocument>
}

let skills: readonly GeneratedSkill[] = []
let fronts: readonly (string | undefined)[] = []
let sound: readonly Sound[] = []

beforeAll(() => {
  const generate = createGenerator(7)
  skills = Array.from({ length: COUNT }, (_, index) => generate(index))
  fronts = skills.map(frontmatterOf)
  sound = skills.flatMap((skill, index) => {
    const front = fronts[index]
    return skill.kind === 'sound' && front !== undefined ? [{ skill, front, document: parseDocument(front) }] : []
  })
})
// They are a hundred megabytes, and a worker runs many files.
afterAll(() => {
  skills = []
  fronts = []
  sound = []
})

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
    expectRate(skills.filter(({ files }) => files.length > 1).length, COUNT, RATES.resources)
    expectRate(skills.filter((skill) => manifestOf(skill).includes('\r\n')).length, COUNT, RATES.crlf)
    expectRate(skills.filter((skill) => manifestOf(skill).startsWith('\uFEFF')).length, COUNT, RATES.bom)
  })

  it('[NFR-1] are valid YAML but for the share that real ones are not', () => {
    expect(sound.filter(({ document }) => document.errors.length > 0).map(({ front }) => front)).toEqual([])
    const unread = skills.filter((_, index) => fronts[index] === undefined || fails(fronts[index] ?? ''))
    expectRate(unread.length, COUNT, RATES.file.colon + RATES.file.broken + RATES.file.none)
    expect(unread.filter(({ kind }) => kind === 'sound')).toEqual([])
    expectRate(unread.filter(({ kind }) => kind === 'colon').length, COUNT, RATES.file.colon)
  })

  it('[NFR-1] are as large as real ones, and their frontmatter fits into the first 4 KB', () => {
    const sizes = fronts.flatMap((front) => (front === undefined ? [] : [Buffer.byteLength(front)])).toSorted(ascending)
    expect(quantile(sizes, 0.5)).toBeGreaterThan(290)
    expect(quantile(sizes, 0.5)).toBeLessThan(400)
    expect(quantile(sizes, 0.99)).toBeGreaterThan(850)
    expect(quantile(sizes, 0.99)).toBeLessThan(1_250)
    expect(quantile(sizes, 1)).toBeLessThan(4_000)
    const bodies = skills.map((skill) => Buffer.byteLength(manifestOf(skill))).toSorted(ascending)
    expect(quantile(bodies, 0)).toBeGreaterThan(2_000)
    expect(quantile(bodies, 0.5)).toBeGreaterThan(5_000)
    expect(quantile(bodies, 1)).toBeLessThan(16_000)
  })

  it('[NFR-1] mention no file that is not there', () => {
    for (const skill of skills.slice(0, 2_000)) {
      const paths = new Set(skill.files.map(({ path }) => path))
      for (const [, path = ''] of manifestOf(skill).matchAll(/`((?:scripts|references|assets)\/[^`]+)`/g)) {
        expect(paths).toContain(path)
      }
    }
  })
})

/** Four standard deviations: the seed is fixed, so that this holds in every run or in none. */
function expectRate(count: number, of: number, rate: number): void {
  const deviation = Math.sqrt(of * rate * (1 - rate))
  expect(Math.abs(count - of * rate)).toBeLessThan(4 * deviation + 1)
}

function manifestOf({ files }: GeneratedSkill): string {
  return files[0]?.text ?? ''
}

function frontmatterOf(skill: GeneratedSkill): string | undefined {
  const text = manifestOf(skill)
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  return /^---\n([\s\S]*?\n)---\n/.exec(text)?.[1]
}

function fails(front: string): boolean {
  try {
    parse(front)
    return false
  } catch {
    return true
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ascending(a: number, b: number): number {
  return a - b
}
