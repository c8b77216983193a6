import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Contestant } from '../../src/contestants/contestant.ts'
import { prepare as prepareFloor } from '../../src/contestants/floor.ts'
import { CONTESTANTS, type ContestantId } from '../../src/contestants/index.ts'
import { prepare as prepareSkillsRef } from '../../src/contestants/skills-ref.ts'
import { importUnexported } from '../../src/contestants/unexported.ts'
import { writeTree } from '../../src/generator/tree.ts'
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
    const { first, repeated } = await runChild({ kind: 'scan', contestant: 'floor', root, budget: 1 }, options)
    expect(first).toBeGreaterThan(0)
    expect(repeated.length).toBeGreaterThanOrEqual(3)
  })
})

describe('a contestant', () => {
  let folder: string
  let root: string
  let truth: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'repertoire-contestants-'))
    root = join(folder, 'skills')
    truth = join(folder, 'truth.json')
    for (let index = 0; index < 12; index++) {
      mkdirSync(join(root, `skill-${index}`), { recursive: true })
      const text = `---\nname: skill-${index}\ndescription: Does the thing of number ${index} for you.\n---\n\n# Do it\n\nNow.\n`
      writeFileSync(join(root, `skill-${index}`, 'SKILL.md'), text)
    }
    expect(await runChild({ kind: 'truth', root, truth }, options)).toEqual({ readable: 12 })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  // Some programs take seconds to load, so only CI starts a process for each.
  it.each(readers.filter((id) => process.env['CI'] !== undefined || id === 'repertoire'))(
    '[NFR-1] %s finds every plain skill, in a child process',
    async (contestant) => {
      const { correctness, kept } = await runChild({ kind: 'inspect', contestant, root, truth }, options)
      expect(correctness).toEqual({ found: 12, right: 12, wrong: 0, missed: 0, beyond: 0 })
      expect(kept).not.toBeNaN()
    },
  )

  it.each(readers)('[NFR-1] %s finds every plain skill', async (id) => {
    // Some contestants change the console, the working directory or HOME.
    const { warn } = console
    const { HOME } = process.env
    const cwd = process.cwd()
    onTestFinished(() => {
      console.warn = warn
      process.chdir(cwd)
      if (HOME === undefined) delete process.env['HOME']
      else process.env['HOME'] = HOME
    })
    const contestant: Contestant = await (await CONTESTANTS[id].load()).prepare(root)
    const found = contestant.read((await contestant.scan()) as never)
    expect(compare(found, readTruth(root))).toEqual({ found: 12, right: 12, wrong: 0, missed: 0, beyond: 0 })
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
    const text = await prepareSkillsRef(root).scanAndList?.()
    expect(text?.match(/(?<=<description>\n).*/g)?.toSorted()).toEqual(['For A &amp; B.', 'For C.'])
    expect(text).toContain(join(root, 'two', 'SKILL.md'))
    const { taken, characters, read } = await timeFirstPrompt(CONTESTANTS.skillsRef.load, root)
    expect(taken).toBeGreaterThan(0)
    expect(characters).toBe(text?.length)
    expect([...(await read())].map(({ folder }) => folder).toSorted()).toEqual(['one', 'two'])
  })
})

describe('importUnexported', () => {
  it('[NFR-1] fails if a program no longer contains the function', async () => {
    const from = { package: 'openskills', file: 'dist/cli.js', start: /\nprogram\.parse\(\);\s*$/ }
    await expect(importUnexported({ ...from, name: 'noSuchFunction' })).rejects.toThrow(
      'no longer holds "noSuchFunction"',
    )
    await expect(importUnexported({ ...from, package: 'no-such-package', name: 'x' })).rejects.toThrow(
      'is not installed',
    )
  })
})

describe('runChild', () => {
  it('[NFR-1] says in one line why a child failed', async () => {
    const failing = runChild({ kind: 'truth', root: join(temporary(), 'none'), truth: '/dev/null' }, options)
    await expect(failing).rejects.toThrow(ChildFailure)
    await expect(failing).rejects.toThrow(/^Error: ENOENT.*none/)
  })

  it('[NFR-1] stops a child that takes too long', async () => {
    const root = join(temporary(), 'skills')
    writeTree(root, 5, 5)
    const endless = runChild({ kind: 'scan', contestant: 'floor', root, budget: 1 }, { ...options, timeout: 1 })
    await expect(endless).rejects.toThrow('took longer than 0.001 s')
  })
})
