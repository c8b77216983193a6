// An algorithm of its own: a session shows its results only inside of whole activations.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { summariseFolder } from './skill-content.ts'
import type { FolderListing } from '@repertoire/skill-md/internal'

function listing(paths: readonly string[], truncated = false): FolderListing {
  const files = ['SKILL.md', ...paths].map((path) => ({ path, size: 1, executable: path.startsWith('bin/') }))
  return { files, truncated, refused: [], withheld: { files: [], truncated: true, refused: [] } }
}

const numbered = (count: number, name: (n: string) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => name(String(n).padStart(3, '0')))
const notes = (count: number): readonly string[] => numbered(count, (n) => `a/${n}.md`)

describe('the summary of a folder', () => {
  it.each([0, 1, 49, 50])('[ACT-4] names all of %i files, and not the manifest', (count) => {
    expect(summariseFolder(listing(notes(count)), '')).toEqual({ files: notes(count), truncated: false })
  })

  it('[ACT-4] names 50 of more, and says how many each folder has', () => {
    const { files, ...rest } = summariseFolder(listing(notes(53)), '')
    expect(files).toEqual(notes(50))
    expect(rest).toEqual({ truncated: true, folders: [{ path: 'a', files: 53 }] })
  })

  it('[ACT-4] says of a listing that was cut that there are more, and not how many', () => {
    for (const count of [3, 53]) {
      const { files, ...rest } = summariseFolder(listing(notes(count), true), '')
      expect(files).toHaveLength(Math.min(count, 50))
      expect(rest).toEqual({ truncated: true, folders: [{ path: 'a', files: count }] })
    }
  })

  it('[ACT-4] names scripts and files that the body names before hundreds of others', () => {
    const icons = numbered(300, (n) => `assets/icons/${n}.svg`)
    const paths = [
      ...icons,
      'bin/tool',
      'data/eu tables.csv',
      'guide.md',
      'references/guide.md',
      'scripts/run.sh',
      'z.md',
    ]
    const body = 'Read [the guide](./references/guide.md#start), `z.md`, then [tables](data/eu%20tables.csv).'
    const { files, folders } = summariseFolder(listing(paths), body)
    expect(files.slice(0, 5)).toEqual([
      'data/eu tables.csv',
      'references/guide.md',
      'z.md',
      'bin/tool',
      'scripts/run.sh',
    ])
    expect(files).toContain('guide.md')
    expect(files).toHaveLength(50)
    expect(folders?.[0]).toEqual({ path: 'assets/icons', files: 300 })
    expect(folders).toContainEqual({ path: '.', files: 2 })
  })

  it('[ACT-4] names a file that the body names before hundreds of others, however its path is written', () => {
    const paths = ['docs/My Guide.md', 'docs/a(b).md', 'docs/w.md', 'data/x,y.csv']
    const body = 'See [a](<docs/My Guide.md>), [b](docs/a(b).md), [c](./data/x,y.csv) and docs\\w.md.'
    const others = numbered(300, (n) => `docs/${n}.png`)
    const { files } = summariseFolder(listing([...others, ...paths]), body)
    expect(new Set(files.slice(0, 4))).toEqual(new Set(paths))
  })

  it('[ACT-4] names a script before hundreds of others also outside of the folders for scripts', () => {
    const icons = numbered(300, (n) => `icons/${n}.svg`)
    const { files } = summariseFolder(listing([...icons, 'ooxml/tools/unpack.PY', 'scripts/a.sh', 'z.js']), '')
    expect(files.slice(0, 3)).toEqual(['scripts/a.sh', 'ooxml/tools/unpack.PY', 'z.js'])
  })

  it('[ACT-4] names a linked file also where scripts alone would fill the list', () => {
    const scripts = numbered(80, (n) => `scripts/${n}.sh`)
    const { files } = summariseFolder(listing(['references/guide.md', ...scripts]), 'See references/guide.md.')
    expect(files[0]).toBe('references/guide.md')
    expect(files.slice(1)).toEqual(scripts.slice(0, 49))
  })

  it('[ACT-4] names files of every folder before more of one', () => {
    const paths = [...notes(200), 'b/one.md', 'c/d/two.md']
    expect(summariseFolder(listing(paths), '').files).toEqual(
      expect.arrayContaining(['a/000.md', 'b/one.md', 'c/d/two.md']),
    )
  })

  it('[ACT-4] names each file once, at most 50, and counts all of them, whatever the folder and the body', () => {
    const path = fc.stringMatching(/^(?:(?:scripts|a|b|c\/d)\/)?[a-z]{1,2}\.(?:md|sh)$/)
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 120 }), fc.string(), (paths, body) => {
        const { files, folders } = summariseFolder(listing(paths), body)
        expect(new Set(files).size).toBe(files.length)
        expect(files.length).toBeLessThanOrEqual(50)
        if (folders !== undefined) expect(folders.reduce((sum, each) => sum + each.files, 0)).toBe(paths.length)
      }),
      { numRuns: runs(200) },
    )
  })
})
