import { PassThrough } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { expect, it } from 'vitest'
import { run } from '../../src/program.ts'
import { cleanEnv, inProcess, manifest, temporaryFolder, write } from '../command.ts'

/** Starts the command with streams that stay open. */
async function start(args: readonly string[]) {
  const cwd = await temporaryFolder()
  await write(cwd, {
    'skills/pdf/SKILL.md': manifest('pdf'),
    'skills/odd/SKILL.md': manifest('odd', 'metadata:\n  a:\n    b: 1\n'),
    'skills/deploy/SKILL.md': manifest('deploy', 'scope:\n  agents: [operator]\n'),
  })
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const errors: string[] = []
  const stopped = Promise.withResolvers<void>()
  const ended = run(args, {
    stdin,
    stdout: { write: (text, done) => stdout.write(text, () => done()), on: () => {} },
    stderr: { write: (text, done) => (errors.push(String(text)), done()), on: () => {} },
    env: cleanEnv(),
    cwd: () => cwd,
    stopped: stopped.promise,
  })
  return { stdin, stdout, errors, ended, stop: () => stopped.resolve() }
}

const connected = async (transport: Parameters<Client['connect']>[0]) => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  return client
}

it('[DISC-12] serves the skills of a folder over its standard streams, until the client has gone', async () => {
  const { stdin, stdout, errors, ended } = await start(['serve', 'skills'])
  // The framing of both ends is the same.
  const client = await connected(new StdioServerTransport(stdout, stdin))
  const skills = new SkillsClient(client)
  const { skills: entries } = await skills.list()
  expect(entries.map(({ uri }) => uri)).toEqual(['skill://pdf/SKILL.md'])
  expect((await skills.read(entries[0]!)).text).toBe(manifest('pdf'))
  expect(errors.join('')).toMatch(/odd is not served\. .*metadata/)
  stdin.end()
  expect(await ended).toBe(0)
})

it('[DISC-12] serves by HTTP to an agent what that agent may see, until it is stopped', async () => {
  const { stdout, ended, stop } = await start(['serve', 'skills', '--http', '--agent', 'operator'])
  const [line] = (await stdout.iterator({ destroyOnReturn: false }).next()).value?.toString().split('\n') ?? []
  const [url = ''] = /http:\S+/.exec(line ?? '') ?? []
  const client = await connected(new StreamableHTTPClientTransport(new URL(url)))
  const { skills } = await new SkillsClient(client).list()
  expect(skills.map(({ uri }) => uri)).toEqual(['skill://deploy/SKILL.md', 'skill://pdf/SKILL.md'])
  const taken = await inProcess(['serve', '--http', new URL(url).port], { cwd: await temporaryFolder() })
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(/EADDRINUSE.*Choose another port/)])
  await client.close()
  stop()
  expect(await ended).toBe(0)
})

it('[DISC-12] does not wait for a person to speak MCP, nor serve a folder that is not there', async () => {
  const cwd = await temporaryFolder()
  const typed = await inProcess(['serve'], { cwd, input: '', terminal: {} })
  expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining('--http')])
  expect((await inProcess(['serve', 'none', '--http'], { cwd })).code).toBe(2)
  expect((await inProcess(['serve', '--http', 'x'], { cwd })).code).toBe(2)
})
