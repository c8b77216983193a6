import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import type { SandboxOptions } from '@repertoire/runners'

/** A sandbox behind HTTP, with the two requests that all of them have. */
export interface LoopbackSandbox {
  readonly url: string
  /** Command lines that were asked for. */
  readonly lines: readonly string[]
  close(): void
}

export async function openLoopbackSandbox(): Promise<LoopbackSandbox> {
  const lines: string[] = []
  const server: Server = createServer((request, response) => {
    void answer(request, lines)
      .catch((error: unknown) => `failed: ${String(error)}`)
      .then((body) => response.end(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return { url: `http://127.0.0.1:${address.port}`, lines, close: () => server.close() }
}

/** What a host says of it. */
export function loopbackOptions(url: string): SandboxOptions {
  return {
    name: 'a sandbox behind HTTP',
    async write(files) {
      for (const { path, bytes } of files)
        await fetch(`${url}/files?path=${encodeURIComponent(path)}`, { method: 'PUT', body: Uint8Array.from(bytes) })
    },
    exec: async (line, { signal }) => (await fetch(`${url}/exec`, { method: 'POST', body: line, signal })).text(),
    isolated: false,
    notes: ['It is this machine.'],
  }
}

async function answer(request: IncomingMessage, lines: string[]): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox')
  if (pathname === '/files') {
    const path = searchParams.get('path') ?? ''
    await mkdir(dirname(path), { recursive: true })
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    await writeFile(path, Buffer.concat(chunks))
    return ''
  }
  const line = await text(request)
  lines.push(line)
  const child = spawn('/bin/sh', ['-c', line], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // As some sandboxes do: both streams as one text.
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return output + errors
}
