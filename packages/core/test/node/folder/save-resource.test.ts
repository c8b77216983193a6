import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ConsentRequest, memorySource, openRepertoire } from '../../../src/index.ts'
import { directorySource, skillFolder, saveResource } from '../../../src/node/index.ts'
import { base, codeOf, skill, useTemporarySkill, write } from './temporary-skill.ts'

useTemporarySkill()

const save = (path: string, bytes: Uint8Array | string = 'new', options = {}): Promise<void> =>
  saveResource({ folder: skillFolder(skill) }, path, bytes, options)

describe('saving a resource', () => {
  it('[RES-4] writes to that path inside the skill, and makes the folders on the way', async () => {
    await save('scripts/deep/run.sh', '#!/bin/sh\n', { executable: true })
    await save('data.bin', new Uint8Array([0, 255, 10]))
    expect(readFileSync(join(skill, 'scripts/deep/run.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(statSync(join(skill, 'scripts/deep/run.sh')).mode & 0o111).toBe(0o111)
    expect([...readFileSync(join(skill, 'data.bin'))]).toEqual([0, 255, 10])
    expect(readdirSync(skill).toSorted()).toEqual(['SKILL.md', 'data.bin', 'scripts'])
  })

  it('[RES-4] saves the given bytes, even if they change while it starts', async () => {
    const fresh = '../../../src/node/folder/save-resource.ts?program=first'
    const first = (await import(/* @vite-ignore */ fresh)) as { readonly saveResource: typeof saveResource }
    const bytes = new Uint8Array([1, 2])
    const options = { executable: false }
    const saving = first.saveResource({ folder: skillFolder(skill) }, 'data.bin', bytes, options)
    bytes.fill(9)
    options.executable = true
    await saving
    expect([...readFileSync(join(skill, 'data.bin'))]).toEqual([1, 2])
    expect(statSync(join(skill, 'data.bin')).mode & 0o111).toBe(0)
  })

  it('[RES-4] replaces a file in one step, with its permissions', async () => {
    const path = write('run.sh')
    chmodSync(path, 0o700)
    await save('run.sh')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o700])
    await save('run.sh', 'newer', { executable: false })
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['newer', 0o600])
  })

  it('[RES-4] refuses paths that leave the folder', async () => {
    for (const path of ['../x', 'a/../../x', '/etc/x', 'a//b', '', '.', 'a\\b', 'a\0b', '%2e%2e/x', 'c:/x']) {
      expect([path, await codeOf(save(path))]).toEqual([path, 'RESOURCE_PATH_INVALID'])
    }
    expect(readdirSync(base)).toEqual(['pdf'])
  })

  it('[RES-4, ABUSE-71] refuses names that not every system can have, and a second spelling of a name', async () => {
    const unportable = ['con', 'a/nul.txt', 'a:b', 'end.', 'end ', 'a\nb', 'a\u202Eb', 'a\u200Bb', 'com\u00B2.md']
    for (const path of [...unportable, `${'d/'.repeat(20)}x`, `${'\u00E9'.repeat(130)}.md`]) {
      expect([path, await codeOf(save(path))]).toEqual([path, 'RESOURCE_PATH_INVALID'])
    }
    await save('r.md')
    await save('docs/stra\u00DFe.md')
    for (const path of ['R.md', 'Docs/b.md', 'docs/STRASSE.md', 'r.MD']) {
      expect([path, await codeOf(save(path))]).toEqual([path, 'RESOURCE_REFUSED'])
    }
    await save('r.md', 'again')
    expect(readdirSync(skill).toSorted()).toEqual(['SKILL.md', 'docs', 'r.md'])
  })

  it('[RES-4] refuses the manifest, hidden files, .git and node_modules', async () => {
    for (const path of [
      'SKILL.md',
      './skill.md',
      '.env',
      'a/.hidden/b',
      '.git/hooks/pre-commit',
      'node_modules/x.js',
    ]) {
      expect([path, await codeOf(save(path))]).toEqual([path, 'RESOURCE_REFUSED'])
    }
    expect(readdirSync(skill)).toEqual(['SKILL.md'])
  })

  it('[RES-4, ABUSE-26, ABUSE-30] never writes through a link, and refuses folders and devices', async () => {
    mkdirSync(join(base, 'outside'))
    write('../outside/file', 'secret')
    mkdirSync(join(skill, 'folder'))
    symlinkSync(join(base, 'outside'), join(skill, 'linked'))
    symlinkSync(join(base, 'outside/file'), join(skill, 'file'))
    symlinkSync(join(base, 'outside/none'), join(skill, 'dangling'))
    execFileSync('mkfifo', [join(skill, 'fifo')])
    for (const path of ['linked/new', 'linked', 'file', 'dangling', 'folder', 'fifo']) {
      expect([path, await codeOf(save(path))]).toEqual([path, 'RESOURCE_REFUSED'])
    }
    expect(readdirSync(join(base, 'outside'))).toEqual(['file'])
    expect(readFileSync(join(base, 'outside/file'), 'utf8')).toBe('secret')
  })

  it('[RES-4, ABUSE-26] refuses a skill whose folder is reached through a link now', async () => {
    const folder = skillFolder(skill)
    renameSync(skill, join(base, 'parked'))
    mkdirSync(join(base, 'outside'))
    symlinkSync(join(base, 'outside'), skill)
    expect(await codeOf(saveResource({ folder }, 'x', 'x'))).toBe('RESOURCE_REFUSED')
    expect(readdirSync(join(base, 'outside'))).toEqual([])
  })

  it('[RES-4] leaves a file’s other name as it is', async () => {
    const other = write('../other', 'kept')
    linkSync(other, join(skill, 'shared'))
    await save('shared')
    expect([readFileSync(other, 'utf8'), readFileSync(join(skill, 'shared'), 'utf8')]).toEqual(['kept', 'new'])
  })

  it('[RES-4] refuses what is too large, what is not bytes, and a file where a folder is needed', async () => {
    write('file')
    expect(await codeOf(save('big', new Uint8Array(10 * 2 ** 20 + 1)))).toBe('RESOURCE_TOO_LARGE')
    expect(await codeOf(save('file/below'))).toBe('FOLDER_NOT_WRITABLE')
    await expect(save('x', 5 as unknown as string)).rejects.toThrow('pass the content as bytes')
    expect(readdirSync(skill).toSorted()).toEqual(['SKILL.md', 'file'])
  })

  it('[RES-4] refuses a skill that is not in a folder on disk', async () => {
    const manifest = '---\nname: pdf\ndescription: Reads PDF.\n---\n'
    const { catalog } = await openRepertoire({
      sources: [memorySource({ layer: 'project', id: 'memory', skills: { pdf: { 'SKILL.md': manifest } } })],
    })
    expect(await codeOf(saveResource(catalog.get('pdf'), 'x', 'x'))).toBe('FOLDER_NOT_WRITABLE')
  })

  it('[RES-4, ASK-2] ends an earlier consent, since the folder has another digest', async () => {
    write('SKILL.md', '---\nname: pdf\ndescription: Reads PDF.\n---\nDo it.\n')
    const repertoire = await openRepertoire({ sources: [directorySource({ root: base, layer: 'project' })] })
    const asked: string[] = []
    const consent = ({ digest = '' }: ConsentRequest): boolean => asked.push(digest) > 0
    await repertoire.runTask({ consent }, async (session) => {
      let calls = 0
      const call = async (tool: string): Promise<boolean> => {
        const { ok } = await session.call({ id: `${calls++}`, tool, input: { name: 'pdf' } }, () => undefined)
        return ok
      }
      const again = async (): Promise<readonly boolean[]> => [
        await call('deactivate_skill'),
        await call('activate_skill'),
      ]
      expect(await call('activate_skill')).toBe(true)
      expect(await again()).toEqual([true, true])
      expect(asked).toHaveLength(1)
      await saveResource(repertoire.catalog.get('pdf'), 'references/guide.md', 'Read this.')
      expect(await again()).toEqual([true, true])
      expect(asked).toHaveLength(2)
      expect(asked[0]).not.toBe(asked[1])
    })
  })
})
