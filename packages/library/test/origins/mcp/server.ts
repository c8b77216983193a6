import { createHash } from 'node:crypto'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What a server of a test says, whatever that is. */
export interface ServerScript {
  /** The entries of `skills/list`, all in one page. */
  readonly entries: readonly unknown[]
  /** Text or bytes by URI. */
  readonly contents?: Readonly<Record<string, string | Uint8Array>>
  /** Default true. */
  readonly declares?: boolean
  /** Methods that are never answered. */
  readonly silent?: readonly string[]
}

/** A client that is connected to a server in the same process. */
export interface Connected {
  readonly client: Client
  /** The URIs that were read, in their order. */
  readonly reads: readonly string[]
  /** Changes what the server says from now on. */
  become(script: ServerScript): void
}

/** Connects a client to a server that checks nothing of what it says. */
export async function connectTo(script: ServerScript): Promise<Connected> {
  let current = script
  const reads: string[] = []
  const server = new Server({ name: 'whatever it calls itself', version: '1.0.0' }, { capabilities: { resources: {} } })
  if (script.declares !== false) {
    server.registerCapabilities({ extensions: { 'io.modelcontextprotocol/skills': {} } })
  }
  const answer = <T>(method: string, result: () => T): Promise<T> =>
    current.silent?.includes(method) ? new Promise(() => {}) : Promise.resolve(result())
  server.setRequestHandler('skills/list', { params: z.looseObject({}) }, () =>
    answer('skills/list', () => ({ skills: [...current.entries] })),
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    reads.push(uri)
    return answer('resources/read', () => {
      const content = current.contents?.[uri]
      if (content === undefined) throw new Error('no such resource')
      return {
        contents: [
          typeof content === 'string' ? { uri, text: content } : { uri, blob: Buffer.from(content).toString('base64') },
        ],
      }
    })
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await server.connect(serverSide)
  await client.connect(clientSide)
  return { client, reads, become: (next) => void (current = next) }
}

/** The text of a SKILL.md. */
export function manifestText(name: string, description = `The skill ${name}.`, more = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\nThe body of ${name}.\n`
}

/** An honest entry, and what its URIs give. */
export function skillOf(
  name: string,
  files: Readonly<Record<string, string>> = {},
  folder = `skill://${name}`,
): { readonly entry: Record<string, unknown>; readonly contents: Readonly<Record<string, string>> } {
  const all: Record<string, string> = { 'SKILL.md': manifestText(name), ...files }
  const contents = Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text]))
  const resources = Object.entries(contents).map(([uri, text]) => ({ uri, ...listed(text) }))
  return {
    entry: { uri: `${folder}/SKILL.md`, frontmatter: { name, description: `The skill ${name}.` }, resources },
    contents,
  }
}

/** The digest and the size of a file, as an entry has them. */
export function listed(text: string): { readonly digest: string; readonly size: number } {
  return { digest: `sha256:${createHash('sha256').update(text).digest('hex')}`, size: Buffer.byteLength(text) }
}
