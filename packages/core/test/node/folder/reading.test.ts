import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { skillFolder } from '../../../src/node/index.ts'
import { base, codeOf, refusal, skill, text, useTemporarySkill, write } from './temporary-skill.ts'

useTemporarySkill()

describe('a skill’s folder', () => {
  it('[RES-2] returns the bytes of a file by its relative path', async () => {
    write('references/a/b.md', 'text')
    const folder = skillFolder(skill)
    expect(await text(folder.read('references/a/b.md'))).toBe('text')
    expect(await text(folder.read('./references/./a/b.md'))).toBe('text')
    expect(await text(folder.read('SKILL.md'))).toBe('manifest')
    expect(await text(folder.readManifest())).toBe('manifest')
  })

  it('[RES-2, ABUSE-29] returns binary and empty files byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256)
    write('assets/a.bin', bytes)
    write('assets/empty', '')
    const folder = skillFolder(skill)
    expect(new Uint8Array(await folder.read('assets/a.bin'))).toEqual(bytes)
    expect(await folder.read('assets/empty')).toHaveLength(0)
  })

  it('[RES-2] names a missing file and what to do', async () => {
    write('file')
    const folder = skillFolder(skill)
    for (const path of ['none', 'none/none', 'file/below', 'skill.MD', `${'x/'.repeat(2000)}x`, 'x'.repeat(4000)]) {
      expect([path, await codeOf(folder.read(path))]).toEqual([path, 'RESOURCE_NOT_FOUND'])
    }
    expect((await refusal(folder.read('none.md'))).message).toBe(
      `There is no file "none.md" in ${skill}. List the skill's files to see which there are.`,
    )
  })

  it('[RES-2, ABUSE-29] reads up to the bound, and nothing beyond it', async () => {
    write('a', 'x'.repeat(100))
    const folder = skillFolder(skill)
    expect(await folder.read('a', { maxBytes: 100 })).toHaveLength(100)
    expect(await codeOf(folder.read('a', { maxBytes: 99 }))).toBe('RESOURCE_TOO_LARGE')
    expect(await codeOf(folder.read('a', { maxBytes: 0 }))).toBe('RESOURCE_TOO_LARGE')
    write('b', '')
    expect(await folder.read('b', { maxBytes: 0 })).toHaveLength(0)
    for (const maxBytes of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(folder.read('a', { maxBytes })).rejects.toThrow('maxBytes is a whole number from 0 on')
    }
  })

  it('[RES-2, ABUSE-29] reads at most 10 MiB of a resource and 1 MiB of a manifest by default', async () => {
    write('a', new Uint8Array(10 * 1024 * 1024))
    write('b', new Uint8Array(10 * 1024 * 1024 + 1))
    const folder = skillFolder(skill)
    expect(await folder.read('a')).toHaveLength(10 * 1024 * 1024)
    expect(await codeOf(folder.read('b'))).toBe('RESOURCE_TOO_LARGE')
    write('SKILL.md', new Uint8Array(1024 * 1024))
    expect(await folder.readManifest()).toHaveLength(1024 * 1024)
    write('SKILL.md', new Uint8Array(1024 * 1024 + 1))
    expect(await codeOf(folder.readManifest())).toBe('RESOURCE_TOO_LARGE')
  })

  it('[ABUSE-29] refuses a file of a terabyte without the memory for it', async () => {
    execFileSync('truncate', ['-s', '1T', write('huge')])
    expect(await codeOf(skillFolder(skill).read('huge'))).toBe('RESOURCE_TOO_LARGE')
  })

  it('[RES-2] reads a large file whole and in order', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024 + 17)
    for (let index = 0; index < bytes.length; index += 1000) bytes[index] = (index / 1000) % 251
    write('large', bytes)
    expect(Buffer.compare(await skillFolder(skill).read('large'), bytes)).toBe(0)
  })

  it.runIf(process.platform === 'linux')('closes every descriptor, whatever happens', async () => {
    write('a/b/c')
    symlinkSync('/etc', join(skill, 'link'))
    const folder = skillFolder(skill)
    const before = readdirSync('/proc/self/fd').length
    const results = await Promise.allSettled([
      folder.read('a/b/c'),
      folder.read('a/b'),
      folder.read('a/b/none'),
      folder.read('link/passwd'),
      folder.read('link'),
      folder.read('a/b/c', { maxBytes: 0 }),
      folder.list(),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(readdirSync('/proc/self/fd')).toHaveLength(before)
  })
})

describe('what must not be read', () => {
  it('[RES-3, ABUSE-24] refuses what is not a path inside the folder', async () => {
    const folder = skillFolder(skill)
    for (const path of ['../pdf/SKILL.md', join(skill, 'SKILL.md'), '..\\x', '%2e%2e/x', 'a\0', 'file:SKILL.md']) {
      expect([path, await codeOf(folder.read(path))]).toEqual([path, 'RESOURCE_PATH_INVALID'])
    }
  })

  it('[RES-3, ABUSE-25] does not lead into a neighbour with a similar name', async () => {
    mkdirSync(join(base, 'pdf-evil'))
    writeFileSync(join(base, 'pdf-evil/secret'), 'secret')
    const folder = skillFolder(skill)
    expect(await codeOf(folder.read('../pdf-evil/secret'))).toBe('RESOURCE_PATH_INVALID')
    expect(await codeOf(folder.read('-evil/secret'))).toBe('RESOURCE_NOT_FOUND')
    symlinkSync('../pdf-evil', join(skill, 'in'))
    expect(await codeOf(folder.read('in/secret'))).toBe('RESOURCE_REFUSED')
  })

  it('[RES-3] refuses links to files and folders, inside the skill too', async () => {
    write('a/b.md')
    symlinkSync('a', join(skill, 'folder'))
    symlinkSync('a/b.md', join(skill, 'file'))
    symlinkSync('nowhere', join(skill, 'dangling'))
    symlinkSync('loop', join(skill, 'loop'))
    const folder = skillFolder(skill)
    for (const path of ['folder/b.md', 'file', 'dangling', 'loop', 'loop/x']) {
      const { code, message } = await refusal(folder.read(path))
      expect(code).toBe('RESOURCE_REFUSED')
      expect(message).toContain(`"${path.split('/')[0]}" is a link`)
    }
  })

  it('[ABUSE-15] refuses a manifest that became a link', async () => {
    const folder = skillFolder(skill)
    rmSync(join(skill, 'SKILL.md'))
    symlinkSync('/etc/passwd', join(skill, 'SKILL.md'))
    expect(await codeOf(folder.readManifest())).toBe('RESOURCE_REFUSED')
    rmSync(join(skill, 'SKILL.md'))
    expect(await codeOf(folder.readManifest())).toBe('RESOURCE_NOT_FOUND')
  })

  it('[ABUSE-27] refuses a hard link to a secret, unless the operator allows hard links', async () => {
    writeFileSync(join(base, 'secret'), 'secret')
    linkSync(join(base, 'secret'), join(skill, 'notes.txt'))
    const { code, message } = await refusal(skillFolder(skill).read('notes.txt'))
    expect(code).toBe('RESOURCE_REFUSED')
    expect(message).toContain('hard links')
    expect(await skillFolder(skill).list()).toMatchObject({
      files: [{ path: 'SKILL.md' }],
      refused: [{ path: 'notes.txt', reason: 'a hard link' }],
    })
    const allowing = skillFolder(skill, { hardLinks: 'allow' })
    expect(await text(allowing.read('notes.txt'))).toBe('secret')
    expect((await allowing.list()).refused).toEqual([])
  })

  it('[ABUSE-27] reads a manifest that is a hard link, and only the skill’s own', async () => {
    linkSync(join(skill, 'SKILL.md'), join(base, 'store'))
    write('a/SKILL.md')
    linkSync(join(skill, 'a/SKILL.md'), join(base, 'store-a'))
    const folder = skillFolder(skill)
    expect(await text(folder.readManifest())).toBe('manifest')
    expect(await text(folder.read('SKILL.md'))).toBe('manifest')
    expect(await codeOf(folder.read('a/SKILL.md'))).toBe('RESOURCE_REFUSED')
    expect((await folder.list()).files.map(({ path }) => path)).toEqual(['SKILL.md'])
  })

  it('[ABUSE-28] refuses devices and files of the kernel', async () => {
    symlinkSync('/dev/zero', join(skill, 'zero'))
    symlinkSync('/proc/self/environ', join(skill, 'environ'))
    symlinkSync('/dev', join(skill, 'dev'))
    const folder = skillFolder(skill)
    for (const path of ['zero', 'environ', 'dev/zero']) {
      expect([path, await codeOf(folder.read(path))]).toEqual([path, 'RESOURCE_REFUSED'])
    }
    // A device of our own needs rights that a test has not, so the folder is opened where devices are.
    expect((await refusal(skillFolder('/dev').read('zero'))).message).toContain('is a device')
  })

  it('[RES-3] refuses a folder, and says so', async () => {
    write('a/b')
    expect((await refusal(skillFolder(skill).read('a'))).message).toContain('it is a folder')
  })

  it('[ABUSE-31] refuses hidden files and node_modules by an explicit path', async () => {
    for (const path of ['.env', '.git/config', 'a/.env', 'node_modules/x/y.js']) write(path)
    const folder = skillFolder(skill)
    for (const path of ['.env', '.git/config', 'a/.env', './.env', 'node_modules/x/y.js']) {
      expect([path, await codeOf(folder.read(path))]).toEqual([path, 'RESOURCE_REFUSED'])
    }
  })

  it.runIf(process.platform === 'linux')('[RES-3] reports an error of the system as a refusal', async () => {
    const { code, message } = await refusal(skillFolder(`/proc/${process.pid}`).read('mem'))
    expect(code).toBe('RESOURCE_REFUSED')
    expect(message).toContain('EIO')
  })

  it.runIf(process.platform === 'linux')('[RES-3] compares names exactly', async () => {
    write('Guide.md')
    expect(await codeOf(skillFolder(skill).read('guide.md'))).toBe('RESOURCE_NOT_FOUND')
  })
})
