import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { resolveOrigin } from '@repertoire/library'
import type { OriginOptions } from '@repertoire/library'
import { tgzOf } from './archive-bytes.ts'
import type { TarPart } from './archive-bytes.ts'
import { skillText } from './skill-text.ts'

const ran = join(tmpdir(), `repertoire-npm-ran-${process.pid}`)
const script = JSON.stringify({ name: 'pdf', scripts: { prepare: `touch ${ran}`, install: `touch ${ran}` } })
const skill = { path: 'package/skills/pdf/SKILL.md', body: skillText('pdf') }

/** By package and version: its files. */
const packages: Readonly<Record<string, Readonly<Record<string, readonly TarPart[]>>>> = {
  pdf: {
    '1.0.0': [
      { path: 'package/package.json', body: script },
      { ...skill, body: skillText('pdf', 'One.') },
    ],
    '1.2.0': [
      { path: 'package/package.json', body: script },
      skill,
      { path: 'package/other/SKILL.md', body: skillText('other') },
    ],
    '2.0.0': [
      { path: 'package/package.json', body: script },
      { ...skill, body: skillText('pdf', 'Two.') },
    ],
  },
  '@example/listed': { '1.0.0': [{ path: 'package/docs/skill/SKILL.md', body: skillText('skill') }, skill] },
  whole: { '1.0.0': [{ path: 'package/SKILL.md', body: skillText('whole') }] },
  many: Object.fromEntries(
    ['0.2.1', '0.2.9', '0.3.0', '1.0.9', '1.0.10', '1.9.0', '2.0.0-rc.1', '3.0.0'].map((each) => [each, [skill]]),
  ),
  unpinned: { '1.0.0': [skill] },
  evil: { '1.0.0': [{ path: 'package/package.json', body: '{}' }, skill, { path: 'package/../../x' }] },
  forged: { '1.0.0': [skill] },
  elsewhere: { '1.0.0': [skill] },
  inside: { '1.0.0': [skill] },
  abroad: { '1.0.0': [skill] },
  plain: { '1.0.0': [skill] },
}

/** Where the registry says that a tarball is stored. */
const redirects = (base: string): Readonly<Record<string, string>> => ({
  inside: `${base}/elsewhere/-/x-1.0.0.tgz`,
  abroad: 'https://169.254.169.254/x.tgz',
  plain: 'http://example.com/x.tgz',
})

let registry: Server
let options: OriginOptions
const asked: { readonly path: string; readonly authorization: string | undefined }[] = []

beforeAll(async () => {
  registry = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, authorization: headers.authorization })
    const base = `http://${headers.host}`
    const [, name = '', version] = /^\/([^/]+(?:\/listed)?)(?:\/-\/x-(.+)\.tgz)?$/.exec(decodeURIComponent(url)) ?? []
    const versions = packages[name]
    const target = version === '1.0.0' ? redirects(base)[name] : undefined
    if (target !== undefined) return void response.writeHead(302, { location: target }).end()
    if (versions === undefined) return void response.writeHead(404).end('{}')
    if (version !== undefined) return void response.end(tgzOf(versions[version]!))
    const found = Object.entries(versions).map(([each, parts]) => {
      const bytes = name === 'forged' ? Buffer.from('others') : tgzOf(parts)
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const tarball = name === 'elsewhere' ? 'http://169.254.169.254/x.tgz' : `${base}/${name}/-/x-${each}.tgz`
      const dist = name === 'unpinned' ? { tarball } : { tarball, integrity }
      return [each, { name, version: each, dist }]
    })
    const latest = Object.keys(versions).at(-1)
    response.setHeader('content-type', 'application/json')
    return void response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(found) }))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  options = { registry: address, allowPrivate: ['127.0.0.1'], tokens: {} }
})

beforeEach(() => void asked.splice(0))

afterAll(
  () =>
    new Promise<void>((resolve) => {
      registry.closeAllConnections()
      registry.close(() => resolve())
    }),
)

async function namesIn(spec: string): Promise<readonly string[]> {
  const origin = await resolveOrigin(spec, options)
  return (await origin.fetch()).skills.map(({ name }) => name)
}

describe('a package as an origin', () => {
  it('[LIB-5] resolves a range to a version with its integrity, and gives the skills of that one', async () => {
    const origin = await resolveOrigin('npm:pdf@^1.0.0', options)
    expect(origin.resolved).toEqual({
      source: 'pdf',
      sourceType: 'npm',
      ref: '^1.0.0',
      revision: expect.stringMatching(/^1\.2\.0 sha512-/) as string,
    })
    const { skills } = await origin.fetch()
    expect(skills.map(({ name, path }) => [name, path])).toEqual([['pdf', 'package/skills/pdf/SKILL.md']])
    // What would be run if it was installed.
    expect(existsSync(ran)).toBe(false)
    expect((await resolveOrigin('npm:pdf', options)).resolved.revision).toMatch(/^2\.0\.0 /)
  })

  it.each([
    ['latest', '3.0.0'],
    ['2.0.0-rc.1', '2.0.0-rc.1'],
    ['^0.2.0', '0.2.9'],
    ['^1.0.9', '1.9.0'],
    ['~1.0.9', '1.0.10'],
    ['~1', '1.9.0'],
    ['1', '1.9.0'],
    ['1.0.x', '1.0.10'],
  ])('[LIB-5] takes of %s the version %s', async (range, version) => {
    expect((await resolveOrigin(`npm:many@${range}`, options)).resolved.revision).toContain(`${version} sha512-`)
  })

  it('[LIB-5] leaves no folder behind, where it is there and where it cannot be asked', async () => {
    // Others fetch packages at the same time.
    const folder = mkdtempSync(join(tmpdir(), 'npm-of-a-test-'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    vi.stubEnv('TMPDIR', folder)
    expect(await namesIn('npm:pdf@^1.0.0')).toEqual(['pdf'])
    const elsewhere = { tokens: {}, registry: 'https://registry.example/' }
    vi.stubEnv('https_proxy', 'socks5://127.0.0.1:1')
    await expect(resolveOrigin('npm:pdf', elsewhere)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('[ABUSE-69] takes the version of a lock, and refuses it with other bytes', async () => {
    const { resolved } = await resolveOrigin('npm:pdf@1.0.0', options)
    const again = await resolveOrigin('npm:pdf', { ...options, revision: resolved.revision! })
    expect(again.resolved.revision).toBe(resolved.revision)
    const changed = resolveOrigin('npm:pdf', { ...options, revision: '1.0.0 sha512-AAAA' })
    await expect(changed).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    const forged = await resolveOrigin('npm:forged', options)
    await expect(forged.fetch()).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    await expect(namesIn('npm:unpinned')).rejects.toThrow(/no SHA-512/)
  })

  it('[LIB-5, LIB-10] finds the skills of a package as those of any origin: its own, or those in `skills`', async () => {
    expect(await namesIn('npm:@example/listed')).toEqual(['pdf'])
    expect(await namesIn('npm:whole')).toEqual(['whole'])
  })

  it('[ABUSE-80] asks a registry of this machine if that is permitted, and says how', async () => {
    const { allowPrivate: _, ...others } = options
    await expect(resolveOrigin('npm:pdf', others)).rejects.toThrow(/127\.0\.0\.1 is not a public.*--allow-private/)
  })

  it('[ABUSE-64] judges its archive as any other, and asks no other host for it', async () => {
    await expect(namesIn('npm:evil')).rejects.toMatchObject({ code: 'ORIGIN_REFUSED', path: 'package/../../x' })
    await expect(namesIn('npm:elsewhere')).rejects.toThrow(/not its own host/)
  })

  it('[ABUSE-69, ABUSE-80, ABUSE-81] judges where a registry redirects to, before it asks there', async () => {
    expect(await namesIn('npm:inside')).toEqual(['pdf'])
    await expect(namesIn('npm:abroad')).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('169.254.169.254 is not a public address') as string,
    })
    await expect(namesIn('npm:plain')).rejects.toThrow(/only https is used/)
  })

  it('[LIB-5] sends the token of the registry to it alone, and says what is not there', async () => {
    const host = new URL(options.registry!).host
    await resolveOrigin('npm:pdf', { ...options, tokens: { [host]: 'secret-token' } })
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer secret-token'])
    await expect(resolveOrigin('npm:pdf', { registry: 'nowhere' })).rejects.toThrow(
      'registry is an address that begins with https: or http:',
    )
    for (const spec of ['npm:nothing', 'npm:pdf@9', 'npm:many@^2.0.0', 'npm:many@~1.8']) {
      await expect(resolveOrigin(spec, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    }
  })
})
