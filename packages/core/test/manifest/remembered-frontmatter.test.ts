import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseMetadata } from '@repertoire/skill-md/internal/parser'

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

it('[NFR-1] a file is read the same whatever was read before', async () => {
  // A comment that no other file has: what it is read as was not remembered.
  let unread = 0
  await fc.assert(
    fc.asyncProperty(fc.array(files, { maxLength: 12 }), async (read) => {
      for (const file of read)
        expect(await metadataOf(file)).toEqual(
          await metadataOf({ ...file, frontmatter: `${file.frontmatter}# ${unread++}\n` }),
        )
    }),
  )
})

it('[NFR-1] an unchanged file has the same manifest', async () => {
  const file: File = {
    opening: '---\n',
    frontmatter: FRONTMATTERS[0]!,
    folderName: 'pdf',
    profile: 'default',
    path: 'a/SKILL.md',
  }
  const { manifest } = await metadataOf(file)
  expect(manifest?.description).toBe('Reads PDF files.')
  expect((await metadataOf(file)).manifest).toBe(manifest)
})

async function metadataOf({ opening, frontmatter, ...context }: File) {
  const bytes = new TextEncoder().encode(`${opening}${frontmatter}---\nThe body.\n`)
  const { manifest, diagnostics } = await parseMetadata(bytes, bytes.length, { ...context, fileName: 'SKILL.md' })
  return { manifest, diagnostics }
}
