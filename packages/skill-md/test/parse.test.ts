import { describe, expect, it } from 'vitest'
import { MANIFEST_CODES } from '../src/ports/diagnostic.ts'
import { parseSkill } from '../src/internal.ts'
import { parseDocument, parseMetadata } from '@repertoire/skill-md/internal/parser'
import type { ManifestContext } from '../src/frontmatter.ts'

const PROFILES = ['strict', 'default', 'lenient'] as const
const SKILL = '---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n'
const context: ManifestContext = {
  path: 'skills/pdf/SKILL.md',
  folderName: 'pdf',
  fileName: 'SKILL.md',
  profile: 'default',
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const padded = (length: number) => `---\nname: pdf\ndescription: x\n# ${'-'.repeat(length)}\n---\n`

describe('the parser', () => {
  it('[MAN-3] rejects a profile that does not exist, and what is neither text nor bytes', async () => {
    await expect(parseSkill('', { profile: 'Strict' as 'strict' })).rejects.toThrow(
      /`profile` is "Strict". Give "strict"/,
    )
    await expect(parseSkill(undefined as unknown as string)).rejects.toThrow('pass the file as text')
  })

  it('[MAN-14] reads metadata from the beginning of a file, or says that more is needed', async () => {
    for (const length of [0, 4000, 20_000]) {
      const bytes = bytesOf(padded(length) + 'body '.repeat(20_000))
      const end = bytesOf(padded(length)).length
      for (const [head, name] of [
        [end, 'pdf'],
        [end + 100, 'pdf'],
        [end - 1, undefined],
      ] as const) {
        const { manifest, diagnostics } = await parseMetadata(bytes.subarray(0, head), bytes.length, context)
        expect(manifest?.name).toBe(name)
        expect(diagnostics.map(({ code }) => code)).toEqual(name === undefined ? ['FRONTMATTER_UNCLOSED'] : [])
      }
    }
  })

  it('[MAN-14] gives the same at both depths', async () => {
    const bytes = bytesOf('---\nname: PDF\ndescription: Use when: reading\nversion: 1\n---\nBody')
    const { body, bodyLine, definition, ...rest } = await parseDocument(bytes, context)
    const { manifest, diagnostics } = await parseMetadata(bytes, bytes.length, context)
    expect(rest).toEqual({ manifest, diagnostics })
    expect({ body, bodyLine, definition }).toEqual({
      body: 'Body',
      bodyLine: 6,
      definition: { type: 'instruction', content: 'Body' },
    })
  })

  it('[MAN-14] keeps nothing of the bytes that it was lent', async () => {
    const bytes = bytesOf(SKILL)
    const { manifest } = await parseMetadata(bytes, bytes.length, context)
    bytes.fill(0)
    expect(manifest).toMatchObject({ name: 'pdf', description: 'Reads PDF files.' })
  })

  it('[MAN-12] gives the whole body as an instruction, never unwrapped and never trimmed', async () => {
    const body = '\n\n```md\n---\n# PDF\n```\n\n- one\t \n\n'
    const document = await parseSkill(`---\nname: pdf\ndescription: x\n---\n${body}`)
    expect(document).toMatchObject({ body, bodyLine: 5, manifest: { type: 'instruction' } })
  })

  it('[MAN-15, ABUSE-3] accepts a frontmatter up to 32 KiB and refuses a longer one unread', async () => {
    const frame = padded(0).length
    // The end of the closing line may be the first byte outside.
    for (const [length, loads] of [
      [32_768 - frame, true],
      [32_768 - frame + 1, false],
    ] as const) {
      const bytes = bytesOf(`${padded(length)}Body`)
      const result = await parseMetadata(bytes, bytes.length, context)
      expect(result.manifest !== undefined).toBe(loads)
      expect(result.diagnostics.map(({ code }) => code)).toEqual(loads ? [] : ['FRONTMATTER_TOO_LARGE'])
    }
  })

  it('[MAN-15] does not read more than 32 KiB', async () => {
    const bytes = bytesOf(`${padded(40_000)}Body`)
    const { diagnostics } = await parseMetadata(bytes, bytes.length, context)
    expect(diagnostics).toMatchObject([{ code: 'FRONTMATTER_TOO_LARGE' }])
  })

  it('[MAN-12] keeps a BOM that stands in the body, and reports it', async () => {
    const document = await parseSkill(SKILL.replace('# PDF', '\uFEFF# PDF'))
    expect(document.body).toBe('\uFEFF# PDF\n')
    expect(document.diagnostics).toMatchObject([{ code: 'HIDDEN_CHARACTERS', line: 5 }])
  })

  it('[MAN-15] reads a frontmatter of a file that ends within the limit', async () => {
    const text = padded(30_000).trimEnd()
    expect((await parseSkill(text)).manifest?.name).toBe('pdf')
  })

  it('[MAN-15] refuses a file over 1 MiB at both depths', async () => {
    const fits = bytesOf(SKILL.padEnd(1024 * 1024))
    expect((await parseDocument(fits, context)).manifest?.name).toBe('pdf')
    const bytes = bytesOf(SKILL.padEnd(1024 * 1024 + 1))
    const result = await parseMetadata(bytes.subarray(0, 4096), bytes.length, context)
    expect(result.manifest).toBeUndefined()
    expect(result.diagnostics).toMatchObject([{ code: 'MANIFEST_TOO_LARGE', severity: 'error' }])
    expect((await parseDocument(bytes, context)).diagnostics).toEqual(result.diagnostics)
  })

  it.each(['skill.md', 'Skill.md', 'SKILL.MD'])('[MAN-1, MAN-3] loads %s in lenient only', async (fileName) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(SKILL, { fileName, profile })
      expect(manifest !== undefined).toBe(profile === 'lenient')
      expect(diagnostics).toMatchObject([
        {
          code: 'MANIFEST_MISNAMED',
          severity: profile === 'lenient' ? 'warning' : 'error',
          hint: expect.stringContaining('"SKILL.md"'),
        },
      ])
    }
  })

  it('[MAN-1] loads no file of another name', async () => {
    for (const fileName of ['README.md', 'SKILL.md.bak', '', '\u017FKILL.md']) {
      expect((await parseSkill(SKILL, { fileName, profile: 'lenient' })).manifest).toBeUndefined()
    }
  })

  it('[MAN-2] names the file and the lines of the file in every diagnostic', async () => {
    const text = '\uFEFF---\r\nname: PDF\r\ndescription: x\r\nversion: 1\r\nmetadata:\r\n  a: [b]\r\n---\r\n\u200B'
    const { diagnostics } = await parseSkill(text, context)
    expect(diagnostics.map(({ code, line, path }) => [code, line, path])).toEqual([
      ['NAME_PATTERN', 2, context.path],
      ['NAME_FOLDER_MISMATCH', 2, context.path],
      ['FIELD_UNKNOWN', 4, context.path],
      ['METADATA_VALUE', 6, context.path],
      ['HIDDEN_CHARACTERS', 8, context.path],
    ])
  })

  it('[MAN-2] reports everything that is wrong with the fields at once', async () => {
    const { diagnostics } = await parseSkill('---\nname: ../x\ndescription: 5\nallowed-tools: Bash(\nstatus: x\n---\n')
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['NAME_UNSAFE', 2],
      ['FIELD_TYPE', 3],
      ['ALLOWED_TOOLS_INVALID', 4],
      ['FIELD_VALUE', 5],
    ])
  })

  it('[MAN-2] writes out in its messages what the file hides', async () => {
    const { diagnostics } = await parseSkill('---\nname: "a\\u001b[31m\\u202eb"\ndescription: x\n---\n')
    expect(diagnostics[0]!.message).toBe('The name "a\\u{1B}[31m\\u{202E}b" holds U+001B, which is not shown.')
  })

  it('[ABUSE-13] reports hidden characters in the body, with their line', async () => {
    const { manifest, diagnostics } = await parseSkill(`${SKILL}one\ntwo \u{E0041}\u{E0042}\nthree \u200B`)
    expect(manifest?.name).toBe('pdf')
    expect(diagnostics).toMatchObject([
      { code: 'HIDDEN_CHARACTERS', severity: 'warning', line: 7, message: expect.stringContaining('U+E0041, U+E0042') },
    ])
    expect((await parseSkill(`${SKILL}\u{1F469}\u200D\u{1F4BB} \u26A0\uFE0F`)).diagnostics).toEqual([])
  })

  it('[MAN-3] parses a string as SKILL.md in the default profile and compares no folder', async () => {
    expect(await parseSkill(SKILL)).toMatchObject({ manifest: { name: 'pdf' }, diagnostics: [] })
    expect((await parseSkill('# x')).diagnostics).toMatchObject([{ path: 'SKILL.md' }])
  })

  it('[MAN-15] cannot be made to share its defaults between skills', async () => {
    const [one, two] = await Promise.all([parseSkill(SKILL), parseSkill(SKILL)])
    expect(() => (one.manifest!.tags as string[]).push('x')).toThrow('not extensible')
    expect(() => Object.assign(one.manifest!.metadata, { x: 'y' })).toThrow('not extensible')
    expect(two.manifest).toMatchObject({ tags: [], metadata: {} })
  })

  it('[MAN-2] explains every code in one sentence', () => {
    for (const [code, sentence] of Object.entries(MANIFEST_CODES)) {
      expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('triggers', () => {
  it('[MAN-15, ABUSE-14] are judged by a linear engine: no pattern of an author is compiled by another', async () => {
    const patterns = ['(a|a)*b', '(?<=x', '\\\\1(']
    const text = `---\nname: pdf\ndescription: A skill.\ntriggers:\n  patterns: ${JSON.stringify(patterns)}\n---\nBody.\n`
    const { manifest, diagnostics } = await parseSkill(text)
    expect(manifest?.triggers.patterns).toEqual(['(a|a)*b'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['TRIGGER_PATTERN_INVALID', 'TRIGGER_PATTERN_INVALID'])
  })
})
