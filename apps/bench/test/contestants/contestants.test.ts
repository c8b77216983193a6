import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Contestant } from '../../src/contestants/contestant.ts'
import { prepare as prepareFloor } from '../../src/contestants/floor.ts'
import { CONTESTANTS, type ContestantId } from '../../src/contestants/index.ts'
import { prepare as prepareSkillsRef } from '../../src/contestants/skills-ref.ts'
import { writeTree } from '../../src/generator/skill.ts'
import { compare, readTruth } from '../../src/measures/correctness.ts'
import { timeFirstPrompt } from '../../src/measures/scan.ts'
import { ChildFailure, runChild } from '../../src/run-child.ts'
import { temporary } from '../temporary.ts'

const options = { source: true, timeout: 60_000 }
const readers = (Object.keys(CONTESTANTS) as ContestantId[]).filter((id) => CONTESTANTS[id].role !== 'floor')

describe('the floor', () => {
  it('[NFR-1] reads 4 KB of every known manifest, once', async () => {
    const root = join(temporary(), 'skills')
    writeTree(root, 25, 5)
    const sizes = readdirSync(root).map((folder) => Math.min(4096, statSync(join(root, folder, 'SKILL.md')).size))
    const { scan } = prepareFloor(root)
    const expected = sizes.reduce((sum, size) => sum + size, 0)
    expect([scan(), scan()]).toEqual([expected, expected])
    const { first, repeated } = await runChild('scan', { contestant: 'floor', root, budget: 1 }, options)
    expect(first).toBeGreaterThan(0)
    expect(repeated.length).toBeGreaterThanOrEqual(3)
  })
})

describe('a contestant', () => {
  let root: string

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'repertoire-contestants-'))
    for (let index = 0; index < 12; index++) {
      mkdirSync(join(root, `skill-${index}`))
      const text = `---\nname: skill-${index}\ndescription: Does the thing of number ${index} for you.\n---\n\n# Do it\n\nNow.\n`
      writeFileSync(join(root, `skill-${index}`, 'SKILL.md'), text)
    }
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it('[NFR-1] is inspected in a child process', async () => {
    const { correctness, kept } = await runChild('inspect', { contestant: 'repertoire', root }, options)
    expect(correctness).toEqual({ found: 12, right: 12, readable: 12 })
    expect(kept).not.toBeNaN()
  })

  it.each(readers)('[NFR-1] %s finds every plain skill', async (id) => {
    // One contestant silences the console's warnings.
    const { warn } = console
    onTestFinished(() => void (console.warn = warn))
    const contestant: Contestant = await (await CONTESTANTS[id].load()).prepare(root)
    const found = contestant.read((await contestant.scan()) as never)
    expect(compare(found, readTruth(root))).toEqual({ found: 12, right: 12, readable: 12 })
  })
})

describe('skills-ref', () => {
  it('[NFR-5] lists every skill that it can read, with its own list', async () => {
    const root = join(temporary(), 'skills')
    for (const [name, text] of [
      ['one', '---\nname: one\ndescription: For A & B.\n---\n'],
      ['broken', 'no frontmatter'],
      ['two', '---\nname: two\ndescription: For C.\n---\n'],
    ] as const) {
      mkdirSync(join(root, name), { recursive: true })
      writeFileSync(join(root, name, 'SKILL.md'), text)
    }
    const text = await prepareSkillsRef(root).firstPrompt?.()
    expect(text?.match(/(?<=<description>\n).*/g)?.toSorted()).toEqual(['For A &amp; B.', 'For C.'])
    expect(text).toContain(join(root, 'two', 'SKILL.md'))
    const { taken, contestant } = await timeFirstPrompt(CONTESTANTS.skillsRef.load, root)
    expect(taken).toBeGreaterThan(0)
    const found = contestant.read((await contestant.scan()) as never)
    expect(Array.from(found, ({ folder }) => folder).toSorted()).toEqual(['one', 'two'])
  })
})

describe('runChild', () => {
  it('[NFR-1] says in one line why a child failed', async () => {
    const failing = runChild('scan', { contestant: 'floor', root: join(temporary(), 'none'), budget: 1 }, options)
    await expect(failing).rejects.toThrow(ChildFailure)
    await expect(failing).rejects.toThrow(/^Error: ENOENT.*none/)
  })

  it('[NFR-1] stops a child that takes too long', async () => {
    const root = join(temporary(), 'skills')
    writeTree(root, 5, 5)
    const endless = runChild('scan', { contestant: 'floor', root, budget: 1 }, { ...options, timeout: 1 })
    await expect(endless).rejects.toThrow('took longer than 0.001 s')
  })
})
