import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeSkill, makeTree, RATES } from '../src/generator.ts'
import { jobsOf, shareRight } from '../src/loaders.ts'

const SKILLS = Array.from({ length: 20_000 }, (_, index) => makeSkill(index))
const FRONTS = SKILLS.filter(({ kind }) => kind !== 'none').map(({ text }) => text.split(/^---\r?$/m)[1]!)

/** How often each shape is expected, and what shows it. */
const SHAPES: readonly (readonly [shape: string, rate: number, pattern: RegExp])[] = [
  ['plain description', RATES.description.plain + RATES.description.plainLines, /^description: (?!Use it: )[A-Z]/m],
  ['double quotes', RATES.description.double, /^description: ".*"\r?$/m],
  ['single quotes', RATES.description.single + RATES.description.singleLines, /^description: '/m],
  ['block scalar', RATES.description.block, /^description: [>|]-?\r?$/m],
  ['on the next line', RATES.description.next, /^description:\r?$/m],
  ['non-ASCII', RATES.nonAscii, /[\u{80}-\u{1FFFF}]/u],
  ['allowed-tools', 1 - RATES.allowedTools.none, /^allowed-tools:/m],
  ['metadata', 1 - RATES.metadata.none, /^metadata:/m],
  ['inline JSON', RATES.metadata.json, /^metadata: \{/m],
  ['name of another folder', RATES.nameOffFolder, /^name: my-/m],
  ['license', RATES.license, /^license:/m],
  ['CRLF', RATES.crlf, /\r\n/],
]

describe('generated skills', () => {
  it.each(SHAPES)('[NFR-1] have the shape "%s" at its real rate', (_, rate, pattern) => {
    const share = FRONTS.filter((front) => pattern.test(front)).length / FRONTS.length
    // Three standard errors.
    expect(Math.abs(share - rate)).toBeLessThan(3 * Math.sqrt((rate * (1 - rate)) / FRONTS.length) + 0.0003)
  })

  it('[NFR-1] cannot be read at the real rate, and begin with a mark now and then', () => {
    const shareOf = (kind: string): number => SKILLS.filter((skill) => skill.kind === kind).length / SKILLS.length
    for (const kind of ['colon', 'broken', 'none'] as const)
      expect(Math.abs(shareOf(kind) - RATES.file[kind])).toBeLessThan(0.003)
    expect(SKILLS.filter(({ text }) => text.startsWith('\uFEFF')).length).toBeGreaterThan(0)
  })

  it('[NFR-1] have frontmatters of real length', () => {
    const lengths = FRONTS.map((front) => Buffer.byteLength(front)).toSorted((a, b) => a - b)
    const at = (share: number): number => lengths[Math.floor(share * lengths.length)]!
    expect(at(0.5)).toBeGreaterThan(250)
    expect(at(0.5)).toBeLessThan(420)
    expect(at(0.99)).toBeGreaterThan(700)
    expect(lengths.at(-1)).toBeLessThan(4_096)
  })
})

it('[NFR-1] every loader that ours is compared with reads them, and a loader without skills is not right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-loaders-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  makeTree(folder, 150)
  const jobs = jobsOf(async (load, root) => {
    const { scan, read } = await load(root)
    expect(await shareRight(root, [])).toBe(0)
    return { right: await shareRight(root, read((await scan()) as never)) }
  }, 150)
  for (const [name, measure] of Object.entries(jobs)) {
    const { right } = await measure(folder)
    expect([name, right! >= (name === 'repertoire' ? 1 : 0.98)]).toEqual([name, true])
  }
})
