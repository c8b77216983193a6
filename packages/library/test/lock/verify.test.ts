import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { skillFolder } from '@repertoire/core/node'
import { changeSkillsLock, packSkill, pinSkill, verifySkills } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'

const ORIGIN = { source: 'a/b', sourceType: 'github' }

function addSkill(folder: string, name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, name)
  const all = { 'SKILL.md': `---\nname: ${name}\ndescription: D.\n---\n`, ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(path, file, '..'), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  return path
}

async function lockedProject(files: Readonly<Record<string, string>>) {
  const project = temporaryFolder()
  const folder = join(project, '.agents', 'skills')
  const path = addSkill(folder, 'pdf', files)
  const pin = await pinSkill(skillFolder(path), 'c'.repeat(40))
  await changeSkillsLock(project, (skills) => void skills.set('pdf', { ...ORIGIN, ...pin }))
  const verify = () => verifySkills({ project })
  return { project, folder, path, pin, verify }
}

describe('verify', () => {
  it('[LIB-6] names folders without anything in them, and is content without them', async () => {
    const { verify, path } = await lockedProject({ 'scripts/run.sh': 'true\n' })
    expect(await verify()).toMatchObject({ ok: true })
    mkdirSync(join(path, 'scripts/empty/deep'), { recursive: true })
    expect(await verify()).toMatchObject({ ok: false, skills: [{ state: 'changed', added: ['scripts/empty/deep/'] }] })
  })

  it('[LIB-6] finds nothing if nothing was changed', async () => {
    const { verify, pin } = await lockedProject({ 'scripts/run.sh': 'true\n', '.hidden': 'h' })
    expect(Object.keys(pin.repertoire.files)).toEqual(['.hidden', 'SKILL.md', 'scripts/run.sh'])
    expect(pin.repertoire.revision).toBe('c'.repeat(40))
    const nothing = { edited: [], added: [], missing: [], mode: [] }
    const skills = [{ name: 'pdf', state: 'unchanged', ...nothing }]
    expect(await verify()).toEqual({ ok: true, skills, unknown: [], places: [] })
  })

  it('[LIB-6] finds the skills where the lock has them, and elsewhere by the options', async () => {
    const project = temporaryFolder()
    const pin = await pinSkill(skillFolder(addSkill(join(project, 'tools', 'skills'), 'pdf')))
    addSkill(join(project, 'other', 'skills'), 'csv')
    const state = async (more: object = {}): Promise<readonly string[]> => {
      const { skills } = await verifySkills({ project, ...more })
      return skills.map((skill) => `${skill.name} ${skill.state}`)
    }
    await changeSkillsLock(project, (skills) => void skills.set('pdf', { ...ORIGIN, ...pin }))
    expect(await state()).toEqual(['pdf missing'])
    expect(await state({ folder: 'tools/skills' })).toEqual(['pdf unchanged'])
    expect(await state({ folder: 'other/skills' })).toEqual(['csv unlocked', 'pdf missing'])
    const { repertoire } = pin
    const there = { ...ORIGIN, repertoire: { ...repertoire, folder: 'tools/skills' } }
    await changeSkillsLock(project, (skills) => void skills.set('pdf', there))
    expect(await state()).toEqual(['pdf unchanged'])
    expect(await state({ user: true })).toEqual([])
    addSkill(join(project, '.agents', 'skills'), 'csv')
    await changeSkillsLock(join(project, '.agents'), (skills) => void skills.set('csv', ORIGIN))
    expect(await state({ user: true })).toEqual(['csv unpinned'])
  })

  it('[LIB-6, LIB-12] pins and packs the folder of a skill, and says so if it is given a path', async () => {
    const { path } = await lockedProject({})
    for (const wrong of [path, undefined, null, { folder: path }]) {
      const error = { name: 'TypeError', message: expect.stringContaining('skillFolder') as string }
      await expect(pinSkill(wrong as never)).rejects.toMatchObject(error)
      await expect(packSkill(wrong as never, 'pdf')).rejects.toMatchObject(error)
    }
  })

  it('[LIB-14] names skills and links that lie in the folder of the store itself', async () => {
    const { verify, folder } = await lockedProject({})
    addSkill(join(folder, '.repertoire'), 'planted')
    symlinkSync('/etc', join(folder, '.repertoire', 'link'))
    writeFileSync(join(folder, '.repertoire', 'Skill.md'), 'x')
    writeFileSync(join(folder, '.repertoire', 'lock'), '')
    const { ok, skills } = await verify()
    expect(ok).toBe(false)
    expect(skills.flatMap(({ name, state }) => (state === 'unlocked' ? [name] : []))).toEqual([
      '.repertoire/Skill.md',
      '.repertoire/link',
      '.repertoire/planted',
    ])
  })

  it('[LIB-6] names every file that was edited, added, removed or made executable, hidden ones and links too', async () => {
    const { verify, path } = await lockedProject({ 'a.md': 'a', 'b.md': 'b', 'c.sh': 'c', '.env': 'x' })
    writeFileSync(join(path, 'a.md'), 'other')
    writeFileSync(join(path, '.env'), 'other')
    rmSync(join(path, 'b.md'))
    chmodSync(join(path, 'c.sh'), 0o755)
    writeFileSync(join(path, 'new.md'), 'new')
    symlinkSync('/etc/hostname', join(path, 'link.md'))
    const { ok, skills } = await verify()
    expect(ok).toBe(false)
    expect(skills).toEqual([
      {
        name: 'pdf',
        state: 'changed',
        edited: ['.env', 'a.md'],
        added: ['new.md', 'link.md'],
        missing: ['b.md'],
        mode: ['c.sh'],
      },
    ])
  })

  it('[LIB-6] tells skills that are missing, unpinned, not in the lock, or links', async () => {
    const { project, folder, verify } = await lockedProject({})
    addSkill(folder, 'unlocked')
    const path = addSkill(folder, 'theirs')
    addSkill(folder, 'other', { 'a.md': 'a' })
    symlinkSync(path, join(folder, 'linked'))
    const { computedHash } = await pinSkill(skillFolder(path))
    await changeSkillsLock(project, (skills) => {
      skills.set('gone', ORIGIN)
      skills.set('linked', ORIGIN)
      skills.set('theirs', { ...ORIGIN, computedHash })
      skills.set('other', { ...ORIGIN, computedHash })
    })
    const { ok, skills } = await verify()
    expect(ok).toBe(false)
    expect(skills.map(({ name, state, hashFits }) => [name, state, hashFits])).toEqual([
      ['gone', 'missing', undefined],
      ['linked', 'unreadable', undefined],
      ['other', 'unpinned', false],
      ['pdf', 'unchanged', undefined],
      ['theirs', 'unpinned', true],
      ['unlocked', 'unlocked', undefined],
    ])
  })

  it('[LIB-6, LIB-9] tells two folders apart that have one hash in the skills command', async () => {
    const { folder } = await lockedProject({})
    const script = '#!/bin/sh\n'
    const one = addSkill(folder, 'one', { 'references/a.md': `notes\nscripts/run.sh${script}` })
    const two = addSkill(folder, 'two', { 'references/a.md': 'notes\n', 'scripts/run.sh': script })
    writeFileSync(join(two, 'SKILL.md'), 'same')
    writeFileSync(join(one, 'SKILL.md'), 'same')
    const [first, second] = [await pinSkill(skillFolder(one)), await pinSkill(skillFolder(two))]
    expect(first.computedHash).toBe(second.computedHash)
    expect(first.repertoire).not.toEqual(second.repertoire)
  })

  it('[LIB-6] pins nothing of a folder that it cannot read whole', async () => {
    const folder = temporaryFolder()
    const path = addSkill(folder, 'pdf')
    symlinkSync('/etc/hostname', join(path, 'link.md'))
    await expect(pinSkill(skillFolder(path))).rejects.toMatchObject({
      code: 'RESOURCE_REFUSED',
      message: expect.stringContaining('link.md') as string,
    })
  })
})
