import { request } from 'node:http'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { inspectorSink, jsonLinesAudit } from '@repertoire/core/node'
import { buildPage } from '@repertoire/inspector/build'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { run } from '../../src/program.ts'
import { cleanEnv, inProcess, temporaryFolder, write } from '../command.ts'

const EVENT = {
  version: 1,
  type: 'tool.started',
  time: '2026-11-27T09:00:00.000Z',
  session: 'task',
  skills: [],
  outcome: 'started',
  enforced: true,
} as const
const LOG = `${JSON.stringify(EVENT)}\n`

beforeAll(() => buildPage())

/** Starts the command, and returns the address that it prints and its parts. */
async function start(...args: readonly string[]) {
  const cwd = await temporaryFolder()
  await write(cwd, { 'audit.jsonl': LOG })
  const stdout = new PassThrough()
  const stopped = Promise.withResolvers<void>()
  const ended = run(['inspect', ...args], {
    stdout: { write: (text, done) => stdout.write(text, () => done()), on: () => {} },
    stderr: { write: (_, done) => done(), on: () => {} },
    env: cleanEnv(),
    cwd: () => cwd,
    stopped: stopped.promise,
  })
  onTestFinished(async () => {
    stopped.resolve()
    expect(await ended).toBe(0)
  })
  let printed = ''
  for await (const part of stdout as AsyncIterable<Buffer>) {
    printed += part.toString()
    if (printed.includes('Ctrl+C')) break
  }
  const url = /^Open (\S+)$/m.exec(printed)![1]!
  const { origin, port, hash } = new URL(url)
  const key = hash.slice('#key='.length)
  return { printed, url, origin, port: Number(port), key, authorization: `Bearer ${key}` }
}

/** A request with any headers, such as a wrong `Host`, which `fetch` does not send. */
function ask(port: number, path: string, headers: Record<string, string>, method = 'GET', body = '') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

it('[SEE-1] serves a log to whoever has the key, and the page without any log to all of this machine', async () => {
  const { origin, authorization, key } = await start('audit.jsonl')
  const page = await (await fetch(origin)).text()
  expect(page.includes('<title>Repertoire inspector</title>')).toBe(true)
  expect(page.includes(key)).toBe(false)
  expect(page.includes('<script type="application/gzip"')).toBe(false)
  const list = await fetch(`${origin}/logs`, { headers: { authorization } })
  expect(await list.json()).toEqual({ logs: ['audit.jsonl'], live: false })
  const log = await fetch(`${origin}/logs/0`, { headers: { authorization } })
  expect(await log.text()).toBe(LOG)
  expect(log.headers.get('cache-control')).toBe('no-store')
  expect((await fetch(`${origin}/logs/1`, { headers: { authorization } })).status).toBe(404)
})

it('[SEE-1] the page may load nothing from elsewhere, run no script but its own, and stand in no frame', async () => {
  const { origin } = await start('audit.jsonl')
  const response = await fetch(origin)
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const page = await response.text()
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)!
  expect(policy.split('; ').map((part) => part.replaceAll(/sha256-[\w+/=]+/g, 'sha256'))).toEqual([
    "default-src 'none'",
    "script-src 'sha256'",
    "style-src 'sha256'",
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types inspector',
  ])
})

it.each(['/logs', '/logs/0', '/events'])(
  '[ABUSE-136] refuses %s without the key, or with a guessed one',
  async (path) => {
    const { port, key } = await start('--live', 'audit.jsonl')
    const host = `127.0.0.1:${port}`
    for (const guessed of ['', 'Bearer ', 'Bearer x', `Bearer ${key}x`, `Basic ${key}`, key]) {
      expect((await ask(port, path, { host, authorization: guessed })).status).toBe(401)
    }
    expect((await ask(port, `${path}?key=${key}`, { host })).status).toBe(401)
  },
)

it.each([
  { host: 'evil.example' },
  { host: 'evil.example:PORT' },
  { host: '127.0.0.1' },
  { host: '127.0.0.1:PORT', origin: 'https://evil.example' },
  { host: '127.0.0.1:PORT', origin: 'null' },
  { host: '127.0.0.1:PORT', origin: 'http://localhost:PORT' },
  { host: '127.0.0.1:PORT', 'sec-fetch-site': 'cross-site' },
  { host: '127.0.0.1:PORT', 'sec-fetch-site': 'same-site' },
])(
  '[ABUSE-136] refuses a request of another page, even with the key: $host $origin $sec-fetch-site',
  async (headers) => {
    const { port, authorization } = await start('--live')
    const sent = Object.fromEntries(
      Object.entries({ ...headers, authorization }).map(([name, value]) => [name, value.replace('PORT', String(port))]),
    )
    expect((await ask(port, '/logs', sent)).status).toBe(403)
    expect((await ask(port, '/events', sent, 'POST', LOG)).status).toBe(403)
  },
)

it('[SEE-1] events of a host come to a page that follows, once, also those from before it came', async () => {
  const { url, origin, authorization, printed } = await start('--live')
  expect(printed).toContain(`inspectorSink({ url: '${url}' })`)
  const sink = inspectorSink({ url })
  await sink.write(EVENT)
  const following = await fetch(`${origin}/events?after=0`, { headers: { authorization } })
  expect(following.headers.get('content-type')).toBe('text/event-stream')
  await sink.write({ ...EVENT, outcome: 'aborted' })
  let text = ''
  for await (const part of following.body!) {
    text += new TextDecoder().decode(part)
    if (/"aborted".*\n/.test(text)) break
  }
  expect([...text.matchAll(/^id: (\d+)\ndata: (.*)$/gm)].map(([, id, data]) => [id, JSON.parse(data!)])).toEqual([
    ['1', EVENT],
    ['2', { ...EVENT, outcome: 'aborted' }],
  ])
})

it('[SEE-1] keeps the newest events alone, with their ids, so that a page sees how many it has missed', async () => {
  const { url, origin, authorization } = await start('--live')
  const sink = inspectorSink({ url })
  for (let index = 0; index < 20; index++) await sink.write({ ...EVENT, reason: 'x'.repeat(1_000_000) })
  const following = await fetch(`${origin}/events?after=0`, { headers: { authorization } })
  await sink.write({ ...EVENT, outcome: 'aborted' })
  const ids: string[] = []
  let rest = ''
  for await (const part of following.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n')
    rest = lines.pop()!
    ids.push(...lines.flatMap((line) => /^id: (\d+)$/.exec(line)?.[1] ?? []))
    if (lines.some((line) => line.includes('"aborted"'))) break
  }
  expect([ids[0], ids.length, ids.at(-1)]).toEqual(['5', 17, '21'])
})

it.each([
  ['text/plain', LOG, 415],
  ['application/json', 'no JSON', 400],
  ['application/json', `"${'x'.repeat(2 * 1024 * 1024)}"`, 413],
])('[ABUSE-135] takes no event that is %s with a body of another shape', async (type, body, status) => {
  const { port, authorization } = await start('--live')
  const headers = { host: `127.0.0.1:${port}`, authorization, 'content-type': type }
  const answer = await ask(port, '/events', headers, 'POST', body).catch(() => ({ status: 413 }))
  expect(answer.status).toBe(status)
})

it('[SEE-1] takes no events unless it follows', async () => {
  const { port, authorization } = await start('audit.jsonl')
  const headers = { host: `127.0.0.1:${port}`, authorization, 'content-type': 'application/json' }
  expect((await ask(port, '/events', headers, 'POST', LOG)).status).toBe(404)
})

it('[SEE-3] [ABUSE-137] --out writes one file with its logs, in which secrets and home folders are masked', async () => {
  const cwd = await temporaryFolder()
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const sink = jsonLinesAudit({ path: join(cwd, 'audit.jsonl') })
  await sink.write({ ...EVENT, reason: `token ${secret} in /home/ada/.netrc` })
  await sink.close()
  const { code, stdout } = await inProcess(['inspect', 'audit.jsonl', '--out', 'run.html'], { cwd })
  expect([code, stdout]).toEqual([0, `The page is in ${join(cwd, 'run.html')}\n`])
  const page = await readFile(join(cwd, 'run.html'), 'utf8')
  const [, name, data = ''] = /data-log="([^"]*)">([^<]*)</.exec(page)!
  expect(name).toBe('audit.jsonl')
  const { gunzipSync } = await import('node:zlib')
  const text = gunzipSync(Buffer.from(data, 'base64')).toString()
  expect(JSON.parse(text)).toEqual({ ...EVENT, reason: expect.stringContaining('~/.netrc') })
  expect(text).not.toContain(secret)
  expect((await stat(join(cwd, 'run.html'))).mode & 0o077).toBe(0)
})

it('[SEE-3] --out keeps every line of a log: a separator inside a text ends none, and what is no event is said', async () => {
  const cwd = await temporaryFolder()
  const other = { ...EVENT, version: 2 }
  const text = `${JSON.stringify({ ...EVENT, reason: 'a\u2028b' })}\n${JSON.stringify(other)}\n{"version":1,"ty\n`
  await write(cwd, { 'audit.jsonl': text })
  expect((await inProcess(['inspect', 'audit.jsonl', '--out', 'run.html'], { cwd })).code).toBe(0)
  const [, data = ''] = /data-log="[^"]*">([^<]*)</.exec(await readFile(join(cwd, 'run.html'), 'utf8'))!
  const { gunzipSync } = await import('node:zlib')
  const lines = gunzipSync(Buffer.from(data, 'base64')).toString().trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(1)).toEqual([JSON.stringify(other), '[torn]'])
})

it('[SEE-1] opens a sample if no log is named, and says how to open a log', async () => {
  const cwd = await temporaryFolder()
  expect(await inProcess(['inspect', '--out', 'sample.html'], { cwd })).toMatchObject({ code: 0 })
  const page = await readFile(join(cwd, 'sample.html'), 'utf8')
  expect(page).toContain(encodeURIComponent('Open it with repertoire inspect audit.jsonl.'))
  expect(page).toMatch(/ data-log="sample\.jsonl">[\w+/=]{500,}</)
})

it.each([
  [['missing.jsonl'], 'There is no file'],
  [['.'], 'is not a file'],
  [['audit.jsonl', '--live', '--out', 'x.html'], '--live and --out do not go together'],
  [['audit.jsonl', '--out', 'no/such/folder.html'], 'there is no folder'],
  [['audit.jsonl', '--out', 'audit.jsonl'], 'is the log itself'],
  [['audit.jsonl', '--port', '99999'], 'Give the number of a port'],
])('[SEE-1] says what is wrong with %j', async (args, message) => {
  const cwd = await temporaryFolder()
  await write(cwd, { 'audit.jsonl': LOG })
  const { code, stderr } = await inProcess(['inspect', ...args], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
