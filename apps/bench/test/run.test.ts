import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Results } from '../src/bench.ts'
import { times } from '../src/format.ts'
import { bench, type Ended } from './bench.ts'

let folder: string
let scratch: string
let ended: Ended
let results: Results

// One real run for all tests, in processes of its own, on skills that it generates.
async function runOnce(): Promise<void> {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-test-')))
  scratch = join(folder, 'tmp')
  const json = join(folder, 'deep/results.json')
  // prettier-ignore
  const args = [
    '--source', '--quick', '--check', '--sizes', '1000,1100', '--rounds', '1',
    '--contestants', 'repertoire,skillsRef', '--only', 'discovery,prompt,use', '--json', json,
  ]
  ended = await bench(args, scratch)
  results = JSON.parse(readFileSync(json, 'utf8')) as Results
}

describe.skipIf(process.env['CI'] === undefined)('npm run bench', () => {
  beforeAll(runOnce, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('[NFR-1] measures, prints tables and aims, writes JSON, and leaves nothing behind (only with CI set)', () => {
    const { code, stdout, stderr } = ended
    expect(stderr).toBe('')
    expect(readdirSync(scratch)).toEqual([])
    expect(code).toBe(results.aims.every(({ met }) => met === true) ? 0 : 1)
    expect(results).toMatchObject({ measured: 'source', machine: { node: process.version } })
    const everything = [
      ...results.discoveries.flatMap(({ rows }) => rows),
      ...results.prompt!.rows,
      ...results.comparisons,
    ]
    expect(everything.filter(({ absent }) => absent !== undefined)).toEqual([])
    for (const { title } of [...everything, ...results.aims]) expect(stdout).toContain(title)
    expect(stdout).toMatch(/\n {2}repertoire +[\d.,]+ ms /)
    expect(stdout).not.toContain('\u001B')
  })

  it('[NFR-1] compares scans with the floor, and peers on the smallest tree (only with CI set)', () => {
    expect(results.discoveries.map(({ skills, rows }) => [skills, rows.map(({ id }) => id)])).toEqual([
      [1_000, ['floor', 'repertoire', 'skillsRef']],
      [1_100, ['floor', 'repertoire']],
    ])
    for (const { rows } of results.discoveries) {
      for (const { role, heapPerSkill, correctness } of rows) {
        if (role === 'floor') continue
        expect(heapPerSkill).toBeGreaterThan(0)
        // A peer may miss one in a hundred.
        expect(correctness!.right).toBeGreaterThanOrEqual(correctness!.readable * (role === 'own' ? 1 : 0.99))
      }
    }
    const [floor, ours] = results.discoveries[0]!.rows
    const line = ended.stdout.split('\n').find((each) => each.startsWith('  repertoire '))
    expect(line).toContain(times(ours!.first!.median / floor!.first!.median))
    expect(line).toContain(times(ours!.repeated!.median / floor!.repeated!.median))
  })

  it('[NFR-5] times the first prompt of each loader that reads correctly (only with CI set)', () => {
    expect(results.prompt?.rows.map(({ id }) => id)).toEqual(['repertoire', 'skillsRef'])
    for (const { taken, correctness } of results.prompt!.rows) {
      expect(correctness!.readable).toBeGreaterThan(900)
      expect(taken?.samples).toEqual([taken?.median])
      expect(correctness!.right).toBeGreaterThanOrEqual(correctness!.readable * 0.99)
    }
  })

  it('[NFR-2] times activations, judged calls and first steps (only with CI set)', () => {
    expect(results.comparisons.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['activation of a skill of 13 files', 'a judged call of a shell']),
    )
    for (const { own } of results.comparisons) expect(own!.median).toBeGreaterThan(0)
  })

  it('[NFR-1] permits a first scan of 1,000 skills the time that the requirement states (only with CI set)', () => {
    expect(limitOf('first scan of 1,000')).toBe(stated('NFR-1', /under ([\d.]+) ms for 1,000 skills/))
  })

  it('[NFR-3] permits a skill the memory that the requirement states, which meets the one for 1,000 skills (only with CI set)', () => {
    const limit = limitOf('heap kept per skill, of 1,000')
    expect(limit).toBe(stated('NFR-3', /at most ([\d.]+) KB a skill/) * 1_024)
    expect(limit * 1_000).toBeLessThan(stated('NFR-3', /Under ([\d.]+) MB for 1,000 skills/) * 1e6)
  })

  it('[NFR-2] permits an activation no more than the requirement states (only with CI set)', () => {
    expect(limitOf('activation of a skill of 13 files')).toBeLessThanOrEqual(stated('NFR-2', /under ([\d.]+) ms/))
  })
})

/** The figure in the limit of an aim, such as `≤ 3,072 bytes`. */
function limitOf(aim: string): number {
  const { limit } = results.aims.find(({ title }) => title === aim)!
  return Number(/[\d.,]+/.exec(limit)![0].replaceAll(',', ''))
}

/** Reads a figure from the project's requirements. */
function stated(id: string, figure: RegExp): number {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/requirements.md'), 'utf8')
  const text = new RegExp(String.raw`^\| ${id} +\| (.*?) *\|$`, 'm').exec(page)![1]!
  return Number(figure.exec(text)![1])
}
