import { callable, checkOptions, type OptionTable, text, withDefault, withMethods } from '@repertoire/core/options'
import process from 'node:process'
import { finished, type Readable, type Writable } from 'node:stream'
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server'
import type { SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { type ServedView, servedSkills, VIEW_OPTIONS } from './served-skills.ts'

/** Options of a server of skills. */
export interface ServeOptions extends ServedView {
  /** What the server calls itself. Default `repertoire`. */
  readonly name?: string | undefined
  /** The server's version. Default `0.0.0`. */
  readonly version?: string | undefined
}

/** The options of a server, however it is reached. */
export const SERVE_OPTIONS: OptionTable<ServeOptions> = {
  ...VIEW_OPTIONS,
  name: withDefault('repertoire', text),
  version: withDefault('0.0.0', text),
}

/** A server that is running. */
export interface SkillsServer {
  close(): Promise<void>
}

/** A server that listens. */
export interface HttpSkillsServer extends SkillsServer {
  readonly url: string
}

/**
 * Adds the skills of a repertoire to a server of the host's own, before it is connected.
 * @throws what the server's library throws: it is connected, or has skills already
 */
export async function attachSkills(server: McpServer, view: ServedView): Promise<void> {
  checkOptions('attachSkills', VIEW_OPTIONS, view)
  const extension = await extensionFor(view)
  extension.attach(server)
}

async function extensionFor(view: ServedView): Promise<SkillsExtension> {
  const { SkillsExtension } = await import('@modelcontextprotocol/server/ext/skills')
  return new SkillsExtension({ source: servedSkills(view), onWarning: () => {} })
}

/** Makes servers that have the skills of a repertoire and nothing else: one for each connection or request. */
export async function skillsServerFactory(options: ServeOptions): Promise<McpServerFactory> {
  const { name = 'repertoire', version = '0.0.0' } = options
  const { McpServer } = await import('@modelcontextprotocol/server')
  const extension = await extensionFor(options)
  return () => {
    const server = new McpServer({ name, version }, { capabilities: { resources: { listChanged: true } } })
    extension.attach(server)
    return server
  }
}

/** Options of `serveSkillsOverStdio`. */
export interface ServeStdioOptions extends ServeOptions {
  /** The streams of the connection. Default: those of this process. */
  readonly input?: NodeJS.ReadableStream | undefined
  readonly output?: NodeJS.WritableStream | undefined
  /** Called when the client has closed its end. */
  readonly onClose?: (() => void) | undefined
}

const STDIO_OPTIONS: OptionTable<ServeStdioOptions> = {
  ...SERVE_OPTIONS,
  input: withMethods('a readable stream', 'on'),
  output: withMethods('a writable stream', 'write'),
  onClose: callable,
}

/** Serves the skills of a repertoire to one client over a pair of streams, as MCP clients start a program. */
export async function serveSkillsOverStdio(options: ServeStdioOptions): Promise<SkillsServer> {
  checkOptions('serveSkillsOverStdio', STDIO_OPTIONS, options)
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const { input = process.stdin, output = process.stdout, onClose } = options
  const transport = new StdioServerTransport(input as Readable, output as Writable)
  const server = serveStdio(await skillsServerFactory(options), { transport })
  if (onClose !== undefined) finished(input, { writable: false }, () => onClose())
  return server
}
