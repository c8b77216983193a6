import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRecorder, type Recording } from '../../src/live/recorder.ts'

const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] }

async function upstream(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
}

async function recorder(baseURL: string, apiKey?: string): Promise<Recording> {
  const opened = await openRecorder({ baseURL, apiKey })
  onTestFinished(() => opened.close())
  return opened.open()
}

function post({ baseURL, apiKey }: Recording, body: unknown = BODY, path = '/chat/completions'): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return fetch(`${baseURL}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function text(request: IncomingMessage): Promise<string> {
  let all = ''
  for await (const chunk of request) all += String(chunk)
  return all
}

describe('openRecorder', () => {
  it('[DEMO-1] hands a request on with the real key, and keeps it', async () => {
    const seen: unknown[] = []
    const address = await upstream((request, response) => {
      void text(request).then((body) => {
        seen.push([request.method, request.url, request.headers.authorization, body])
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
      })
    })
    const recording = await recorder(address, 'sk-real')
    expect(await (await post(recording)).json()).toEqual({ ok: true })
    expect(seen).toEqual([['POST', '/base/chat/completions', 'Bearer sk-real', JSON.stringify(BODY)]])
    expect(recording.requests.map(({ messages }) => messages)).toEqual([[{ role: 'user', text: 'Hello.' }]])
    expect(recording.failures).toEqual([])
    expect(recording.apiKey).not.toContain('real')
  })

  it('[DEMO-1] sends no key where the user gave none', async () => {
    const seen: unknown[] = []
    const address = await upstream((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    await (await post(await recorder(address))).text()
    expect(seen).toEqual([undefined])
  })

  it('[DEMO-1] passes a stream on while it comes, and not only when it has ended', async () => {
    const more = Promise.withResolvers<void>()
    const address = await upstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      void more.promise.then(() => response.end('data: 2\n\n'))
    })
    const response = await post(await recorder(address))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    // The second part is not sent before the first was read here.
    expect((await reader.read()).value).toBe('data: 1\n\n')
    more.resolve()
    expect((await reader.read()).value).toBe('data: 2\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  it('[DEMO-1] hands nothing on without its own key, or for anything but chat completions', async () => {
    const seen: unknown[] = []
    const address = await upstream((request, response) => {
      seen.push(request.url)
      response.end('{}')
    })
    const recording = await recorder(address, 'sk-real')
    expect((await post({ ...recording, apiKey: 'sk-guess' })).status).toBe(401)
    expect((await post({ ...recording, baseURL: recording.baseURL.replace('/1/', '/2/') })).status).toBe(401)
    expect((await post(recording, BODY, '/files')).status).toBe(404)
    expect((await post(recording, BODY, '/../../admin')).status).toBe(401)
    expect(seen).toEqual([])
  })

  it.each([
    [401, '{"error":{"message":"Bad key sk-real."}}', 401, 'Bad key (the key).'],
    [404, '{"error":"model \\"m\\" not found"}', 404, 'model "m" not found'],
    [500, '<html>broken</html>', 500, '<html>broken</html>'],
    [503, '', 503, ''],
  ])('[DEMO-1] tells of an answer %j %s', async (status, body, passedOn, message) => {
    const address = await upstream((_, response) => void response.writeHead(status).end(body))
    const recording = await recorder(address, 'sk-real')
    const response = await post(recording)
    expect(response.status).toBe(passedOn)
    expect(await response.json()).toMatchObject({ error: { message } })
    expect(recording.failures).toMatchObject([{ kind: 'refused', status, message }])
  })

  it('[DEMO-1] follows no redirect, for the key is for one address', async () => {
    const seen: unknown[] = []
    const elsewhere = await upstream((request, response) => {
      seen.push(request.headers)
      response.end('{}')
    })
    const address = await upstream((_, response) => void response.writeHead(307, { location: elsewhere }).end())
    const recording = await recorder(address, 'sk-real')
    expect((await post(recording)).status).toBe(502)
    expect(recording.failures).toMatchObject([{ kind: 'refused', message: `It redirects to ${elsewhere}` }])
    expect(seen).toEqual([])
  })

  it('[DEMO-1] notes an answer that breaks off, and cuts the connection', async () => {
    const address = await upstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n', () => response.destroy())
    })
    const recording = await recorder(address)
    await expect(post(recording).then((response) => response.text())).rejects.toThrow('terminated')
    expect(recording.failures).toMatchObject([{ kind: 'broken' }])
  })

  it('[DEMO-1] gives a request up at the endpoint when the adapter does', async () => {
    const begun = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const address = await upstream((_, response) => {
      response.once('close', () => closed.resolve())
      begun.resolve()
    })
    const recording = await recorder(address)
    const giveUp = new AbortController()
    const headers = { authorization: `Bearer ${recording.apiKey}` }
    const url = `${recording.baseURL}/chat/completions`
    const sent = fetch(url, { method: 'POST', headers, body: JSON.stringify(BODY), signal: giveUp.signal })
    await begun.promise
    giveUp.abort()
    await expect(sent).rejects.toThrow('This operation was aborted')
    await closed.promise
    expect(recording.failures).toEqual([])
  })

  it('[DEMO-1] hands on what it cannot read itself, and notes it', async () => {
    const address = await upstream((request, response) => void text(request).then((body) => response.end(body)))
    const recording = await recorder(address)
    expect(await (await post(recording, { messages: 'odd' })).json()).toEqual({ messages: 'odd' })
    expect(recording.requests).toEqual([])
    expect(recording.failures).toMatchObject([{ kind: 'unread' }])
  })
})
