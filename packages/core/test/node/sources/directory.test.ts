import { appendFileSync, chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type FoundSkill, openRepertoire } from '../../../src/index.ts'
import { DIAGNOSTIC_CODES } from '../../../src/authoring.ts'
import { type DirectorySourceOptions, directorySource } from '../../../src/node/index.ts'
import { base, root, scan, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

const openDescriptors = (): number => readdirSync('/proc/self/fd').length

describe('a directory source', () => {
  it('[DISC-1] finds SKILL.md of the root and of the folders in it, and nothing deeper', async () => {
    write('SKILL.md')
    write('pdf/SKILL.md')
    write('pdf/examples/SKILL.md')
    write('group/deep/SKILL.md')
    write('notes.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['SKILL.md', 'pdf/SKILL.md'])
    expect(seen.diagnostics).toEqual([])
  })

  it('[DISC-1] is in the layer of the project unless the host says otherwise', () => {
    expect(directorySource({ root }).layer).toBe('project')
    expect(directorySource({ root, layer: undefined }).layer).toBe('project')
    expect(directorySource({ root, layer: 'plugin' }).layer).toBe('plugin')
  })

  it('[DISC-1] looks deeper by option, below skills too', async () => {
    write('pdf/SKILL.md')
    write('pdf/examples/SKILL.md')
    write('group/deep/SKILL.md')
    write('group/deep/er/SKILL.md')
    expect((await scan({ depth: 2 })).paths).toEqual(['pdf/SKILL.md', 'group/deep/SKILL.md', 'pdf/examples/SKILL.md'])
    expect((await scan({ depth: 0 })).paths).toEqual([])
    expect((await scan({ depth: 3 })).paths).toContain('group/deep/er/SKILL.md')
  })

  it('[DISC-1] ignores .git, node_modules and hidden folders silently', async () => {
    write('.git/SKILL.md')
    write('node_modules/SKILL.md')
    write('.hidden/SKILL.md')
    write('a/SKILL.md')
    symlinkSync(join(root, 'a'), join(root, '.linked'))
    expect(await scan()).toMatchObject({ paths: ['a/SKILL.md'], diagnostics: [] })
    expect((await scan({ hidden: true, followLinks: true })).paths).toEqual(['.hidden/SKILL.md', 'a/SKILL.md'])
  })

  it('[DISC-1] searches a root inside a hidden folder or node_modules', async () => {
    write('.agents/node_modules/x/SKILL.md')
    expect((await scan({ root: join(root, '.agents/node_modules') })).found).toHaveLength(1)
  })

  it('[DISC-2, FRONT-5] a root that does not exist is no error: it is reported, unless it is optional', async () => {
    writeFileSync(join(base, 'file'), '')
    symlinkSync(join(base, 'nowhere'), join(base, 'dangling'))
    for (const missing of ['none', 'none/skills', 'file/skills', 'dangling']) {
      const path = join(base, missing)
      const diagnostics = [{ code: 'ROOT_MISSING', severity: 'warning', path }]
      expect(await scan({ root: path })).toMatchObject({ found: [], diagnostics })
      expect(await scan({ root: path, optional: true })).toMatchObject({ found: [], diagnostics: [] })
    }
  })

  it('[FRONT-5] names the folder with skills in a root without any', async () => {
    write('.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: d\n---\n')
    const hintOf = async (path: string) => (await scan({ root: join(root, path) })).diagnostics[0]?.hint
    expect(await hintOf('')).toContain(`${join(root, '.claude/skills')} holds some`)
  })

  it('[FRONT-5] reports a root without skills, unless it is optional, or something else explains it', async () => {
    mkdirSync(join(root, 'empty'))
    mkdirSync(join(root, 'deep/a/b'), { recursive: true })
    write('deep/a/b/SKILL.md')
    write('hidden/.x/SKILL.md')
    for (const path of ['empty', 'deep', 'hidden']) {
      const named = join(root, path)
      expect((await scan({ root: named })).diagnostics).toMatchObject([
        { code: 'ROOT_WITHOUT_SKILLS', severity: 'warning' },
      ])
      expect((await scan({ root: named, optional: true })).diagnostics).toEqual([])
    }
    expect((await scan({ root: join(root, 'deep'), depth: 2 })).diagnostics).toEqual([])
    expect((await scan({ root: join(root, 'hidden'), hidden: true })).diagnostics).toEqual([])
    mkdirSync(join(root, 'linked'))
    symlinkSync(join(root, 'deep/a/b'), join(root, 'linked/b'))
    expect((await scan({ root: join(root, 'linked') })).diagnostics).toMatchObject([{ code: 'SKILL_FOLDER_LINKED' }])
    expect((await scan({ root: join(root, 'deep/a/b') })).diagnostics).toEqual([])
  })

  it('[DISC-3] reports a root that is a file', async () => {
    const { diagnostics } = await scan({ root: write('file.txt') })
    expect(diagnostics).toEqual([
      {
        code: 'ROOT_NOT_A_FOLDER',
        severity: 'error',
        path: join(root, 'file.txt'),
        message: expect.stringContaining(join(root, 'file.txt')),
        hint: expect.any(String),
      },
    ])
  })

  it('[DISC-6] visits in the order of code units, whatever the order of creation and the locale', async () => {
    for (const name of ['ä', 'b', 'Z', 'a-b', 'a', 'é', '10', '9', '技能', '\u{1F600}', '\uFF5E'])
      write(`${name}/SKILL.md`)
    const names = (await scan()).found.map(({ folderName }) => folderName)
    expect(names).toEqual(['10', '9', 'Z', 'a', 'a-b', 'b', 'ä', 'é', '技能', '\u{1F600}', '\uFF5E'])
  })

  it('[DISC-6] sees shallow skills before deep ones', async () => {
    write('a/b/SKILL.md')
    write('z/SKILL.md')
    expect((await scan({ depth: 2 })).paths).toEqual(['z/SKILL.md', 'a/b/SKILL.md'])
  })

  it('[DISC-4] has the given layer and id, and by default an id that names the root', () => {
    expect(directorySource({ root, layer: 'plugin' })).toMatchObject({ layer: 'plugin', id: `directory:${root}` })
    expect(directorySource({ root, layer: 'bundled', id: 'mine' }).id).toBe('mine')
  })

  it('[DISC-11, ABUSE-22] loads nothing of an untrusted root, and reports it', async () => {
    write('pdf/SKILL.md')
    const seen = await scan({ trusted: false })
    expect(seen.found).toEqual([])
    expect(seen.diagnostics).toMatchObject([{ code: 'WORKSPACE_UNTRUSTED', severity: 'warning', path: root }])
  })

  it('refuses invalid options', () => {
    const options = { root, layer: 'personal' } as const
    const wrong: Partial<Record<keyof DirectorySourceOptions, unknown>>[] = [
      { root: '' },
      { root: 7 },
      { layer: 'user' },
      { layer: null },
      { depth: -1 },
      { depth: 65 },
      { depth: 1.5 },
      { depth: Number.POSITIVE_INFINITY },
      { maxFolders: 0 },
      { hardLinks: 'yes' },
    ]
    for (const change of wrong) {
      const message = `directorySource: \`${Object.keys(change)[0]}\` is `
      expect(() => directorySource({ ...options, ...change } as DirectorySourceOptions)).toThrow(message)
    }
    expect(() => directorySource({ ...options, depth: 64 })).not.toThrow()
  })
})

describe('what a visitor is shown', () => {
  it('[CAT-1] is the folder, its name, the manifest’s path and its size', async () => {
    const path = write('pdf/SKILL.md', 'é'.repeat(10))
    const { found } = await scan()
    expect(found).toMatchObject([
      { folderName: 'pdf', fileName: 'SKILL.md', path, size: 20, folder: { location: join(root, 'pdf') } },
    ])
    expect(new TextDecoder().decode(await found[0]!.folder.readManifest())).toBe('é'.repeat(10))
  })

  it('[CAT-1, NFR-3] includes the first 4 KiB of a manifest, or all of it', async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => `${index} `).join('')
    write('a/SKILL.md', content)
    write('b/SKILL.md', 'short')
    write('c/SKILL.md', '')
    const heads = (await scan()).found.map(({ head }) => new TextDecoder().decode(head))
    expect(heads).toEqual([content.slice(0, 4096), 'short', ''])
  })

  it('[ABUSE-23] shows no more of a manifest than it held when it was opened, though it grows', async () => {
    const path = write('a/SKILL.md', 'before')
    await scan({}, ({ size, head }) => {
      appendFileSync(path, 'after')
      expect(size).toBe(6)
      expect(new TextDecoder().decode(head)).toBe('before')
    })
  })

  it.runIf(process.platform === 'linux')(
    '[DISC-3] closes every descriptor, also when whoever reads stops',
    async () => {
      write('a/SKILL.md')
      write('b/SKILL.md')
      mkdirSync(join(root, 'c/SKILL.md'), { recursive: true })
      const before = openDescriptors()
      await scan()
      await expect(
        scan({}, () => {
          throw new Error('the reader’s own')
        }),
      ).rejects.toThrow('the reader’s own')
      expect(openDescriptors()).toBe(before)
    },
  )

  it('[CAT-4] stays separate in concurrent scans', async () => {
    for (let index = 0; index < 50; index++) write(`skill-${index}/SKILL.md`, `number ${index}`)
    const visit = (shown: FoundSkill): void => {
      const start = performance.now()
      while (performance.now() - start < 1);
      expect(new TextDecoder().decode(shown.head)).toBe(`number ${shown.folderName.slice('skill-'.length)}`)
    }
    const scans = await Promise.all([scan({}, visit), scan({}, visit), scan({}, visit)])
    expect(scans.map(({ found }) => found.length)).toEqual([50, 50, 50])
  })
})

describe('diagnostics', () => {
  it('[DISC-3] have a sentence for every code', () => {
    for (const [code, sentence] of Object.entries(DIAGNOSTIC_CODES)) {
      expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)+$/)
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('a skill on a disk', () => {
  it('[GATE-4] has its scripts kept from read tools by either spelling of a root that is a link', async () => {
    write('pdf/SKILL.md', '---\nname: pdf\ndescription: A skill.\n---\n')
    write('pdf/scripts/.fill', '')
    chmodSync(join(root, 'pdf/scripts/.fill'), 0o755)
    symlinkSync(root, join(base, 'link'))
    const repertoire = await openRepertoire({
      sources: [directorySource({ root: join(base, 'link'), layer: 'personal' })],
    })
    const session = openAdapterSession(repertoire, { hostTools: ['Read'], consent: () => true })
    await session.call({ id: '1', tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)
    expect(session.state.active).toMatchObject([{ location: join(base, 'link/pdf'), alias: join(root, 'pdf') }])
    for (const folder of [join(base, 'link/pdf'), join(root, 'pdf')]) {
      const read = { id: '2', tool: 'Read', input: { file_path: join(folder, 'scripts/.fill') } }
      expect(await session.call(read, () => 'ran')).toMatchObject({ refusal: { code: 'SCRIPT_READ_BLOCKED' } })
    }
  })

  it('[ASK-2, ABUSE-92] is asked about again after a change of a hidden file, and not after one of .git', async () => {
    write('pdf/SKILL.md', '---\nname: pdf\ndescription: A skill.\n---\n')
    write('pdf/scripts/.lib.sh', 'a')
    write('pdf/.git/index', 'a')
    const repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'personal' })] })
    const asked: string[] = []
    const session = openAdapterSession(repertoire, { consent: ({ digest = '' }) => asked.push(digest) > 0 })
    const activate = async (id: string): Promise<void> => {
      await session.call({ id, tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)
      await session.call({ id: `${id}-left`, tool: 'deactivate_skill', input: {} }, () => undefined)
    }
    await activate('1')
    write('pdf/.git/index', 'b')
    await activate('2')
    expect(asked).toHaveLength(1)
    write('pdf/scripts/.lib.sh', 'b')
    await activate('3')
    expect(asked).toHaveLength(2)
    expect(asked[0]).not.toBe(asked[1])
    write('pdf/node_modules/x.js')
    await activate('4')
    await activate('5')
    expect(asked).toHaveLength(4)
  })
})
