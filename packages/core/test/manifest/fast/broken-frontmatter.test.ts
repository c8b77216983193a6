import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createMemory } from '../../../src/manifest/fast/memory.ts'
import { readPlainYaml } from '../../../src/manifest/fast/plain-yaml.ts'
import { createManifestParser } from '../../../src/manifest/parser.ts'

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'binary')

it.each(['name: pdf\nname: pdf\ndescription: Twice.\n', 'name: pdf\n', 'name: [pdf\n', 'name: &a pdf\n'])(
  '[NFR-1] a broken frontmatter is not read again, and the same is said of each file that has it: %j',
  async (fields) => {
    const bytes = new TextEncoder().encode(`---\n${fields}---\n`)
    let count = 0
    const scan = async (paths: readonly string[]) => {
      const memory = createMemory('default')
      const parser = createManifestParser((text, line) => {
        count++
        return readPlainYaml(text, line)
      }, memory)
      const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
      const read = []
      for (const path of paths) {
        const context = { path, folderName: 'pdf', fileName: 'SKILL.md', profile: 'default' } as const
        read.push(await parser.metadata(file, context, sha256))
      }
      return { read, kept: memory.end() }
    }
    const first = await scan(['/a/pdf/SKILL.md'])
    const before = count
    const second = await scan(['/a/pdf/SKILL.md', '/b/pdf/SKILL.md'])
    expect([before > 0, count - before]).toEqual([true, 0])
    const [{ manifest, diagnostics } = { manifest: undefined, diagnostics: [] }] = first.read
    expect(manifest).toBeUndefined()
    expect(diagnostics.map(({ severity }) => severity)).toContain('error')
    expect(second.read.map((each) => each.manifest)).toEqual([undefined, undefined])
    expect(second.read.map((each) => each.diagnostics)).toEqual([
      diagnostics,
      diagnostics.map((each) => ({ ...each, path: '/b/pdf/SKILL.md' })),
    ])
    expect(first.kept).not.toBe(second.kept)
  },
)
