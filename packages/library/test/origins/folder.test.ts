import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { openFileStore, resolveOrigin } from '@repertoire/library'
import { temporaryFolder } from '../temporary-folder.ts'
import { skillText } from './skill-text.ts'

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

async function pathsIn(
  files: Readonly<Record<string, string>>,
  skills?: readonly string[],
): Promise<readonly string[]> {
  const origin = await resolveOrigin(folderOf(files))
  const fetched = await origin.fetch(skills === undefined ? {} : { skills })
  return fetched.skills.map(({ path }) => path)
}

describe('a folder as an origin', () => {
  it('[LIB-5] gives its skills byte for byte, with what is executable', async () => {
    const root = folderOf({
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/pdf/scripts/run.sh': '#!/bin/sh\n',
      'skills/pdf/.hidden': 'kept',
      'README.md': 'not a skill',
    })
    chmodSync(join(root, 'skills/pdf/scripts/run.sh'), 0o755)
    const origin = await resolveOrigin('./skills', { cwd: root })
    expect(origin.resolved).toEqual({ source: './skills', sourceType: 'local' })
    const steps: unknown[] = []
    const { skills, diagnostics } = await origin.fetch({ onProgress: (step) => steps.push(step) })
    expect(diagnostics).toEqual([])
    expect(skills.map(({ name, path }) => [name, path])).toEqual([['pdf', 'pdf/SKILL.md']])
    const files = [...skills[0]!.files].map(([path, { bytes, executable = false }]) => [
      path,
      Buffer.from(bytes).toString(),
      executable,
    ])
    expect(files).toEqual([
      ['.hidden', 'kept', false],
      ['SKILL.md', skillText('pdf'), false],
      ['scripts/run.sh', '#!/bin/sh\n', true],
    ])
    expect(steps).toEqual([{ kind: 'judged', count: 3, total: 3 }])
  })

  // Other systems write no such name.
  it.skipIf(process.platform !== 'linux')(
    '[LIB-5] refuses a name that is not UTF-8 in a skill, and beside it goes on',
    async () => {
      const root = folderOf({ 'pdf/SKILL.md': skillText('pdf'), 'csv/SKILL.md': skillText('csv') })
      for (const folder of [root, join(root, 'csv')]) {
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9])]), 'x')
        mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe8])]))
      }
      const origin = await resolveOrigin(root)
      expect((await origin.fetch({ skills: ['pdf'] })).skills).toHaveLength(1)
      await expect(origin.fetch()).rejects.toThrow(/is not UTF-8/)
    },
  )

  it('[LIB-5] refuses a skill of which Git LFS has a file, by its path', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
    const files = { 'lfs/SKILL.md': skillText('lfs'), 'lfs/model.bin': pointer, 'doc/SKILL.md': skillText('doc') }
    const refused = {
      code: 'ORIGIN_REFUSED',
      path: 'lfs/model.bin',
      message: expect.stringContaining('Git LFS') as string,
    }
    await expect(pathsIn(files)).rejects.toMatchObject(refused)
    // A text about it is not one.
    const about = { ...files, 'doc/lfs.md': `A pointer:\n${pointer}` }
    expect(await pathsIn(about, ['doc'])).toEqual(['doc/SKILL.md'])
  })

  it('[LIB-5] offers the first layout that it has, and finds the others by name', async () => {
    const files = {
      'skills/a/SKILL.md': skillText('a'),
      'skills/group/b/SKILL.md': skillText('b'),
      'plugins/p/skills/c/SKILL.md': skillText('c'),
      'template/SKILL.md': skillText('template'),
      '.claude/skills/a/SKILL.md': skillText('a'),
      'skills/a/examples/inner/SKILL.md': skillText('inner'),
      'node_modules/x/skills/d/SKILL.md': skillText('d'),
    }
    expect(await pathsIn(files)).toEqual(['skills/a/SKILL.md', 'skills/group/b/SKILL.md'])
    expect(await pathsIn(files, ['c'])).toEqual(['plugins/p/skills/c/SKILL.md'])
    const rest = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('skills/')))
    expect(await pathsIn(rest)).toEqual(['.claude/skills/a/SKILL.md'])
    const { '.claude/skills/a/SKILL.md': _c, ...plugins } = rest
    expect(await pathsIn(plugins)).toEqual(['plugins/p/skills/c/SKILL.md'])
    expect(await pathsIn(files, ['template', 'a'])).toEqual(['skills/a/SKILL.md', 'template/SKILL.md'])
    expect(await pathsIn(files, ['inner'])).toEqual(['skills/a/examples/inner/SKILL.md'])
    await expect(pathsIn(files, ['d'])).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    await expect(pathsIn(files, ['tmplate'])).rejects.toMatchObject({ nearest: ['template'] })
    await expect(pathsIn(files, ['*'])).rejects.toThrow('has no skill "*".')
    expect(await pathsIn({ 'SKILL.md': skillText('whole'), 'x/SKILL.md': skillText('x') })).toEqual(['SKILL.md'])
    await expect(pathsIn({ 'a/skill.md': 'x' })).rejects.toThrow(/a\/skill\.md would have to be named SKILL\.md/)
  })

  it('[LIB-5] refuses two skills of one name, with both paths', async () => {
    const files = { 'skills/a/SKILL.md': skillText('a'), 'skills/x/a/SKILL.md': skillText('a') }
    await expect(pathsIn(files)).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('skills/a/SKILL.md and skills/x/a/SKILL.md') as string,
    })
  })

  it('[LIB-5] gives a skill whose name no folder can have everywhere the nearest one, and changes nothing in it', async () => {
    const text = skillText('PDF Forms')
    const origin = await resolveOrigin(folderOf({ 'forms/SKILL.md': text }))
    for (const skills of [['PDF Forms'], ['pdf-forms']]) {
      const [skill] = (await origin.fetch({ skills })).skills
      expect(skill!.name).toBe('pdf-forms')
      expect(Buffer.from(skill!.files.get('SKILL.md')!.bytes).toString()).toBe(text)
      const store = await openFileStore({ root: temporaryFolder(), layer: 'project' })
      await store.replace(skill!.name, skill!.files)
      expect((await store.get('pdf-forms')).manifest.name).toBe('PDF Forms')
    }
    const twins = { 'a/SKILL.md': text, 'b/SKILL.md': skillText('pdf-forms') }
    await expect(pathsIn(twins)).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[LIB-5] refuses all where one manifest is not loaded, with its line', async () => {
    const files = { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': '---\nname: b\ndescription: &x y\n---\n' }
    await expect(pathsIn(files)).rejects.toMatchObject({ code: 'MANIFEST_INVALID', path: 'b/SKILL.md', line: 3 })
    expect(await pathsIn(files, ['a'])).toEqual(['a/SKILL.md'])
  })

  it('[ABUSE-160] offers no skill of tests, fixtures, examples or hidden folders, and lets none refuse the others', async () => {
    const fixtures = {
      'tests/fixtures/x/skills/plane/SKILL.md': skillText('plane'),
      'examples/broken/SKILL.md': '---\nname: [\n---\n',
      '.github/skills/own/SKILL.md': skillText('own'),
    }
    const files = { ...fixtures, 'tools/plane/SKILL.md': skillText('plane'), 'saw/SKILL.md': skillText('saw') }
    expect(await pathsIn(files)).toEqual(['tools/plane/SKILL.md', 'saw/SKILL.md'])
    expect(await pathsIn(files, ['plane', 'own'])).toEqual(['.github/skills/own/SKILL.md', 'tools/plane/SKILL.md'])
    await expect(pathsIn(fixtures)).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      message: expect.stringMatching(/such as \.github\/skills\/own\. Take one with --skill/) as string,
    })
  })

  it('[LIB-10] names what a marketplace says to be elsewhere, beside its own skills and if it has none', async () => {
    const plugins = [
      { name: 'far', source: { source: 'github', repo: 'acme/far' } },
      { name: 'near', source: './plugins/near' },
    ]
    const market = { '.claude-plugin/marketplace.json': JSON.stringify({ name: 'team', plugins }) }
    await expect(pathsIn(market)).rejects.toThrow(/plugins elsewhere: far \(acme\/far\)\. Add them from there/)
    const root = folderOf({ ...market, 'plugins/near/skills/pdf/SKILL.md': skillText('pdf') })
    const { skills, diagnostics } = await (await resolveOrigin(root)).fetch()
    expect(skills.map(({ name }) => name)).toEqual(['pdf'])
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('far (acme/far)')])
  })

  it('[LIB-10] stores a link to a file of the same skill as that file', async () => {
    const root = folderOf({ 'a/SKILL.md': skillText('a'), 'a/docs/AGENTS.md': 'Text.', 'b/SKILL.md': skillText('b') })
    symlinkSync('docs/AGENTS.md', join(root, 'a/CLAUDE.md'))
    symlinkSync('../SKILL.md', join(root, 'a/docs/back'))
    const [skill] = (await (await resolveOrigin(root)).fetch()).skills
    const texts = [...skill!.files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()])
    expect(texts).toEqual([
      ['CLAUDE.md', 'Text.'],
      ['SKILL.md', skillText('a')],
      ['docs/AGENTS.md', 'Text.'],
      ['docs/back', skillText('a')],
    ])
    for (const target of ['CLAUDE.md', '../b/SKILL.md', '/etc/hostname', 'nowhere']) {
      symlinkSync(target, join(root, 'a/bad'))
      const origin = await resolveOrigin(root)
      await expect(origin.fetch()).rejects.toMatchObject({
        path: 'a/bad',
        message: expect.stringMatching(
          /leads to no file or folder of the same skill.*To go on without: --skill b \(in code/,
        ) as string,
      })
      rmSync(join(root, 'a/bad'))
    }
  })

  it('[LIB-10] stores a link to a folder of the same skill as the files of that folder', async () => {
    const root = folderOf({
      'a/SKILL.md': skillText('a'),
      'a/references/en/b.md': 'B',
      'a/references/c.md': 'C',
      'b/SKILL.md': skillText('b'),
    })
    symlinkSync('en', join(root, 'a/references/us'))
    symlinkSync('references/en/', join(root, 'a/docs'))
    const [skill] = (await (await resolveOrigin(root)).fetch()).skills
    expect([...skill!.files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['SKILL.md', skillText('a')],
      ['docs/b.md', 'B'],
      ['references/c.md', 'C'],
      ['references/en/b.md', 'B'],
      ['references/us/b.md', 'B'],
    ])
    // To a folder with a link, to the folder that it is in, and out of the skill.
    for (const target of ['references', '.', './', '../a', '..', '../b', '/']) {
      symlinkSync(target, join(root, 'a/bad'))
      await expect((await resolveOrigin(root)).fetch()).rejects.toMatchObject({ path: 'a/bad' })
      rmSync(join(root, 'a/bad'))
    }
  })

  it('[LIB-5] refuses a skill with a link, and names it', async () => {
    const root = folderOf({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') })
    symlinkSync('/etc/hostname', join(root, 'a/secret.txt'))
    const origin = await resolveOrigin(root)
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'ORIGIN_REFUSED', path: 'a/secret.txt' })
    expect((await origin.fetch({ skills: ['b'] })).skills).toHaveLength(1)
  })

  it('[ABUSE-71] refuses a name that is a path', async () => {
    for (const name of ['../../x', '/x', 'con', '"a\\\\b"']) {
      await expect(pathsIn({ 'a/SKILL.md': skillText(name) })).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
    }
  })

  it('[LIB-5] heeds what was asked for: progress, a signal, a size, and a revision, which no folder has', async () => {
    const root = folderOf({ 'a/SKILL.md': skillText('a') })
    const steps: unknown[] = []
    const origin = await resolveOrigin(root, { onProgress: ({ kind }) => steps.push(kind) })
    await origin.fetch()
    expect(steps).toEqual(['judged'])
    const enough = new AbortController()
    const stopped = await resolveOrigin(root, { signal: enough.signal })
    enough.abort(new Error('enough'))
    await expect(stopped.fetch()).rejects.toThrow('enough')
    await expect((await resolveOrigin(root, { maxBytes: 10 })).fetch()).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
    })
    await expect(resolveOrigin(root, { revision: 'a'.repeat(40) })).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[LIB-5] says what is not there', async () => {
    await expect(resolveOrigin('./nowhere')).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    await expect(resolveOrigin('nowhere')).rejects.toMatchObject({ code: 'ORIGIN_INVALID' })
  })
})
