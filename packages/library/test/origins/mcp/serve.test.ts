import { request } from 'node:http'
import { PassThrough } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { openRepertoire } from '@repertoire/core'
import { attachSkills, mcpSource, serveSkillsOverHttp, serveSkillsOverStdio } from '@repertoire/library/mcp'
import { afterEach, expect, it } from 'vitest'
import { temporaryStore } from '../../temporary-folder.ts'
import { manifestText } from './server.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const text = (value: string) => new TextEncoder().encode(value)
const BYTES = Uint8Array.of(0, 255, 254, 1)

async function openSkills() {
  const store = await temporaryStore()
  const files = {
    'SKILL.md': text(manifestText('refunds', 'Refunds.', 'license: MIT\nallowed-tools: Read\n')),
    'references/Q&A é.md': text('\u{FEFF}Why?\r\n'),
    'assets/logo.png': BYTES,
    '.env': text('SECRET=1'),
  }
  await store.replace('refunds', new Map(Object.entries(files).map(([path, bytes]) => [path, { bytes }])))
  await store.replace(
    'hidden',
    new Map([['SKILL.md', { bytes: text(manifestText('hidden', 'H.', 'scope: { agents: [x] }\n')) }]]),
  )
  return { store, repertoire: await openRepertoire({ sources: [store] }) }
}

async function connect(url: string, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  closing.push(() => client.close())
  return client
}

it.each(['auto', 'legacy'] as const)(
  '[DISC-12] serves a catalog’s view by HTTP, as the SDK’s client reads it (%s)',
  async (mode) => {
    const { repertoire } = await openSkills()
    const server = await serveSkillsOverHttp({ repertoire, viewer: { agent: 'y' } })
    closing.push(() => server.close())
    const skills = new SkillsClient(await connect(server.url, mode))
    const { skills: entries, ttlMs, cacheScope } = await skills.list()
    // The view is that of one viewer, and may change at any time.
    const caching = mode === 'auto' ? [0, 'private'] : [undefined, undefined]
    expect([ttlMs, cacheScope]).toEqual(caching)
    const got = await skills.get('skill://refunds/SKILL.md')
    expect([got.ttlMs, got.cacheScope]).toEqual(caching)
    expect(entries).toMatchObject([
      {
        uri: 'skill://refunds/SKILL.md',
        frontmatter: { name: 'refunds', description: 'Refunds.', license: 'MIT', 'allowed-tools': 'Read' },
      },
    ])
    const [entry] = entries
    expect(await skills.read(entry!)).toMatchObject({
      verified: true,
      text: expect.stringContaining('The body of refunds.') as string,
    })
    expect((await skills.read(entry!, 'assets/logo.png')).bytes).toEqual(BYTES)
    expect((await skills.read(entry!, 'references/Q&A é.md')).bytes).toEqual(text('\u{FEFF}Why?\r\n'))
    expect(await skills.get('skill://refunds/SKILL.md')).toMatchObject({ skill: entry })
    for (const uri of ['skill://hidden/SKILL.md', 'skill://none/SKILL.md', 'skill://refunds/references/SKILL.md']) {
      await expect(skills.get(uri)).rejects.toThrow(/No skill is served/)
    }
    await expect(skills.read(entry!, '.env')).rejects.toThrow(/not a file of the skill/)
  },
)

it('[DISC-12] lists a folder by what its skill’s entry has, and no folder that is hidden or elsewhere', async () => {
  const { repertoire } = await openSkills()
  const server = await serveSkillsOverHttp({ repertoire, viewer: { agent: 'y' } })
  closing.push(() => server.close())
  const skills = new SkillsClient(await connect(server.url, 'auto'))
  expect(skills.directoryRead).toBe(true)
  const { skills: entries } = await skills.list()
  const listed = entries.flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources))
  const sizeOf = (end: string) => listed.find(({ uri }) => uri.endsWith(end))?.size
  const mimeType = 'inode/directory'
  expect((await skills.readDirectory('skill://refunds')).resources).toEqual([
    { uri: 'skill://refunds/SKILL.md', name: 'SKILL.md', size: sizeOf('SKILL.md') },
    { uri: 'skill://refunds/assets', name: 'assets', mimeType },
    { uri: 'skill://refunds/references', name: 'references', mimeType },
  ])
  const [guide] = (await skills.readDirectory('skill://refunds/references')).resources
  const { uri, size } = listed.find((file) => file.uri.includes('references'))!
  expect(guide).toMatchObject({ uri, size, name: 'Q&A é.md' })
  for (const path of [
    'refunds/SKILL.md',
    'refunds/none',
    'refunds/ref',
    'refunds/.git',
    'hidden',
    'none',
    'refunds/..',
  ]) {
    const read = skills.readDirectory(`skill://${path}`)
    if (path === 'refunds/..') expect((await read).resources).toHaveLength(3)
    else await expect(read).rejects.toMatchObject({ code: -32_602 })
  }
})

it('[DISC-12] serves a skill as it is now, and never under a digest of what it was', async () => {
  const { store, repertoire } = await openSkills()
  const server = await serveSkillsOverHttp({ repertoire })
  closing.push(() => server.close())
  const skills = new SkillsClient(await connect(server.url, 'auto'))
  const uri = 'skill://refunds/SKILL.md'
  const { skill } = await skills.get(uri)
  await store.saveResource('refunds', 'assets/logo.png', text('new'))
  await expect(skills.read(skill, 'assets/logo.png')).rejects.toThrow('assets/logo.png has changed since it was listed')
  const { skill: current } = await skills.get(uri)
  expect(new TextDecoder().decode((await skills.read(current, 'assets/logo.png')).bytes)).toBe('new')
  await store.replace('later', new Map([['SKILL.md', { bytes: text(manifestText('later')) }]]))
  await repertoire.reload({ force: true })
  expect((await skills.list()).skills.map(({ frontmatter: { name } }) => name)).toEqual(['later', 'refunds'])
})

it('[DISC-12] serves a catalog of many pages, and is a source of another repertoire', async () => {
  const store = await temporaryStore()
  const names = Array.from({ length: 120 }, (_, index) => `skill-${String(index).padStart(3, '0')}`)
  for (const name of names) await store.replace(name, new Map([['SKILL.md', { bytes: text(manifestText(name)) }]]))
  const repertoire = await openRepertoire({ sources: [store] })
  const server = await serveSkillsOverHttp({ repertoire })
  closing.push(() => server.close())
  const client = await connect(server.url, 'auto')
  const remote = await openRepertoire({ sources: [mcpSource({ client, label: 'own', layer: 'project' })] })
  expect(remote.catalog.list().map(({ name }) => name)).toEqual(names)
  expect(await remote.tiers().instructions('skill-077')).toBe('The body of skill-077.\n')
})

it('[DISC-12] tells whom it does not serve: what breaks a rule of the extension, and skills of another server', async () => {
  const store = await temporaryStore()
  const odd = manifestText('odd', 'x', 'metadata:\n  a:\n    b: 1\n')
  await store.replace('odd', new Map([['SKILL.md', { bytes: text(odd) }]]))
  const { repertoire: far } = await openSkills()
  const farServer = await serveSkillsOverHttp({ repertoire: far })
  closing.push(() => farServer.close())
  const client = await connect(farServer.url, 'auto')
  const repertoire = await openRepertoire({ sources: [store, mcpSource({ client, label: 'far', layer: 'plugin' })] })
  expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['odd', 'refunds'])
  const unserved: string[] = []
  const server = await serveSkillsOverHttp({ repertoire, onUnserved: ({ name }) => unserved.push(name) })
  closing.push(() => server.close())
  const reader = await connect(server.url, 'auto')
  expect((await new SkillsClient(reader).list()).skills).toEqual([])
  expect((await reader.listResources()).resources).toEqual([])
  expect(unserved).toEqual(['odd', 'refunds'])
})

it('[DISC-12] serves over a pair of streams, and says when the client has gone', async () => {
  const { repertoire } = await openSkills()
  const input = new PassThrough()
  const output = new PassThrough()
  const closed = Promise.withResolvers<void>()
  const server = await serveSkillsOverStdio({ repertoire, input, output, onClose: closed.resolve })
  closing.push(() => server.close())
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  // The framing of both ends is the same.
  await client.connect(new StdioServerTransport(output, input))
  const skills = new SkillsClient(client)
  const { skills: entries } = await skills.list()
  expect((await skills.read(entries[0]!)).text).toContain('The body of refunds.')
  input.end()
  await closed.promise
})

it('[DISC-12] is added to a server of the host’s own', async () => {
  const { repertoire } = await openSkills()
  const server = new McpServer({ name: 'host', version: '1.0.0' })
  await attachSkills(server, { repertoire })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await Promise.all([server.connect(serverSide), client.connect(clientSide)])
  expect((await new SkillsClient(client).list()).skills).toHaveLength(1)
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['skill://refunds/SKILL.md'])
  await client.close()
})

it('[DISC-12] answers no page of a browser, no other path, and listens on this machine alone', async () => {
  const { repertoire } = await openSkills()
  const server = await serveSkillsOverHttp({ repertoire })
  closing.push(() => server.close())
  const status = (headers: Record<string, string>, url = server.url) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        url,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        (got) => {
          got.resume()
          resolve(got.statusCode)
        },
      )
      sent.on('error', reject)
      sent.end('{}')
    })
  expect(await status({ host: 'attacker.example' })).toBe(403)
  expect(await status({ origin: 'https://attacker.example' })).toBe(403)
  expect(await status({}, server.url.replace('/mcp', '/other'))).toBe(404)
  expect(await status({})).toBe(400)
  const { hostname, port: listening } = new URL(server.url)
  expect(hostname).toBe('127.0.0.1')
  const port = Number(listening)
  await expect(serveSkillsOverHttp({ repertoire, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
