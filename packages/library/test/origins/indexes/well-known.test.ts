import { createHash } from 'node:crypto'
import { resolveOrigin, type OriginOptions } from '@repertoire/library'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readIndex } from '../../../src/origins/indexes/index-file.ts'
import { tgzOf, zipOf } from '../archive-bytes.ts'
import { skillText } from '../skill-text.ts'
import { makeCertificate, startWebServer, type WebServer } from '../web-server.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const INDEX = '/.well-known/agent-skills/index.json'

type Answer = string | Uint8Array | { readonly location: string } | typeof NEVER
const NEVER = Symbol('no answer')
let server: WebServer
let options: OriginOptions
/** What the server gives, by path. */
const site = new Map<string, Answer>()

beforeAll(async () => {
  server = await startWebServer(makeCertificate(), (request, response) => {
    const answer = site.get(request.url!)
    if (answer === undefined) response.writeHead(404).end()
    else if (typeof answer === 'object' && 'location' in answer) response.writeHead(302, answer).end()
    else if (answer !== NEVER) response.end(answer)
  })
  options = { ca: server.ca, allowPrivate: ['127.0.0.1'], tokens: {} }
})

beforeEach(() => {
  site.clear()
  server.asked.splice(0)
})

afterAll(() => server.close())

const digestOf = (bytes: string | Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const pdf = skillText('pdf')
const tables = tgzOf([
  { path: 'SKILL.md', body: skillText('tables') },
  { path: 'scripts/run.sh', body: 'echo\n', mode: 0o755 },
])
const linked = tgzOf([
  { path: 'SKILL.md', body: skillText('tables') },
  { path: 'a', type: '2', linkpath: '/etc' },
])
const slides = zipOf([{ path: 'SKILL.md', body: skillText('slides') }])
const entries = [
  { name: 'tables', type: 'archive', description: 'x', url: 'tables.tar.gz', digest: digestOf(tables) },
  { name: 'pdf', type: 'skill-md', description: 'x', url: `${INDEX.slice(0, -10)}pdf/SKILL.md`, digest: digestOf(pdf) },
  { name: 'slides', type: 'archive', description: 'x', url: '/files/slides', digest: digestOf(slides) },
]

function publish(index: unknown): void {
  site.set(INDEX, typeof index === 'string' ? index : JSON.stringify(index))
  site.set(`${INDEX.slice(0, -10)}pdf/SKILL.md`, pdf)
  site.set(`${INDEX.slice(0, -10)}tables.tar.gz`, tables)
  site.set('/files/slides', slides)
}

const current = (skills: readonly unknown[]) => ({ $schema: SCHEMA, skills })
const resolve = (path = '', more: OriginOptions = {}) => resolveOrigin(server.url + path, { ...options, ...more })
const refusal = (reason: RegExp) => ({ code: 'ORIGIN_REFUSED', message: expect.stringMatching(reason) as string })
const read = (index: unknown) =>
  readIndex(
    'a site',
    Buffer.from(typeof index === 'string' ? index : JSON.stringify(index)),
    new URL('https://a.example/'),
  )
const asked = () => server.asked.map(({ path }) => path)

describe('an index of version 0.2.0', () => {
  it('[LIB-10] gives skills as one file, tar.gz or zip, byte for byte, and is resolved before any is fetched', async () => {
    publish(current(entries))
    const origin = await resolve()
    expect(origin.resolved).toMatchObject({
      source: `${server.url}/`,
      sourceType: 'well-known',
      sourceUrl: `${server.url}/`,
    })
    expect(origin.resolved.revision).toMatch(/^sha256:[\da-f]{64}$/)
    expect(asked()).toEqual([INDEX])
    const { skills, diagnostics } = await origin.fetch()
    expect(skills.map(({ name, files }) => [name, [...files.keys()]])).toEqual([
      ['pdf', ['SKILL.md']],
      ['slides', ['SKILL.md']],
      ['tables', ['SKILL.md', 'scripts/run.sh']],
    ])
    expect(new TextDecoder().decode(skills[0]!.files.get('SKILL.md')!.bytes)).toBe(pdf)
    expect(skills[2]!.files.get('scripts/run.sh')).toMatchObject({ executable: true })
    expect(diagnostics).toEqual([])
  })

  it('[LIB-10] fetches what is named, and nothing else', async () => {
    publish(current(entries))
    const origin = await resolve()
    expect((await origin.fetch({ skills: ['pdf'] })).skills.map(({ name }) => name)).toEqual(['pdf'])
    expect(asked()).toEqual([INDEX, `${INDEX.slice(0, -10)}pdf/SKILL.md`])
    expect((await origin.fetch({ skills: ['PDF'] })).skills.map(({ name }) => name)).toEqual(['pdf'])
    await expect(origin.fetch({ skills: ['pd'] })).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', nearest: ['pdf'] })
  })

  it('[LIB-10] is looked for below the address, then at the top', async () => {
    publish(current(entries))
    await resolve('/docs/guide')
    expect(asked()).toEqual([`/docs/guide${INDEX}`, INDEX])
    await resolve(INDEX)
    site.delete(INDEX)
    await expect(resolve()).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
  })

  it('[LIB-6] has a revision, and one of each skill that a lock can ask for whatever else the index has', async () => {
    publish(current(entries))
    const origin = await resolve()
    const { skills } = await origin.fetch({ skills: ['pdf'] })
    expect(skills[0]!.revision).toBe(digestOf(pdf))
    const wanted = { revision: skills[0]!.revision! }
    publish(current(entries.slice(1)))
    expect((await resolve()).resolved.revision).not.toBe(origin.resolved.revision)
    expect((await (await resolve('', wanted)).fetch({ skills: ['pdf'] })).skills).toHaveLength(1)
    await expect((await resolve('', wanted)).fetch()).rejects.toMatchObject(refusal(/is wanted/))
    publish(current([{ ...entries[1], digest: digestOf('x') }]))
    await expect((await resolve('', wanted)).fetch({ skills: ['pdf'] })).rejects.toMatchObject(refusal(/is wanted/))
  })

  it('[LIB-10] leaves out types of later versions, and says so; asked for by name they are an error', async () => {
    publish(current([...entries, { name: 'later', type: 'oci', url: 'x', digest: 'y' }]))
    const origin = await resolve()
    const { skills, diagnostics } = await origin.fetch()
    expect(skills).toHaveLength(3)
    expect(diagnostics).toMatchObject([{ code: 'ENTRY_REFUSED', severity: 'warning' }])
    await expect(origin.fetch({ skills: ['later'] })).rejects.toMatchObject(refusal(/type/))
  })
})

describe('a hostile index', () => {
  const [tablesEntry, pdfEntry] = entries

  it.each([
    ['a version that is not known', { $schema: 'https://example.com/9.9.9', skills: entries }, /version/],
    ['version 0.1, which has no digests', { version: '0.1', skills: [] }, /version 0.1/],
    ['no JSON', '{', /JSON/],
    ['a list', [], /JSON object/],
    ['no list of skills', { $schema: SCHEMA }, /skills/],
    ['a name that leads out', current([{ ...pdfEntry, name: '../pdf' }]), /name/],
    ['two of a name', current([pdfEntry, { ...tablesEntry, name: 'pdf' }]), /twice/],
    ['no digest', current([{ ...pdfEntry, digest: undefined }]), /digest/],
    ['a digest of another kind', current([{ ...pdfEntry, digest: 'md5:0' }]), /digest/],
    ['no address', current([{ ...pdfEntry, url: 'https://' }]), /url/],
  ])('[LIB-10] with %s is refused as a whole', (_, index, reason) => {
    expect(() => read(index)).toThrow(expect.objectContaining(refusal(reason)))
  })

  it('[LIB-10] is refused before anything that it names is fetched', async () => {
    publish(current([{ ...pdfEntry, name: '../pdf' }]))
    await expect(resolve()).rejects.toMatchObject(refusal(/name/))
    expect(asked()).toEqual([INDEX])
  })

  it.each([
    ['another digest', { ...pdfEntry, digest: digestOf('other') }, /has the digest/],
    ['another name than the skill', { ...pdfEntry, name: 'other' }, /no skill "other"/],
    ['an address that is not https', { ...pdfEntry, url: 'http://example.com/SKILL.md' }, /only https/],
    ['a file of this machine', { ...pdfEntry, url: 'file:///etc/passwd' }, /only https/],
    ['a private address', { ...pdfEntry, url: 'https://169.254.169.254/SKILL.md' }, /not a public address/],
    ['a password in the address', { ...pdfEntry, url: 'https://a:b@example.com/SKILL.md' }, /password/],
    ['a redirect to a private address', { ...pdfEntry, url: '/away' }, /not a public address/],
    ['nothing at the address', { ...pdfEntry, url: '/none' }, /nothing at that address/],
    ['an archive that is none', { ...pdfEntry, type: 'archive' }, /cannot be read as .tar, .tar.gz or .zip/],
    [
      'an archive in a folder',
      { ...tablesEntry, url: '/wrapped', digest: digestOf(tgzOf([{ path: 'a/SKILL.md', body: pdf }])) },
      /at its top/,
    ],
    [
      'an archive with a link',
      {
        ...tablesEntry,
        url: '/linked',
        digest: digestOf(linked),
      },
      /is a link/,
    ],
  ])('[LIB-10] with %s gives none of its skills', async (_, entry, reason) => {
    publish(current([entry, entries[2]]))
    site.set('/away', { location: 'https://169.254.169.254/latest' })
    site.set('/wrapped', tgzOf([{ path: 'a/SKILL.md', body: pdf }]))
    site.set('/linked', linked)
    const origin = await resolve()
    await expect(origin.fetch()).rejects.toThrow(reason)
  })

  it('[LIB-10] of 10,000 skills is asked for those alone that are wanted', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ ...pdfEntry, name: `skill-${index}` }))
    publish(current([...many.slice(1), pdfEntry]))
    const origin = await resolve()
    expect((await origin.fetch({ skills: ['pdf'] })).skills).toHaveLength(1)
  })

  it('[LIB-10] that never ends, or is too large, is given up', async () => {
    site.set(INDEX, NEVER)
    await expect(resolve('', { timeout: 50 })).rejects.toMatchObject({ code: 'TIMED_OUT' })
    publish(current(entries))
    site.set('/files/slides', NEVER)
    const origin = await resolve()
    const enough = new AbortController()
    const fetching = origin.fetch({ skills: ['slides'], signal: enough.signal })
    enough.abort(new Error('enough'))
    await expect(fetching).rejects.toThrow('enough')
    site.set('/files/slides', slides)
    await expect((await resolve('', { maxBytes: 100 })).fetch()).rejects.toMatchObject(refusal(/more than/))
    site.set(INDEX, ' '.repeat(8 * 1024 * 1024 + 1))
    await expect(resolve()).rejects.toMatchObject(refusal(/more than/))
  })
})
