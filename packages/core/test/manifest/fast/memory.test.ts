import * as fc from 'fast-check'
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemory } from '../../../src/manifest/fast/memory.ts'
import { createManifestParser } from '../../../src/manifest/parser.ts'
import type { ManifestContext } from '../../../src/manifest/frontmatter.ts'
import type { ManifestParser } from '../../../src/manifest/parser.ts'
import { readPlainYaml } from '../../../src/manifest/fast/plain-yaml.ts'
import type { Profile } from '../../../src/ports/manifest.ts'
import { runs } from '../../runs.ts'

const fresh = createManifestParser()

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'binary')

async function read(parser: ManifestParser, text: string, context: ManifestContext, hashes = false) {
  const bytes = new TextEncoder().encode(text)
  const file = {
    size: bytes.length,
    head: (length: number) => bytes.subarray(0, length),
  }
  const { manifest, diagnostics } = await parser.metadata(file, context, hashes ? sha256 : undefined)
  return { manifest, diagnostics }
}

/** How many frontmatters a parser reads itself. */
function counting(profile: Profile = 'default') {
  const memory = createMemory(profile)
  let count = 0
  const parser = createManifestParser((text, line) => {
    count++
    return readPlainYaml(text, line)
  }, memory)
  return { parser, memory, count: () => count }
}

let texts = 0
/** A frontmatter that no other test has read: what one scan of a program read, the next ones know. */
const newText = () => `---\nname: pdf\ndescription: Reads PDF files ${texts++}.\n---\n`
const AT_PDF = { path: '/a/pdf/SKILL.md', folderName: 'pdf', fileName: 'SKILL.md', profile: 'default' } as const

describe('what a scan read before', () => {
  it('[NFR-1] a frontmatter that is the same is not read again, whatever became of the body', async () => {
    const text = newText()
    const first = counting()
    const before = await read(first.parser, text, AT_PDF)
    const second = counting()
    const after = await read(second.parser, `${text}Another body.\n`, AT_PDF)
    expect([first.count(), second.count()]).toEqual([1, 0])
    expect(after.manifest).toBe(before.manifest)
    expect(first.memory.end()).not.toBe(second.memory.end())
  })

  it('[NFR-1] a file that is hashed is known by its hash, and another text is not', async () => {
    const text = newText()
    const first = counting()
    const before = await read(first.parser, text, AT_PDF, true)
    const second = counting()
    const after = await read(second.parser, `${text}Another body.\n`, AT_PDF, true)
    await read(second.parser, text.replace('Reads', 'Loads'), AT_PDF, true)
    expect([first.count(), second.count()]).toEqual([1, 1])
    expect(after.manifest).toBe(before.manifest)
  })

  it('[NFR-1] a scan knows what it read itself, in a folder of the same name, wherever the name stands in its order', async () => {
    const { parser, count } = counting()
    const text = newText()
    const readIn = (folderName: string) =>
      read(parser, text.replace('Reads', `In ${folderName} reads`), { ...AT_PDF, folderName }, true)
    const first = await readIn('pdf')
    for (const name of ['pdg', 'pdf', 'xls', 'pde', 'pdf', 'zip', 'pdf']) {
      const { manifest } = await readIn(name)
      if (name === 'pdf') expect(manifest).toBe(first.manifest)
    }
    expect(count()).toBe(5)
  })

  it('[NFR-1] a scan remembers what one read long before it, through those between', async () => {
    const text = newText()
    const held: unknown[] = []
    for (let scan = 0; scan < 8; scan++) {
      const { parser, memory, count } = counting()
      await read(parser, text, AT_PDF)
      held.push(memory.end())
      expect(count()).toBe(scan === 0 ? 1 : 0)
    }
  })

  it.each([
    ['hashed', true],
    ['not hashed', false],
  ])('[NFR-1] files that are %s are known again, whichever came, went or changed their order', async (_, hashes) => {
    const six = Array.from({ length: 6 }, newText)
    const places = six.map((_text, index) => ({
      ...AT_PDF,
      folderName: `f${index}`,
      path: `/a/f${index}/SKILL.md`,
    }))
    const scan = async (indexes: readonly number[]) => {
      const { parser, memory, count } = counting()
      const manifests = []
      for (const index of indexes) manifests.push((await read(parser, six[index]!, places[index]!, hashes)).manifest)
      return { manifests, count: count(), held: memory.end() }
    }
    const first = await scan([0, 1, 2, 3])
    const second = await scan([4, 0, 2, 3, 5])
    const third = await scan([5, 4, 3, 2, 1, 0])
    expect([first.count, second.count, third.count, third.held === first.held]).toEqual([4, 2, 0, false])
    const [a, b, c, d] = first.manifests
    const [e, , , , f] = second.manifests
    expect(second.manifests.map((manifest) => [a, b, c, d].indexOf(manifest))).toEqual([-1, 0, 2, 3, -1])
    expect(third.manifests.every((manifest, index) => manifest === [f, e, d, c, b, a][index])).toBe(true)
  })

  it.each([[[0, 1, 2]], [[0, 1]], [[0, 2]], [[0, 1, 2, 3]], [[0, 1, 3, 2]], [[0]], [[0, 0, 1]], [[2, 0, 1, 3]], [[]]])(
    '[NFR-1] a scan of the files %j behind one of 0, 1 and 2 is remembered, and nothing else',
    async (indexes) => {
      const four = Array.from({ length: 4 }, newText)
      const scan = async (files: readonly number[]) => {
        const { parser, memory, count } = counting()
        const manifests = []
        for (const index of files) manifests.push((await read(parser, four[index]!, AT_PDF, true)).manifest)
        return { manifests, count: count(), held: memory.end() }
      }
      const first = await scan([0, 1, 2])
      const second = await scan(indexes)
      expect(second.count).toBe(indexes.includes(3) ? 1 : 0)
      // Only four scans are remembered: the first is forgotten now.
      const others = ['strict', 'strict'].map((profile) => createMemory(profile as Profile).end())
      const third = await scan([...indexes, 0, 1, 2, 3])
      expect(third.count).toBe(4 - new Set(indexes).size)
      expect(indexes.every((_index, at) => third.manifests[at] === second.manifests[at])).toBe(true)
      expect(new Set([first.held, second.held, third.held, ...others]).size).toBe(5)
    },
  )

  it.each([[[0, 1, 2, 3, 4]], [[4, 2, 0, 1, 3]], [[1, 1, 0, 0, 3]]])(
    '[ACT-1, NFR-1] a file that is read alone is known too, where a scan came by the folders %j',
    async (order) => {
      const five = Array.from({ length: 5 }, newText)
      const at = (folder: number) => ({ ...AT_PDF, folderName: `f${folder}`, path: `/a/f${folder}/SKILL.md` })
      const { parser, memory } = counting()
      const manifests = []
      for (const [index, folder] of order.entries()) {
        manifests.push((await read(parser, five[index]!, at(folder), true)).manifest)
      }
      const held = memory.end()
      const content = async (index: number, folder: number) =>
        (await fresh.content(new TextEncoder().encode(`${five[index]!}Body.\n`), at(folder), sha256)).manifest
      for (const [index, folder] of order.entries()) {
        expect(await content(index, folder)).toBe(manifests[index])
        // In a folder of another name there may be other things to say.
        const elsewhere = await content(index, 9)
        expect(elsewhere).toEqual(manifests[index])
        expect(elsewhere).not.toBe(manifests[index])
      }
      expect(held).toBeDefined()
    },
  )

  it('[NFR-1] a frontmatter that ends elsewhere than it did is read to its own end', async () => {
    const text = (more: string) => `---\nname: pdf\ndescription: Reads it ${texts}.\n${more}---\nBody.\n`
    for (const [before, after] of [
      ['license: a\n', 'license: b\n'],
      ['license: a\n', '---\nabcdef\n'],
      ['license: a\n', 'license: a\r\n'],
      ['license: a\n', 'license: a\nmodel: b\n'],
      ['license: a\nmodel: b\n', 'license: a\n'],
      ['', 'license: a\n'],
    ] as const) {
      texts++
      const first = counting()
      const other = { ...AT_PDF, path: '/a/docs/SKILL.md', folderName: 'docs' }
      const next = newText()
      await read(first.parser, text(before), AT_PDF, true)
      await read(first.parser, next, other, true)
      const held = first.memory.end()
      const second = counting()
      expect(await read(second.parser, text(after), AT_PDF, true)).toEqual(await read(fresh, text(after), AT_PDF))
      expect(await read(second.parser, next, other, true)).toEqual(await read(fresh, next, other))
      expect([second.count(), typeof held]).toEqual([1, 'object'])
    }
  })

  it.each([
    ['a blank line before it', (text: string) => `\n${text}`, {}],
    ['a byte order mark', (text: string) => `\uFEFF${text}`, {}],
    ['another opening fence', (text: string) => text.replace('---', '----'), {}],
    ['no opening fence', (text: string) => text.replace('---', '+++'), {}],
    ['a blank behind its closing fence', (text: string) => text.replace(/\n---\n/, '\n--- \n'), {}],
    ['no closing fence', (text: string) => text.replace(/\n---\n/, '\n---x\n'), {}],
    ['more bytes than a file may have', (text: string) => text + 'x'.repeat(1024 * 1024), {}],
    ['another name', (text: string) => text, { fileName: 'skill.md' }],
  ])('[NFR-1] a file with %s is not taken for the one that it was', async (_, change, other) => {
    const lenient = { ...AT_PDF, profile: 'lenient' as const }
    const text = newText()
    const first = counting('lenient')
    await read(first.parser, text, lenient, true)
    const held = first.memory.end()
    const context = { ...lenient, ...other }
    const second = counting('lenient')
    expect(await read(second.parser, change(text), context, true)).toEqual(await read(fresh, change(text), context))
    expect(typeof held).toBe('object')
  })

  it('[NFR-1] a line that only ends like a fence closes nothing', async () => {
    const place = { ...AT_PDF, folderName: 'docs' }
    const before = `---\nname: docs\ndescription: Reads ${texts++}\n---\n`
    const first = counting()
    await read(first.parser, before, place, true)
    const held = first.memory.end()
    for (const text of [before.replace('\n---\n', ' ---\n---\n'), before.replace('---', '+++')]) {
      expect(await read(counting().parser, text, place, true)).toEqual(await read(fresh, text, place))
    }
    expect(typeof held).toBe('object')
  })

  it('[NFR-3] lists that hold nothing are one', async () => {
    const withWords = (word: string) => newText().replace('name', `triggers: [${word}]\nother: []\nname`)
    const [a, b] = [
      await read(counting().parser, withWords('a'), AT_PDF),
      await read(counting().parser, withWords('b'), AT_PDF),
    ]
    expect(a.manifest).toMatchObject({ triggers: { keywords: ['a'], verbs: [], patterns: [] }, extra: { other: [] } })
    expect(a.manifest?.triggers.verbs).toBe(b.manifest?.triggers.patterns)
    expect(a.manifest?.extra.other).toBe(b.manifest?.extra.other)
  })

  it('[NFR-1, ACT-2] a whole file that is hashed gives what a scan read of its frontmatter, and its own body', async () => {
    const text = newText().replace('name', 'version: 1\nname')
    const scanned = counting()
    const { manifest, diagnostics } = await read(scanned.parser, text, AT_PDF, true)
    const held = scanned.memory.end()
    let count = 0
    const parser = createManifestParser((yaml, line) => {
      count++
      return readPlainYaml(yaml, line)
    })
    const document = (file: string, context: ManifestContext, hashes?: typeof sha256) =>
      parser.document(new TextEncoder().encode(file), context, hashes)
    const plain = await document(`${text}Body.\n`, AT_PDF)
    expect(count).toBe(1)
    const known = await document(`${text}Body.\n`, AT_PDF, sha256)
    expect([count, known.manifest === manifest, known.body, plain.manifest === manifest]).toEqual([
      1,
      true,
      'Body.\n',
      false,
    ])
    expect([known, known.diagnostics]).toEqual([plain, diagnostics])
    const elsewhere = { ...AT_PDF, path: '/b/pdf/SKILL.md' }
    expect((await document(text, elsewhere, sha256)).diagnostics).toMatchObject([{ path: elsewhere.path, line: 2 }])
    expect(count).toBe(1)
    const late = counting('lenient')
    const lenient = { ...AT_PDF, profile: 'lenient' as const }
    await read(late.parser, text, lenient, true)
    const lateHeld = late.memory.end()
    expect((await document(`\n${text}`, lenient, sha256)).diagnostics).toMatchObject([
      { code: 'FRONTMATTER_LATE', line: 1 },
      { code: 'FIELD_UNKNOWN', line: 3 },
    ])
    expect([count, typeof lateHeld]).toEqual([2, 'object'])
    const strict = { ...AT_PDF, profile: 'strict' as const }
    // Another folder's name, profile or text, a hash that is none.
    const docs = { ...AT_PDF, folderName: 'docs' }
    expect((await document(text, docs, sha256)).diagnostics).toHaveLength(2)
    await document(text, strict, sha256)
    await document(text.replace('Reads', 'Loads'), AT_PDF, sha256)
    for (const none of ['', ' ', sha256(new Uint8Array()).slice(1)]) await document(text, AT_PDF, () => none)
    expect([count, typeof held]).toEqual([8, 'object'])
  })

  it('[NFR-1] files that say the same share their findings, and each names itself', async () => {
    const first = newText().replace('name', 'version: 1\nname')
    const { parser } = counting()
    const file = (text: string) => {
      const bytes = new TextEncoder().encode(text)
      return { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
    }
    const [a, b, other, lower] = await Promise.all([
      parser.metadata(file(first), AT_PDF),
      parser.metadata(file(newText().replace('name', 'version: 1\nname')), { ...AT_PDF, path: '/b/pdf/SKILL.md' }),
      parser.metadata(file(newText().replace('name', 'author: 1\nname')), AT_PDF),
      parser.metadata(file(newText().replace('name', '# A comment.\nversion: 1\nname')), AT_PDF),
    ])
    expect(b.compact).toBe(a.compact)
    expect([a, lower].map(({ diagnostics }) => diagnostics.map(({ line }) => line))).toEqual([[2], [3]])
    expect([a, b, other].map(({ diagnostics }) => diagnostics.map(({ path, message }) => [path, message]))).toEqual([
      [['/a/pdf/SKILL.md', 'The field "version" is not known. It is kept and ignored.']],
      [['/b/pdf/SKILL.md', 'The field "version" is not known. It is kept and ignored.']],
      [['/a/pdf/SKILL.md', 'The field "author" is not known. It is kept and ignored.']],
    ])
  })

  it('[NFR-1] only the scans of its profile count, and only the last ones', async () => {
    const text = newText()
    const first = counting()
    await read(first.parser, text, AT_PDF)
    const held = ['strict', 'strict', 'strict'].map((profile) => createMemory(profile as Profile).end())
    const other = counting('lenient')
    await read(other.parser, text, { ...AT_PDF, profile: 'lenient' })
    const late = counting()
    await read(late.parser, text, AT_PDF)
    expect({ held: held.length, other: other.count(), late: late.count() }).toEqual({ held: 3, other: 1, late: 1 })
  })

  it.each([
    ['one letter', (text: string) => text.replace('Reads', 'Loads'), AT_PDF],
    ['the folder', (text: string) => text, { ...AT_PDF, folderName: 'docs' }],
    ['the profile', (text: string) => text, { ...AT_PDF, profile: 'strict' as const }],
    ['the line', (text: string) => `\n${text}`, { ...AT_PDF, profile: 'lenient' as const }],
    ["the file's name", (text: string) => text, { ...AT_PDF, fileName: 'skill.md', profile: 'lenient' as const }],
  ])('[NFR-1] it is read anew where %s is another', async (_, change, context) => {
    const text = newText()
    await read(counting().parser, text, AT_PDF)
    if (context.profile === 'lenient') await read(counting('lenient').parser, text, { ...AT_PDF, profile: 'lenient' })
    const next = counting(context.profile)
    expect(await read(next.parser, change(text), context)).toEqual(await read(fresh, change(text), context))
    expect(next.count()).toBe(1)
  })

  it('[NFR-1] what is said of a file names that file', async () => {
    const text = newText().replace('name', 'version: 1\nname')
    const elsewhere = { ...AT_PDF, path: '/b/pdf/SKILL.md' }
    const { parser } = counting()
    for (const context of [AT_PDF, elsewhere, AT_PDF, elsewhere]) {
      expect((await read(parser, text, context)).diagnostics.map(({ path }) => path)).toEqual([context.path])
    }
  })

  it('[NFR-1] nobody can change what others are given', async () => {
    const text =
      '---\nname: pdf\ndescription: x\nmetadata:\n  a: b\ntags: [c]\nother:\n  d: [e]\nallowed-tools: Read\n' +
      'triggers: [f]\nhooks:\n  pre: [g]\nparameters:\n  h: string\n---\n'
    const { manifest } = await read(counting().parser, text, AT_PDF)
    const open: unknown[] = []
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) open.push(value)
      for (const part of Object.values(value)) look(part)
    }
    look(manifest)
    expect({ manifest: manifest?.extra, open }).toEqual({ manifest: { other: { d: ['e'] } }, open: [] })
  })

  it(
    '[NFR-1, MAN-15] gives for any file in any place what a parser without it gives',
    { timeout: 60_000 },
    async () => {
      const name = fc.constantFrom('pdf', 'docs', 'PDF', 'ﬁx', 'con', '"pdf"', '')
      const more = fc.constantFrom('', 'version: 1\n', 'tags: [a]\n', 'metadata:\n  a: [b]\n', 'x: &y z\n', 'a: b: c\n')
      const start = fc.constantFrom('---\n', '\n---\n', '\uFEFF---\n', '---\r\n')
      const file = fc
        .tuple(start, name, more)
        .map((parts) => `${parts[0]}name: ${parts[1]}\ndescription: x\n${parts[2]}---\n`)
      const place = fc.record({
        path: fc.constantFrom('/a/pdf/SKILL.md', '/b/pdf/SKILL.md'),
        folderName: fc.constantFrom('pdf', 'docs', 'PDF', 'fix'),
        fileName: fc.constantFrom('SKILL.md', 'skill.md'),
      })
      const scan = fc.record({
        profile: fc.constantFrom<Profile>('strict', 'default', 'lenient'),
        hashes: fc.boolean(),
        ends: fc.boolean(),
        files: fc.array(fc.tuple(file, place), { maxLength: 12 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(scan, { maxLength: 4 }), async (scans) => {
          const held: unknown[] = []
          for (const { profile, files, hashes, ends } of scans) {
            const memory = createMemory(profile)
            held.push(memory)
            const parser = createManifestParser(undefined, memory)
            for (const [text, where] of files) {
              const context = { ...where, profile }
              expect(await read(parser, text, context, hashes)).toEqual(await read(fresh, text, context))
            }
            if (ends) memory.end()
          }
        }),
        { numRuns: runs(500) },
      )
    },
  )
})
