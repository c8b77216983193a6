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
const listed = JSON.stringify({ name: 'listed', agentskills: { skills: [{ path: './docs/skill' }] } })
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
  '@example/listed': {
    '1.0.0': [
      { path: 'package/package.json', body: listed },
      { path: 'package/docs/skill/SKILL.md', body: skillText('skill') },
      skill,
    ],
  },
  topped: {
    '1.0.0': [
      { path: 'package/package.json', body: '{"agentskills":{"skills":[{"path":"."}]}}' },
      { path: 'package/SKILL.md', body: skillText('topped') },
      skill,
    ],
  },
  whole: {
    '1.0.0': [
      { path: 'package/package.json', body: '{}' },
      { path: 'package/SKILL.md', body: skillText('whole') },
    ],
  },
  evil: { '1.0.0': [{ path: 'package/package.json', body: '{}' }, skill, { path: 'package/../../x' }] },
  bent: { '1.0.0': [{ path: 'package/package.json', body: '{"agentskills":{"skills":[{"path":"../x"}]}}' }, skill] },
  forged: { '1.0.0': [skill] },
  elsewhere: { '1.0.0': [skill] },
  inside: { '1.0.0': [skill] },
  abroad: { '1.0.0': [skill] },
  plain: { '1.0.0': [skill] },
  beside: { '1.0.0': [skill] },
}

/** Where the registry says that a tarball is stored. */
const redirects = (base: string): Readonly<Record<string, string>> => ({
  inside: `${base}/elsewhere/-/x-1.0.0.tgz`,
  abroad: 'https://169.254.169.254/x.tgz',
  plain: 'http://example.com/x.tgz',
  beside: 'http://127.0.0.1:1/x.tgz',
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
      return [each, { name, version: each, dist: { tarball, integrity } }]
    })
    const latest = Object.keys(versions).at(-1)
    response.setHeader('content-type', 'application/json')
    return void response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(found) }))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  options = { registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`, tokens: {} }
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
    // What would be run where it was installed.
    expect(existsSync(ran)).toBe(false)
    expect((await resolveOrigin('npm:pdf', options)).resolved.revision).toMatch(/^2\.0\.0 /)
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
    const elsewhere = { tokens: {}, registry: 'https://registry.example/', proxy: 'socks5://127.0.0.1:1' }
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
  })

  it('[LIB-5] finds skills by the field of the package, in `skills`, or at its top', async () => {
    expect(await namesIn('npm:@example/listed')).toEqual(['skill'])
    expect(await namesIn('npm:whole')).toEqual(['whole'])
    expect(await namesIn('npm:topped')).toEqual(['topped'])
    await expect(namesIn('npm:bent')).rejects.toMatchObject({ code: 'ORIGIN_REFUSED', path: 'package.json' })
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
    // npm takes the token off where the name of the host differs, and not where its port does.
    await expect(namesIn('npm:beside')).rejects.toThrow(/where a token of its own could be read/)
  })

  it('[LIB-5] sends the token of the registry to it alone, and says what is not there', async () => {
    const host = new URL(options.registry!).host
    await resolveOrigin('npm:pdf', { ...options, tokens: { [host]: 'secret-token' } })
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer secret-token'])
    await expect(resolveOrigin('npm:pdf', { registry: 'nowhere' })).rejects.toThrow(
      'registry is an address that begins with https: or http:',
    )
    for (const spec of ['npm:nothing', 'npm:pdf@9']) {
      await expect(resolveOrigin(spec, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    }
  })
})
