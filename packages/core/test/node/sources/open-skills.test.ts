import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSkills } from '../../../src/node/index.ts'
import { base, root, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

const manifest = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n`

describe('openSkills', () => {
  it('[DISC-1] opens the skills of one folder, in the layer of the project', async () => {
    write('tidy/SKILL.md', manifest('tidy', 'Tidies.'))
    const { catalog } = await openSkills(root)
    expect(catalog.list()).toMatchObject([{ name: 'tidy', layer: 'project' }])
  })

  it('[DISC-6] prefers the first of several folders, and passes the options on', async () => {
    write('a/tidy/SKILL.md', manifest('tidy', 'The first.'))
    write('b/tidy/SKILL.md', manifest('tidy', 'The second.'))
    write('b/sort/SKILL.md', manifest('sort', 'Sorts.'))
    const folders = [join(root, 'a'), join(root, 'b')]
    const repertoire = await openSkills(folders, { layer: 'plugin', admit: { scripts: false } })
    expect(repertoire.catalog.get('tidy')).toMatchObject({ layer: 'plugin', manifest: { description: 'The first.' } })
    expect(repertoire.catalog.has('sort')).toBe(true)
    expect((await openSkills(folders, { enabled: false })).catalog.list()).toEqual([])
  })

  it('[DISC-2, FRONT-5] refuses folders that do not exist, and names the folder that was probably meant', async () => {
    write('tidy/SKILL.md', manifest('tidy', 'Tidies.'))
    const file = join(base, 'file')
    writeFileSync(file, '')
    const opening = openSkills([root, join(base, 'skill'), file])
    await expect(opening).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      message: expect.stringMatching(/^openSkills: .*\/skill does not exist[^]*\n.*\/file is a file/),
      path: join(base, 'skill'),
    })
    rmSync(file)
    await expect(openSkills(file, { enabled: false })).resolves.toBeDefined()
  })

  it.each([
    ['no folder', [[]], 'openSkills: there is no folder.'],
    ['a variable that is not set', [undefined], 'openSkills: `folders` is undefined. Give'],
    ['an object of options', [{ folders: './skills' }], 'openSkills: `folders` is an object. Give'],
    ['sources', ['./skills', { sources: [] }], 'openSkills: unknown option `sources`.'],
    ['a misspelled option', ['./skills', { polcy: {} }], 'Did you mean `policy`?'],
    ['an option of another one', ['./skills', { deny: [] }], 'unknown option `deny`. Did you mean `policy.deny`?'],
    ['an id for two folders', [['a', 'b'], { id: 'app' }], 'openSkills: `id` names one folder.'],
    ['consent', ['./skills', { consent: () => true }], 'openSkills: `consent` is an option of sessions. Give it to'],
  ])('[CFG-1] refuses %s', async (_, given, text) => {
    const opening = openSkills(...(given as unknown as Parameters<typeof openSkills>))
    await expect(opening).rejects.toThrow(TypeError)
    await expect(opening).rejects.toThrow(text)
  })
})
