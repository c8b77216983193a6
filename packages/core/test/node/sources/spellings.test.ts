import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, scan, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

describe('a directory source with other spellings', () => {
  it('visits another spelling if there is no SKILL.md, under the name that it has', async () => {
    write('a/skill.md')
    write('b/Skill.md')
    write('c/SKILL.MD')
    write('d/sKiLl.Md')
    write('e/SKILL.txt')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ fileName }) => fileName)).toEqual(['skill.md', 'Skill.md', 'SKILL.MD', 'sKiLl.Md'])
      expect(diagnostics).toEqual([])
      expect(await found[0]!.folder.readManifest()).toHaveLength(16)
    }
  })

  // Where the file system ignores case there is only ever one of them.
  it.runIf(process.platform === 'linux')('reads SKILL.md, whatever spelling is beside it', async () => {
    write('a/SKILL.md', 'right')
    write('a/skill.md', 'wrong')
    write('a/SKILL.MD', 'wrong')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ path }) => path)).toEqual([join(root, 'a/SKILL.md')])
      expect(diagnostics).toEqual([])
    }
  })

  it.runIf(process.platform === 'linux')('reads the first of several other spellings', async () => {
    write('a/skill.md')
    write('a/Skill.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['a/Skill.md'])
  })
})
