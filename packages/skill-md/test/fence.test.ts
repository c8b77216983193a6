import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFrontmatter, parseSkill } from '../src/internal.ts'

const FIELDS = 'name: pdf\ndescription: Reads PDF files.\n'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A fence, or a line that only resembles one. */
const line = fc.oneof(
  fc.constantFrom('---', '--- ', ' ---', '----', '---js', '- - -', '', '...', 'a --- b', '\u00E9---'),
  fc.string().map((text) => text.replaceAll(/[\n\r]/g, '')),
)

describe('fences', () => {
  it.each([
    ['a BOM', `\uFEFF---\n${FIELDS}---\nBody\n`, 'Body\n', 5],
    ['CRLF', `---\r\nname: pdf\r\ndescription: Reads PDF files.\r\n---\r\nBody\r\n`, 'Body\r\n', 5],
    ['an empty body', `---\n${FIELDS}---\n`, '', 5],
    ['a missing final newline after the fence', `---\n${FIELDS}---`, '', 5],
    ['a missing final newline in the body', `---\n${FIELDS}---\nBody`, 'Body', 5],
    ['spaces and tabs after the hyphens', `--- \t\n${FIELDS}---\t \nBody`, 'Body', 5],
    ['comments and blank lines between the fields', `---\n# a\n\n${FIELDS}---\nBody`, 'Body', 7],
  ])('[MAN-1] accepts %s', async (_, text, body, bodyLine) => {
    const document = await parseSkill(text)
    expect(document.manifest).toMatchObject({ name: 'pdf', description: 'Reads PDF files.' })
    expect(document).toMatchObject({ body, bodyLine, diagnostics: [] })
  })

  it('[MAN-1] does not split at "---" inside a value', async () => {
    const document = await parseSkill('---\nname: pdf\ndescription: a --- b\nlicense: "---"\n---\nBody')
    expect(document.manifest).toMatchObject({ description: 'a --- b', license: '---' })
    expect(document.body).toBe('Body')
  })

  it('[MAN-1, ABUSE-11] does not split at "---" inside a block scalar', async () => {
    const document = await parseSkill('---\nname: pdf\ndescription: |\n  one\n  ---\n  two\n---\nBody')
    expect(document.manifest?.description).toBe('one\n---\ntwo')
    expect(document.body).toBe('Body')
  })

  it('[MAN-1] does not split at "---" inside the body', async () => {
    const document = await parseSkill(`---\n${FIELDS}---\nOne\n---\nTwo\n\n---\n`)
    expect(document.body).toBe('One\n---\nTwo\n\n---\n')
  })

  it('[MAN-1] gives back every body byte for byte, whatever lines it has', () => {
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, bom) => {
        const body = lines.join(end)
        const bytes = bytesOf(`${bom ? '\uFEFF' : ''}---${end}a: b${end}---${end}${body}`)
        const place = findFrontmatter(bytes, true)
        if ('code' in place) throw new Error(place.code)
        expect(new TextDecoder().decode(bytes.subarray(place.start, place.end))).toBe(`a: b${end}`)
        expect(bytes.subarray(place.bodyStart)).toEqual(bytesOf(body))
        expect(place).toMatchObject({ line: 2, bodyLine: 4, blankLines: 0 })
      }),
    )
  })

  it('[MAN-1] finds in the beginning of a file what it finds in the whole, or nothing', () => {
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, cut) => {
        const bytes = bytesOf(lines.join('\n'))
        const whole = findFrontmatter(bytes, true)
        const part = findFrontmatter(bytes.subarray(0, cut % (bytes.length + 1)), false)
        if ('start' in part) expect(part).toEqual(whole)
      }),
    )
  })

  it('[MAN-1] does not take the end of a cut file for the end of a line', () => {
    expect(findFrontmatter(bytesOf('---\na: b\n---'), false)).toMatchObject({ code: 'FRONTMATTER_UNCLOSED' })
    expect(findFrontmatter(bytesOf('---\na: b\n---'), true)).toMatchObject({ start: 4, end: 9 })
  })

  it.each([
    ['a comment', '<!-- owner: me -->\n', 2],
    ['a heading', '# PDF\n\n', 3],
    ['text of several lines', 'One.\nTwo.\n\n', 4],
  ])('[MAN-2] names the line of the frontmatter behind %s, in every profile', async (_, before, at) => {
    for (const profile of ['strict', 'default', 'lenient'] as const) {
      const { manifest, diagnostics } = await parseSkill(`${before}---\n${FIELDS}---\nBody`, { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([
        {
          code: 'FRONTMATTER_LATE',
          severity: 'error',
          message: expect.stringContaining(`on line ${at}`),
          hint: 'Move what stands before it behind the closing "---".',
        },
      ])
    }
  })

  it.each([
    ['an empty file', '', 1],
    ['a file of blank lines', '\n\n', 3],
    ['Markdown alone', '# PDF\n\n---\n\nname and more\n---\n', 1],
    ['an indented fence', ` ---\n${FIELDS}---\n`, 1],
    ['a file with carriage returns alone', `+++\r${FIELDS}`, 1],
  ])('[MAN-2] says what to add to %s', async (_, text, at) => {
    const document = await parseSkill(text, { path: 'pdf/SKILL.md' })
    expect(document).not.toHaveProperty('manifest')
    expect(document).not.toHaveProperty('body')
    expect(document.diagnostics).toEqual([
      {
        code: 'FRONTMATTER_MISSING',
        severity: 'error',
        path: 'pdf/SKILL.md',
        line: at,
        message: expect.any(String),
        hint: expect.stringMatching(/"---".*name.*description.*"---"/),
      },
    ])
  })

  it('[MAN-2] tells a file that begins with its fields to put the fence above them', async () => {
    const document = await parseSkill(`${FIELDS}---\nBody`)
    expect(document.diagnostics).toMatchObject([
      { code: 'FRONTMATTER_MISSING', hint: expect.stringContaining('above') },
    ])
  })

  it('[MAN-2, ABUSE-11] reports a frontmatter that is not closed', async () => {
    const document = await parseSkill(`---\n${FIELDS}# PDF\n`)
    expect(document.manifest).toBeUndefined()
    expect(document.diagnostics).toMatchObject([{ code: 'FRONTMATTER_UNCLOSED', severity: 'error', line: 1 }])
  })

  it.each([
    ['an indented one', '  ---', 4],
    ['one of four hyphens', '----', 4],
  ])('[MAN-2] points at the line that was meant as the closing fence: %s', async (_, fence, at) => {
    const document = await parseSkill(`---\n${FIELDS}${fence}\nBody\n`)
    expect(document.diagnostics).toMatchObject([
      { code: 'FRONTMATTER_UNCLOSED', hint: expect.stringContaining(`line ${at}`) },
    ])
  })

  it.each(['---js', '---json', '--- yaml', '---\u00A0', '----', '---\0'])(
    '[MAN-2, ABUSE-1] refuses %j as the opening fence and evaluates nothing',
    async (fence) => {
      const text = `${fence}\nglobalThis.abuse1 = true\n({ name: 'pdf', description: 'x' })\n---\nBody`
      for (const profile of ['strict', 'default', 'lenient'] as const) {
        const document = await parseSkill(text, { profile })
        expect(document.manifest).toBeUndefined()
        expect(document.diagnostics).toMatchObject([{ code: 'FENCE_INVALID', severity: 'error', line: 1 }])
      }
      expect(globalThis).not.toHaveProperty('abuse1')
    },
  )

  it('[MAN-3] takes blank lines before the fence in lenient only', async () => {
    const text = `\n \t\n---\n${FIELDS}---\nBody`
    for (const profile of ['strict', 'default'] as const) {
      const document = await parseSkill(text, { profile })
      expect(document.manifest).toBeUndefined()
      expect(document.diagnostics).toMatchObject([{ code: 'FRONTMATTER_LATE', severity: 'error' }])
    }
    const lenient = await parseSkill(text, { profile: 'lenient' })
    expect(lenient).toMatchObject({ manifest: { name: 'pdf' }, body: 'Body', bodyLine: 7 })
    expect(lenient.diagnostics).toMatchObject([{ code: 'FRONTMATTER_LATE', severity: 'warning' }])
  })
})
