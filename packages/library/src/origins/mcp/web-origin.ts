import { isSkillError } from '@repertoire/core'
import type { Client } from '@modelcontextprotocol/client'
import { withDeadline } from '../deadline.ts'
import { refused, unreachable } from '../failure.ts'
import { MAX_ORIGIN_BYTES, ORIGIN_TIMEOUT_MS } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import type { Origin } from '../origin.ts'
import { tokenFor } from '../tokens.ts'
import { openConnections } from '../web/connections.ts'
import { explained } from '../web/download.ts'
import { listedOrigin } from './origin.ts'
import { openRemoteSkills, type RemoteSkills } from './remote-skills.ts'

/** Pages of a list that a client of the SDK asks for. */
const MAX_PAGES = 1_000

/**
 * Resolves the skills of a server at an address. It is asked under the rules of every other address: https, public, redirects
 * within its own site alone, and a token for its very host.
 * @param url of the server itself
 */
export async function resolveServer(url: URL, options: OriginOptions): Promise<Origin> {
  const source = `mcp+${url.href}`
  const label = url.host.replaceAll(/[^\w.-]/g, '_').slice(0, 64)
  const use = <T>(work: (remote: RemoteSkills) => Promise<T>, caller?: AbortSignal): Promise<T> =>
    withDeadline(source, options, [options.signal, caller], (signal) =>
      withClient(source, url, options, signal, async (client) => {
        const { timeout = ORIGIN_TIMEOUT_MS } = options
        return work(openRemoteSkills(client, label, timeout))
      }),
    )
  const listing = await use((remote) => remote.list())
  options.onProgress?.({ kind: 'resolved' })
  return listedOrigin({ source, sourceUrl: source }, label, listing, use, options.revision)
}

async function withClient<T>(
  source: string,
  url: URL,
  options: OriginOptions,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { timeout: timeoutMs = ORIGIN_TIMEOUT_MS, maxBytes = MAX_ORIGIN_BYTES } = options
  const { fetch: send } = await import('undici')
  const { Client: McpClient, StreamableHTTPClientTransport } = await importClient(source)
  const connections = await openConnections(source, options)
  let received = 0
  /** What a rule has refused: the client's own error says less, or nothing. */
  let refusal: unknown
  const limited = (body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null =>
    body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          received += chunk.length
          if (received <= maxBytes) return controller.enqueue(chunk)
          refusal = refused(source, `it sends more than ${maxBytes} bytes.`)
          controller.error(refusal)
        },
      }),
    ) ?? null
  const ask = async (address: string | URL, init: RequestInit | undefined): ReturnType<typeof send> => {
    try {
      const dispatcher = await connections.to(new URL(address))
      return await send(address, { ...init, dispatcher } as Parameters<typeof send>[1])
    } catch (error) {
      const reason = explained(source, error)
      if (isSkillError(reason) && reason.code === 'ORIGIN_REFUSED') refusal = reason
      throw reason
    }
  }
  const guardedFetch = async (address: string | URL, init?: RequestInit): Promise<Response> => {
    const answer = await ask(address, init)
    const { status, statusText, headers } = answer
    const hasBody = answer.body !== null && status !== 204 && status !== 205 && status !== 304
    const body = hasBody ? limited(answer.body as ReadableStream<Uint8Array>) : null
    return new Response(body, { status, statusText, headers: [...headers] })
  }
  const token = tokenFor(url, options)
  const client = new McpClient(
    { name: 'repertoire', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listMaxPages: MAX_PAGES },
  )
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const transport = new StreamableHTTPClientTransport(url, { fetch: guardedFetch, requestInit: { headers } })
  try {
    await client.connect(transport, { signal, timeout: timeoutMs })
    return await work(client)
  } catch (error) {
    signal.throwIfAborted()
    if (refusal !== undefined) throw refusal
    if (isSkillError(error)) throw error
    const reason = 'there is no server of MCP that answers. Check the address, and whether it wants a token.'
    throw unreachable(source, reason, error)
  } finally {
    await client.close()
    await connections.close()
  }
}

async function importClient(source: string): Promise<typeof import('@modelcontextprotocol/client')> {
  try {
    return await import('@modelcontextprotocol/client')
  } catch (error) {
    throw unreachable(
      source,
      'it needs the package @modelcontextprotocol/client. Install it: npm install @modelcontextprotocol/client',
      error,
    )
  }
}
