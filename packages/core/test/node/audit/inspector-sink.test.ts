import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { memorySource, openRepertoire, type AuditEvent } from '@repertoire/core'
import { inspectorSink } from '@repertoire/core/node'
import process from 'node:process'
import { expect, it, onTestFinished } from 'vitest'

const EVENT: AuditEvent = {
  version: 1,
  type: 'tool.started',
  time: '2026-11-27T09:00:00.000Z',
  session: 'task',
  skills: [],
  outcome: 'started',
  enforced: true,
}

/** Starts a server on loopback, and returns its address with a key. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/#key=k-1_`
}

it('[SEE-1] sends each event with the key of the address', async () => {
  const got: unknown[] = []
  const url = await serve((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push([
        request.method,
        request.url,
        request.headers.authorization,
        JSON.parse(Buffer.concat(parts).toString()),
      ])
      response.writeHead(204).end()
    })
  })
  await inspectorSink({ url }).write(EVENT)
  expect(got).toEqual([['POST', '/events', 'Bearer k-1_', EVENT]])
})

it('[SEE-1] an agent goes on without the page, and hears of it once', async () => {
  const url = await serve((_, response) => response.writeHead(401).end())
  const repertoire = await openRepertoire({
    sources: [
      memorySource({
        layer: 'project',
        skills: { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Fill in forms.\n---\n\nFill them in.\n' } },
      }),
    ],
    audit: inspectorSink({ url }),
  })
  const problems: string[] = []
  const session = repertoire.openSession({
    consent: () => true,
    onProblem: ({ code, message }) => void problems.push(`${code}: ${message}`),
  })
  await session.activate('pdf')
  await session.end()
  await repertoire.close()
  expect(problems).toEqual([expect.stringMatching(/^AUDIT_FAILED: .*it answered 401/)])
})

it('[SEE-1] a page that does not answer is given up after a while', async () => {
  const url = await serve(() => undefined)
  await expect(inspectorSink({ url }).write(EVENT)).rejects.toThrow('it did not answer within 2000 ms')
})

it('[SEE-1] one event that is refused costs no other', async () => {
  let asked = 0
  const url = await serve((request, response) => {
    request.resume()
    response.writeHead(++asked === 1 ? 413 : 204).end()
  })
  const sink = inspectorSink({ url })
  await expect(sink.write(EVENT)).rejects.toThrow('it answered 413')
  await sink.write(EVENT)
  expect(asked).toBe(2)
})

it('[ABUSE-136] gives nothing to a proxy of the process', async () => {
  let asked = 0
  const inspector = await serve((request, response) => {
    request.resume()
    response.writeHead(++asked > 0 ? 204 : 500).end()
  })
  const seen: string[] = []
  const proxy = await serve((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(502).end()
  })
  const program = `import('@repertoire/core/node').then(({ inspectorSink }) => inspectorSink({ url: process.argv[1] }).write(${JSON.stringify(EVENT)}))`
  const { HTTP_PROXY: _, NO_PROXY: __, http_proxy: ___, no_proxy: ____, ...rest } = process.env
  const env = { ...rest, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: new URL(proxy).origin }
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', '-e', program, inspector], {
    cwd: import.meta.dirname,
    env,
    stdio: 'inherit',
  })
  expect((await once(child, 'close'))[0]).toBe(0)
  expect([asked, seen]).toEqual([1, []])
})

it('[SEE-1] a closed port is a failure that says what to start', async () => {
  await expect(inspectorSink({ url: 'http://127.0.0.1:1/#key=k' }).write(EVENT)).rejects.toThrow(
    'Start "repertoire inspect --live"',
  )
})

it.each(['http://127.0.0.1:4711/', 'http://127.0.0.1:4711/#key=', 'https://127.0.0.1:4711/#key=k', 'no address', ''])(
  '[ABUSE-136] refuses %j, which is not the address of an inspector',
  (url) => {
    expect(() => inspectorSink({ url })).toThrow(
      url === '' ? '`url` is empty' : '`url` is not the address of an inspector',
    )
  },
)

it.each(['http://example.com/#key=k', 'http://127.0.0.1.example.com/#key=k', 'http://192.168.0.1:4711/#key=k'])(
  '[ABUSE-136] sends nothing to another machine: %s',
  (url) => {
    expect(() => inspectorSink({ url })).toThrow('another machine')
  },
)
