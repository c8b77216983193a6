import { describe, expect, it } from 'vitest'
import { parseContent, parseDocument } from '@repertoire/skill-md/internal/parser'

const place = { path: '/skills/pdf/SKILL.md', folderName: 'pdf', fileName: 'SKILL.md', profile: 'default' } as const
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the content of a manifest file', () => {
  it('[ACT-1] is what its document holds, without what people are told of it', async () => {
    const file = bytes('---\nname: pdf\ndescription: d\ncolour: red\n---\nHid\u200Bden.\n')
    const document = await parseDocument(file, place)
    expect(document.diagnostics.map(({ code }) => code)).toContain('HIDDEN_CHARACTERS')
    expect(await parseContent(file, place)).toEqual({ ...document, diagnostics: [] })
  })

  it.each([
    ['No frontmatter.\n'],
    ['---\nname: pdf\n---\nBody.\n'],
    ['---\nname: pdf\ndescription: d\n---\nBody \0.\n'],
    ['---\nname: pdf\ndescription: d\ntype: composite\n---\nNo plan.\n'],
  ])('[ACT-1] of %j is none, and says why as the document does', async (text) => {
    const content = await parseContent(bytes(text), place)
    expect(content.manifest).toBeUndefined()
    expect(content).toEqual(await parseDocument(bytes(text), place))
    expect(content.diagnostics.map(({ severity }) => severity)).toContain('error')
  })
})
