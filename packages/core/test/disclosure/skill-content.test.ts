import { describe, expect, it } from 'vitest'
import { summariseFolder } from '../../src/disclosure/skill-content.ts'
import type { FolderListing } from '../../src/ports/folder.ts'

function listing(count: number, truncated: boolean): FolderListing {
  const names = ['SKILL.md', ...Array.from({ length: count }, (_, n) => `a/${String(n).padStart(3, '0')}.md`)]
  const files = names.map((path) => ({ path, size: 1, executable: false }))
  return { files, truncated, refused: [], withheld: { files: [], truncated: true, refused: [] } }
}

describe('the summary of a folder', () => {
  it.each([0, 1, 49, 50])('[ACT-4] names all of %i files, and not the manifest', (count) => {
    const { files, ...rest } = summariseFolder(listing(count, false))
    expect(files).toEqual(
      listing(count, false)
        .files.slice(1)
        .map(({ path }) => path),
    )
    expect(rest).toEqual({ truncated: false })
  })

  it('[ACT-4] names 50 of more, and says how many there are', () => {
    const { files, ...rest } = summariseFolder(listing(53, false))
    expect(files).toHaveLength(50)
    expect(files.at(-1)).toBe('a/049.md')
    expect(rest).toEqual({ truncated: true, more: 3 })
  })

  it('[ACT-4] says of a listing that was cut that there are more, and not how many', () => {
    for (const count of [3, 53]) {
      const { files, ...rest } = summariseFolder(listing(count, true))
      expect(files).toHaveLength(Math.min(count, 50))
      expect(rest).toEqual({ truncated: true })
    }
  })
})
