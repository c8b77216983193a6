/**
 * What the official MCP suite runs as a client: opens the skills of the server at the address in the last argument, and
 * uses the first one if the scenario is about that. Each file goes through `mcpSource`, as in any host.
 */
import process from 'node:process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openRepertoire } from '@repertoire/core'
import { mcpSource } from '@repertoire/library/mcp'

const client = new Client({ name: 'repertoire', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv.at(-1)!)))
const repertoire = await openRepertoire({ sources: [mcpSource({ client, label: 'suite', layer: 'plugin' })] })
const [skill] = repertoire.catalog.list()
if (skill === undefined) throw new Error('The server lists no skill.')
if (process.env['MCP_CONFORMANCE_SCENARIO'] !== 'sep-2640-client-no-prefetch') {
  const session = repertoire.openSession({ id: 'suite', consent: () => true })
  const activated = await session.call(
    { id: '1', tool: 'activate_skill', input: { name: skill.name } },
    () => undefined,
  )
  if (activated.ok) await repertoire.tiers().resource(skill.name, 'references/FORMS.md')
  await session.end()
}
await repertoire.close()
await client.close()
