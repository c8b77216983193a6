import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Profile, type SkillDocument } from '../src/index.ts'
import { DIAGNOSTIC_CODES, parseSkill } from '../src/authoring.ts'
import { findFrontmatter, HEAD_BYTES, readYaml } from '@repertoire/skill-md/internal'
import { parseDocument, parseMetadata, readPlainYaml } from '@repertoire/skill-md/internal/parser'
import { renderSkill } from '@repertoire/skill-md'
import { buildTextIndex, type TextIndex } from '../src/search/text-index.ts'

/** What the garbage collector leaves, in bytes. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Thousands of real skills with the verdicts of an independent analysis. They are not part of the repository. */
const corpus = join(import.meta.dirname, '../../../../shared/corpus')
const present = existsSync(join(corpus, 'manifest.jsonl'))
/** In continuous integration their absence is a failure, unless it is declared; and then their presence is one. */
const declaredAbsent = process.env.REPERTOIRE_CORPUS === 'absent'
const skipped = !present && (declaredAbsent || process.env.CI === undefined)

interface Verdict {
  readonly id: string
  readonly file: string
  readonly yaml: 'ok' | 'repaired' | 'fail' | null
  readonly name: string | null
  readonly spec_violations: readonly string[] | null
}

/** Why a skill that parses as YAML and has a name and a description is not loaded all the same. */
const EXPLAINED: ReadonlyMap<string, string> = new Map([
  ['ALLOWED_TOOLS_INVALID', 'a tool is given by two words, which names no tool'],
  ['YAML_KEY_INVALID', 'a list stands where a key belongs: JSON that lost a key on the way'],
])

/** What takes longest tries a third where people wait for the tests, another third in each case, and all in CI. */
const isTried = (third: number) => (_: Verdict, index: number) => process.env.CI !== undefined || index % 3 === third

const title = skipped ? 'real skills: skipped, for ../shared/corpus is not beside the repository' : 'real skills'

describe.skipIf(skipped)(title, { timeout: 120_000 }, () => {
  let verdicts: readonly Verdict[] = []

  beforeAll(async () => {
    const lines = present ? readFileSync(join(corpus, 'manifest.jsonl'), 'utf8').trim().split('\n') : []
    verdicts = lines.map((line) => JSON.parse(line) as Verdict)
  })
  afterAll(() => files.clear())

  interface Read {
    readonly verdict: Verdict
    readonly document: SkillDocument
  }
  const read = new Map<Profile, Promise<readonly Read[]>>()

  /** Every file as it is read in a profile: once for all tests. */
  function readAll(profile: Profile): Promise<readonly Read[]> {
    const known = read.get(profile) ?? readEach(profile)
    read.set(profile, known)
    return known
  }

  async function readEach(profile: Profile): Promise<readonly Read[]> {
    const all: Read[] = []
    for (const verdict of verdicts) {
      all.push({ verdict, document: await parseDocument(bytesOf(verdict), contextOf(verdict, profile)) })
    }
    return all
  }

  it('are beside the repository, in ../shared/corpus, and nothing says that they are not', () => {
    expect(verdicts).not.toEqual([])
    expect(declaredAbsent).toBe(false)
  })

  it.each<Profile>(['strict', 'default', 'lenient'])(
    '[MAN-2, MAN-15] each gives a manifest, or an error with a known code: %s',
    async (profile) => {
      const wrong = (await readAll(profile)).filter(({ document: { manifest, diagnostics } }) => {
        const failed = diagnostics.some(({ severity }) => severity === 'error')
        const known = diagnostics.every(({ code }) => Object.hasOwn(DIAGNOSTIC_CODES, code))
        return failed === (manifest !== undefined) || !known
      })
      expect(wrong).toEqual([])
    },
  )

  it('[MAN-3] each with a name, a description and valid YAML loads in lenient, but for reasons explained', async () => {
    const sound = verdicts.filter(
      ({ yaml, name, spec_violations: violations }) =>
        yaml === 'ok' && name !== null && violations?.includes('description missing') !== true,
    )
    const isSound = new Set(sound)
    const codes = (await readAll('lenient')).flatMap(({ verdict, document }) =>
      (isSound.has(verdict) ? document.diagnostics : [])
        .filter(({ severity }) => severity === 'error')
        .map(({ code }) => code),
    )
    // Both ways: a reason that no skill needs any more is struck off.
    expect(new Set(codes)).toEqual(new Set(EXPLAINED.keys()))
    expect(codes.length).toBeLessThan(sound.length / 400)
  })

  it('[MATCH-5] take less than 2 KB each in the index of a search', async () => {
    const documents = (await readAll('lenient')).flatMap(({ document: { manifest, body = '' } }) =>
      manifest === undefined ? [] : [{ ...manifest, tags: manifest.tags.join(' '), body: body.slice(0, 2_000) }],
    )
    // What a search imports and compiles is not counted, and what other tests left may come or go in one of the three.
    await buildTextIndex(documents.slice(0, 10))
    const marks = [memoryInUse()]
    const indexes: TextIndex[] = []
    for (let round = 0; round < 3; round++) {
      indexes.push(await buildTextIndex(documents))
      marks.push(memoryInUse())
    }
    const [, usual] = indexes.map((_, round) => marks[round + 1]! - marks[round]!).toSorted((one, other) => one - other)
    expect(usual! / indexes[0]!.size).toBeLessThan(2 * 1024)
    expect(indexes[0]!.size).toBeGreaterThan(2_000)
  })

  it('[MAN-3] each that strict judges otherwise than the analysis is of one kind', async () => {
    const kinds = new Map<string, number>()
    for (const { verdict, document } of await readAll('strict')) {
      const { yaml, file, spec_violations: violations } = verdict
      const conforms = yaml === 'ok' && file === 'SKILL.md' && violations?.length === 0
      if (conforms === (document.manifest !== undefined)) continue
      const errors = document.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      const kind = conforms ? `refused: ${[...new Set(errors)].join()}` : `taken: ${violations?.join()}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    expect([...kinds.keys()].toSorted()).toEqual([
      // Rules with commas between them, where the standard has one space-separated string.
      'refused: ALLOWED_TOOLS_FORMAT',
    ])
  })

  it('[MAN-2, MAN-9] each that default reads otherwise than the analysis is of a kind that is explained', async () => {
    const kinds = new Set<string>()
    for (const { verdict, document } of await readAll('default')) {
      const codes = document.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      const repaired = document.diagnostics.some(({ code }) => code === 'YAML_REPAIRED')
      const ours = document.manifest === undefined ? codes.join() : repaired ? 'repaired' : 'ok'
      const expected = verdict.yaml ?? 'FRONTMATTER'
      const agrees = expected === 'fail' ? ours === 'YAML_INVALID' : ours.startsWith(expected)
      if (!agrees) kinds.add(`${expected}: ${ours}`)
    }
    expect([...kinds].toSorted()).toEqual([
      'FRONTMATTER: MANIFEST_MISNAMED',
      'fail: FRONTMATTER_MISSING',
      'fail: repaired',
      'ok: ALLOWED_TOOLS_INVALID',
      'ok: DESCRIPTION_MISSING',
      'ok: FIELD_MISSPELLED',
      'ok: FRONTMATTER_LATE',
      'ok: MANIFEST_MISNAMED',
      'ok: NAME_MISSING',
      'ok: NAME_UNSAFE',
      'ok: YAML_KEY_INVALID',
    ])
  })

  it('[MAN-9] each that the analysis could repair loads in default, with a warning', async () => {
    const repairable = (await readAll('default')).filter(
      ({ verdict: { yaml, file } }) => yaml === 'repaired' && file === 'SKILL.md',
    )
    expect(repairable.length).toBeGreaterThan(10)
    const results = repairable.map(({ document: { manifest, diagnostics } }) => ({
      name: manifest?.name,
      repaired: diagnostics.some(({ code }) => code === 'YAML_REPAIRED'),
    }))
    expect(results).toEqual(repairable.map(({ verdict: { name } }) => ({ name, repaired: true })))
  })

  it('[MAN-3] each has in default the name that the analysis read', async () => {
    const named = (await readAll('default'))
      .map(({ verdict, document }) => ({ verdict, name: document.manifest?.name }))
      .filter(({ verdict, name }) => verdict.name !== null && name !== undefined)
    expect(named.filter(({ verdict, name }) => verdict.name !== name)).toEqual([])
    expect(named.length).toBeGreaterThan(verdicts.length / 2)
  })

  it('[MAN-13] each that loads says the same after it was written anew', async () => {
    const wrong: unknown[] = []
    let count = 0
    const tried = verdicts.filter(isTried(0))
    for (const verdict of tried) {
      const context = contextOf(verdict, 'default')
      const { manifest, body, definition } = await parseSkill(bytesOf(verdict), context)
      if (manifest === undefined || body === undefined) continue
      count++
      const again = await parseSkill(await renderSkill({ manifest, body }), context)
      const same = isDeepStrictEqual([manifest, body, definition], [again.manifest, again.body, again.definition])
      if (!same) wrong.push(verdict.id)
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(tried.length / 2)
  })

  it('[MAN-14] each gives the same at both depths, and its frontmatter by the first read', async () => {
    const wrong: string[] = []
    for (const { verdict, document } of await readAll('lenient')) {
      const bytes = bytesOf(verdict)
      const head = bytes.subarray(0, HEAD_BYTES)
      const { manifest } = await parseMetadata(head, bytes.length, contextOf(verdict, 'lenient'))
      if (JSON.stringify(manifest) !== JSON.stringify(document.manifest)) wrong.push(verdict.id)
    }
    expect(wrong).toEqual([])
  })

  it('[MAN-2, NFR-1] each gives the same tree by the reader of plain YAML as by full YAML, or none', async () => {
    const wrong: string[] = []
    let served = 0
    for (const verdict of verdicts) {
      const bytes = bytesOf(verdict)
      const place = findFrontmatter(bytes, true)
      if ('code' in place) continue
      const { start, end, line } = place
      const text = bytes.subarray(start, end).toString()
      const root = readPlainYaml(text, line)
      if (root === undefined) continue
      served++
      if (!isDeepStrictEqual({ root }, await readYaml(text, line))) wrong.push(verdict.id)
    }
    expect(wrong).toEqual([])
    expect(served / verdicts.length).toBeGreaterThan(0.5)
  })
})

/** What was read, until the last test has ended. */
const files = new Map<string, Uint8Array>()

function bytesOf({ id, file }: Verdict): Uint8Array {
  const bytes = files.get(id) ?? readFileSync(join(corpus, 'skills', id, file))
  files.set(id, bytes)
  return bytes
}

function contextOf({ id, file }: Verdict, profile: Profile) {
  return { path: `${id}/${file}`, folderName: id.split('/').at(-1)!, fileName: file, profile }
}
