import { openMcpOrigin } from '@repertoire/library/mcp'
import { expect, it } from 'vitest'
import { connectTo, listed, manifestText, skillOf, type ServerScript } from './server.ts'

const refunds = skillOf('refunds', { 'references/guide.md': 'Read me.' })
const other = skillOf('other')
const both: ServerScript = {
  entries: [refunds.entry, other.entry],
  contents: { ...refunds.contents, ...other.contents },
}
const url = 'https://mcp.example.com/mcp'

async function open(script: ServerScript, timeout = 30_000) {
  const server = await connectTo(script)
  return { server, origin: await openMcpOrigin({ client: server.client, label: 'docs', url, timeout }) }
}

it('[LIB-10] imports what a server lists, byte for byte, and resolves it before any file is read', async () => {
  const { server, origin } = await open(both)
  expect(origin.resolved).toMatchObject({ source: url, sourceType: 'mcp', sourceUrl: url })
  expect(origin.resolved.revision).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(server.reads).toEqual([])
  const steps: string[] = []
  const { skills } = await origin.fetch({ onProgress: ({ kind }) => steps.push(kind) })
  const text = (index: number) =>
    [...skills[index]!.files].map(([path, { bytes }]) => [path, new TextDecoder().decode(bytes)])
  expect(skills.map(({ name, path }) => [name, path])).toEqual([
    ['other', 'mcp:docs/skill://other/SKILL.md'],
    ['refunds', 'mcp:docs/skill://refunds/SKILL.md'],
  ])
  expect(text(1)).toEqual([
    ['SKILL.md', manifestText('refunds')],
    ['references/guide.md', 'Read me.'],
  ])
  expect(new Set(steps)).toEqual(new Set(['resolved', 'received', 'judged']))
})

it('[LIB-10] fetches the skills that are named, and no file of another', async () => {
  const { server, origin } = await open(both)
  expect((await origin.fetch({ skills: ['other'] })).skills.map(({ name }) => name)).toEqual(['other'])
  expect(server.reads).toEqual(['skill://other/SKILL.md'])
  expect((await origin.fetch({ skills: ['Other'] })).skills.map(({ name }) => name)).toEqual(['other'])
  await expect(origin.fetch({ skills: ['othr'] })).rejects.toMatchObject({
    code: 'SKILL_NOT_FOUND',
    nearest: ['other'],
  })
})

it('[LIB-10] has another revision when any file of any skill is another', async () => {
  const { server, origin } = await open(both)
  const changed = skillOf('refunds', { 'references/guide.md': 'Read it.' })
  server.become({ entries: [changed.entry, other.entry], contents: { ...changed.contents, ...other.contents } })
  const later = await openMcpOrigin({ client: server.client, label: 'docs' })
  expect(later.resolved).toMatchObject({ source: 'mcp:docs', sourceType: 'mcp' })
  expect(later.resolved.revision).not.toBe(origin.resolved.revision)
  // What was resolved is what is fetched, or nothing.
  await expect(origin.fetch()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
})

const uri = 'skill://refunds/SKILL.md'
it.each([
  ['an entry is malformed', [{ ...refunds.entry, resources: [] }, other.entry], 'ORIGIN_REFUSED'],
  ['content is generated', [{ ...refunds.entry, resources: 'dynamic' }, other.entry], 'ORIGIN_REFUSED'],
  ['two have one name', [refunds.entry, skillOf('refunds', {}, 'skill://acme/refunds').entry], 'ORIGIN_REFUSED'],
  ['a digest is wrong', [{ ...refunds.entry, resources: [{ uri, ...listed('x') }] }, other.entry], 'RESOURCE_REFUSED'],
  [
    'two paths are one file to some systems',
    [skillOf('refunds', { 'A.md': '', 'a.md': '' }).entry, other.entry],
    'RESOURCE_REFUSED',
  ],
])('[LIB-10] imports nothing of a server where %s', async (_, entries, code) => {
  const { origin } = await open({
    entries,
    contents: { ...both.contents, ...skillOf('refunds', { 'A.md': '', 'a.md': '' }).contents },
  })
  await expect(origin.fetch()).rejects.toMatchObject({ code })
})

it('[LIB-10] does not wait for a server that never answers, nor for one that is not wanted any more', async () => {
  await expect(open({ entries: [], silent: ['skills/list'] }, 20)).rejects.toMatchObject({ code: 'TIMED_OUT' })
  await expect(open({ entries: [], declares: false })).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  const { origin } = await open({ ...both, silent: ['resources/read'] }, 20)
  await expect(origin.fetch()).rejects.toMatchObject({ code: 'TIMED_OUT' })
  const mute = await open({ ...both, silent: ['resources/read'] })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(mute.origin.fetch({ signal })).rejects.toThrow('enough')
  const client = () => Promise.reject(new Error('no way'))
  await expect(openMcpOrigin({ client, label: 'docs' })).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
})
