import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ManifestParser } from '@repertoire/skill-md/internal'
import { createManifestParser } from '@repertoire/skill-md/internal/parser'

const FRONTMATTERS = [
  'name: pdf\ndescription: Reads PDF files.\n',
  'name: pdf\ndescription: Fills PDF forms.\nversion: 2\n',
  'name: PDF\ndescription: ""\n',
  'name: pdf\ndescription: &it Reads.\n',
  'name: pdf\ndescription: Reads.\nparameters:\n  type: object\n  properties: { page: { type: string, pattern: "^[0-9]+$" } }\n',
]

const files = fc.record({
  opening: fc.constantFrom('---\n', '\uFEFF---\n', '\n---\n'),
  frontmatter: fc.constantFrom(...FRONTMATTERS),
  folderName: fc.constantFrom('pdf', 'docx'),
  profile: fc.constantFrom('strict' as const, 'default' as const, 'lenient' as const),
  path: fc.constantFrom('a/SKILL.md', 'b/SKILL.md'),
})

type File = typeof files extends fc.Arbitrary<infer T> ? T : never

it('[NFR-1] a parser that has read other files returns the same as one that has read none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(files, { maxLength: 12 }), async (read) => {
      const parser = createManifestParser()
      for (const file of read)
        expect(await readWith(parser, file)).toEqual(await readWith(createManifestParser(), file))
    }),
  )
})

it('[NFR-1] a parser returns the same manifest for an unchanged file', async () => {
  const parser = createManifestParser()
  const file: File = {
    opening: '---\n',
    frontmatter: FRONTMATTERS[0]!,
    folderName: 'pdf',
    profile: 'default',
    path: 'a/SKILL.md',
  }
  const { manifest } = await readWith(parser, file)
  expect(manifest?.description).toBe('Reads PDF files.')
  expect((await readWith(parser, file)).manifest).toBe(manifest)
})

async function readWith(parser: ManifestParser, { opening, frontmatter, ...context }: File) {
  const bytes = new TextEncoder().encode(`${opening}${frontmatter}---\nThe body.\n`)
  const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
  const { manifest, diagnostics } = await parser.metadata(file, { ...context, fileName: 'SKILL.md' })
  return { manifest, diagnostics }
}
