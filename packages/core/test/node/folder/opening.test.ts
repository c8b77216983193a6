import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { skillFolder } from '../../../src/node/index.ts'
import { base, skill, text, useTemporarySkill } from './temporary-skill.ts'

useTemporarySkill()

describe('skillFolder', () => {
  it('resolves a relative path against the working folder at that moment', async () => {
    const before = process.cwd()
    const folder = skillFolder(join(skill, '..', 'pdf', '.'))
    expect(folder.location).toBe(skill)
    expect(process.cwd()).toBe(before)
  })

  it('[ABUSE-16] refuses a folder that is a link, unless it is told to follow it', async () => {
    symlinkSync(skill, join(base, 'link'))
    expect(() => skillFolder(join(base, 'link'))).toThrow(expect.objectContaining({ code: 'RESOURCE_REFUSED' }))
    const folder = skillFolder(join(base, 'link'), { followLinks: true })
    expect(folder.location).toBe(skill)
    expect(folder.alias).toBe(join(base, 'link'))
    expect(await text(folder.readManifest())).toBe('manifest')
  })

  it('opens a folder that lies behind a link', async () => {
    symlinkSync(base, join(base, 'up'))
    const folder = skillFolder(join(base, 'up/pdf'))
    expect(await text(folder.readManifest())).toBe('manifest')
    expect([folder.location, folder.alias]).toEqual([join(base, 'up/pdf'), skill])
    expect(skillFolder(skill)).not.toHaveProperty('alias')
  })

  it('names what to pass if there is no folder', () => {
    const missing = expect.objectContaining({ code: 'RESOURCE_NOT_FOUND' })
    expect(() => skillFolder(join(base, 'none'))).toThrow(missing)
    expect(() => skillFolder(join(skill, 'SKILL.md'))).toThrow(missing)
    expect(() => skillFolder(join(skill, 'SKILL.md/x'))).toThrow(missing)
  })

  it('refuses invalid options', () => {
    expect(() => skillFolder('')).toThrow('pass the path of a folder')
    expect(() => skillFolder(skill, { hardLinks: 'no' as 'allow' })).toThrow('`hardLinks` is "no"')
  })
})
