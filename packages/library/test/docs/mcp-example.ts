import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openRepertoire, type Repertoire } from '@repertoire/core'
import { mcpSource, serveSkillsOverHttp } from '@repertoire/library/mcp'

/** Connects to a server. `auto` speaks the protocol of 2026-07-28 where the server does. */
async function connect(url: string) {
  const client = new Client({ name: 'my-app', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

/** Opens the skills of a server beside others. The host names the server; what it calls itself counts for nothing. */
export function openDocsServer(url: string) {
  const docs = mcpSource({ client: () => connect(url), label: 'docs', layer: 'plugin' })
  return openRepertoire({ sources: [docs] })
}

/** Serves what an agent may see to programs of this machine. */
export function serve(repertoire: Repertoire) {
  const onUnserved = ({ name, message }: { readonly name: string; readonly message: string }) =>
    console.error(name, message)
  return serveSkillsOverHttp({ repertoire, viewer: { agent: 'support' }, onUnserved })
}
