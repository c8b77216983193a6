import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { DIAGNOSTIC_CODES } from '../src/diagnostic-codes.ts'
import { loadManifestParser } from '../src/manifest/index.ts'
import type { ManifestParser, SkillDocument } from '../src/manifest/index.ts'
import type { Profile } from '../src/types.ts'

/** Thousands of real skills with the verdicts of an independent analysis. They are not part of the repository. */
const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const present = existsSync(new URL('manifest.jsonl', corpus))
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

const title = skipped ? 'real skills: skipped, for ../shared/corpus is not beside the repository' : 'real skills'

describe.skipIf(skipped)(title, { timeout: 120_000 }, () => {
  let verdicts: readonly Verdict[] = []
  let parser: ManifestParser

  beforeAll(async () => {
    const lines = present ? readFileSync(new URL('manifest.jsonl', corpus), 'utf8').trim().split('\n') : []
    verdicts = lines.map((line) => JSON.parse(line) as Verdict)
    parser = await loadManifestParser()
  })

  it('are beside the repository, in ../shared/corpus, and nothing says that they are not', () => {
    expect(verdicts).not.toEqual([])
    expect(declaredAbsent).toBe(false)
  })

  it.each<Profile>(['strict', 'default', 'lenient'])(
    '[MAN-2, MAN-15] each gives a manifest, or an error with a known code: %s',
    (profile) => {
      const wrong = verdicts.filter((verdict) => {
        const { manifest, diagnostics } = read(parser, verdict, profile)
        const failed = diagnostics.some(({ severity }) => severity === 'error')
        const known = diagnostics.every(({ code }) => Object.hasOwn(DIAGNOSTIC_CODES, code))
        return failed === (manifest !== undefined) || !known
      })
      expect(wrong).toEqual([])
    },
  )

  it('[MAN-3] each with a name, a description and valid YAML loads in lenient, but for reasons explained', () => {
    const sound = verdicts.filter(
      ({ yaml, name, spec_violations: violations }) =>
        yaml === 'ok' && name !== null && violations?.includes('description missing') !== true,
    )
    const codes = sound.flatMap((verdict) =>
      read(parser, verdict, 'lenient')
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ code }) => code),
    )
    // Both ways: a reason that no skill needs any more is struck off.
    expect(new Set(codes)).toEqual(new Set(EXPLAINED.keys()))
    expect(codes.length).toBeLessThan(sound.length / 500)
  })

  it('[MAN-9] each that the analysis could repair loads in default, with a warning', () => {
    const repairable = verdicts.filter(({ yaml, file }) => yaml === 'repaired' && file === 'SKILL.md')
    const results = repairable.map((verdict) => {
      const { manifest, diagnostics } = read(parser, verdict, 'default')
      return { name: manifest?.name, repaired: diagnostics.some(({ code }) => code === 'YAML_REPAIRED') }
    })
    expect(results).toEqual(repairable.map(({ name }) => ({ name, repaired: true })))
  })

  it('[MAN-3] each has in default the name that the analysis read', () => {
    const named = verdicts
      .map((verdict) => ({ verdict, name: read(parser, verdict, 'default').manifest?.name }))
      .filter(({ verdict, name }) => verdict.name !== null && name !== undefined)
    expect(named.filter(({ verdict, name }) => verdict.name !== name)).toEqual([])
    expect(named.length).toBeGreaterThan(verdicts.length / 2)
  })

  it('[MAN-14] each gives the same at both depths, and its frontmatter by the first read', () => {
    const wrong = verdicts.filter((verdict) => {
      const bytes = bytesOf(verdict)
      const context = contextOf(verdict, 'lenient')
      const asked: number[] = []
      const head = (length: number) => {
        asked.push(length)
        return bytes.subarray(0, length)
      }
      const { manifest } = parser.metadata({ size: bytes.length, head }, context)
      const whole = parser.document(bytes, context).manifest
      return JSON.stringify(manifest) !== JSON.stringify(whole) || (manifest !== undefined && asked.join() !== '4096')
    })
    expect(wrong).toEqual([])
  })
})

function bytesOf({ id, file }: Verdict): Uint8Array {
  return readFileSync(new URL(`skills/${id.split('/').map(encodeURIComponent).join('/')}/${file}`, corpus))
}

function contextOf({ id, file }: Verdict, profile: Profile) {
  return { path: `${id}/${file}`, folderName: id.split('/').at(-1)!, fileName: file, profile }
}

function read(parser: ManifestParser, verdict: Verdict, profile: Profile): SkillDocument {
  return parser.document(bytesOf(verdict), contextOf(verdict, profile))
}
