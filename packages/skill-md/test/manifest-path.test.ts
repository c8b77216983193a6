import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseManifestPath } from '../src/internal.ts'

describe('the place of a manifest', () => {
  it.each([
    ['/skills/pdf/SKILL.md', 'pdf', 'SKILL.md'],
    ['C:\\skills\\pdf\\SKILL.md', 'pdf', 'SKILL.md'],
    ['memory:pdf/skill.md', 'memory:pdf', 'skill.md'],
    ['/SKILL.md', '', 'SKILL.md'],
  ])('[MAN-1] %s: the folder "%s", the file "%s"', (path, folderName, fileName) => {
    expect(parseManifestPath(path)).toEqual({ path, folderName, fileName })
  })

  it('[MAN-1] is the last two parts of any path', () => {
    const text = fc.string({ unit: fc.constantFrom('/', '\\', 'a', '.', 'ä') })
    fc.assert(
      fc.property(text, (path) => {
        const [folderName = '', fileName = ''] = path.split(/[/\\]/).slice(-2)
        expect(parseManifestPath(path)).toEqual({ path, folderName, fileName })
      }),
    )
  })
})
