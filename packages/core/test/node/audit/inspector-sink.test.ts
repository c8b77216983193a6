import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { memorySource, openRepertoire, type AuditEvent } from '@repertoire/core'
import { inspectorSink } from '@repertoire/core/node'
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

it('[SEE-1] a page that does not answer costs one deadline, and then nothing for a while', async () => {
  let asked = 0
  const url = await serve(() => void asked++)
  const sink = inspectorSink({ url, timeout: 20 })
  await expect(sink.write(EVENT)).rejects.toThrow('it did not answer within 20 ms')
  await expect(sink.write(EVENT)).rejects.toThrow('the last try was less than five seconds ago')
  expect(asked).toBeLessThan(2)
})

it('[SEE-1] a closed port is a failure that says what to start', async () => {
  await expect(inspectorSink({ url: 'http://127.0.0.1:1/#key=k' }).write(EVENT)).rejects.toThrow(
    'Start "repertoire inspect --live"',
  )
})

it.each(['http://127.0.0.1:4711/', 'http://127.0.0.1:4711/#key=', 'https://127.0.0.1:4711/#key=k', 'no address', ''])(
  '[ABUSE-136] refuses %j, which is not the address of an inspector',
  (url) => {
    expect(() => inspectorSink({ url })).toThrow(TypeError)
  },
)

it.each(['http://example.com/#key=k', 'http://127.0.0.1.example.com/#key=k', 'http://192.168.0.1:4711/#key=k'])(
  '[ABUSE-136] sends nothing to another machine: %s',
  (url) => {
    expect(() => inspectorSink({ url })).toThrow('another machine')
  },
)
