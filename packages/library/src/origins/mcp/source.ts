import {
  checkOptions,
  foreign,
  layerKind,
  required,
  timeLimit,
  type OptionTable,
  withDefault,
} from '@repertoire/core/options'
import type { Diagnostic, Layer, SkillSource } from '@repertoire/core'
import { remoteFolder } from './folder.ts'
import { manifestOf } from './remote-skill.ts'
import { clientKind, type McpConnection, openRemoteSkills } from './remote-skills.ts'

/** Options of `mcpSource`. */
export interface McpSourceOptions {
  readonly client: McpConnection
  /**
   * The host's name for the server: letters, digits, `.`, `_` and `-`. What the server calls itself is not used. It is
   * part of every location, so that people and models see where a skill comes from.
   */
  readonly label: string
  /**
   * How far the server's skills are trusted. The host chooses it: a lower layer than that of its own skills keeps the
   * server from taking their names. Default `project`.
   */
  readonly layer?: Layer | undefined
  /** For each request, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
}

const TIMEOUT_MS = 30_000

const LABEL = /^[\w.-]{1,64}$/

export const MCP_SOURCE_OPTIONS: OptionTable<McpSourceOptions> = {
  client: required(clientKind),
  label: required(
    foreign('1 to 64 letters, digits, ".", "_" and "-"', (label) => typeof label === 'string' && LABEL.test(label)),
  ),
  layer: withDefault('project', layerKind),
  timeout: withDefault(TIMEOUT_MS, timeLimit),
}

/**
 * Returns a source of the skills that a server offers by the extension Skills over MCP (SEP-2640). A scan asks for the
 * list alone; activation fetches SKILL.md, and other files come when they are read. What is not as it was listed is
 * refused. Where a skill of another source has the same name, the layers decide, and a diagnostic says so.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function mcpSource(options: McpSourceOptions): SkillSource {
  checkOptions('mcpSource', MCP_SOURCE_OPTIONS, options)
  const { client, label, layer = 'project', timeout = TIMEOUT_MS } = options
  const skills = openRemoteSkills(client, label, timeout)
  return {
    id: `mcp:${label}`,
    layer,
    async *scan() {
      const { skills: found, refused } = await skills.list()
      if (found.length === 0 && refused.length === 0) yield withoutSkills(label)
      for (const { uri, reason } of refused) yield entryRefused(label, uri, reason)
      for (const skill of found) {
        const { name, entry, root } = skill
        const path = `mcp:${label}/${entry.uri}`
        const head = manifestOf(skill)
        const folder = remoteFolder(`mcp:${label}/${root}`, skill, skills)
        yield { folder, folderName: name, path, fileName: 'SKILL.md', size: head.length, head }
      }
    },
  }
}

function entryRefused(label: string, uri: string | undefined, reason: string): Diagnostic {
  const message = `The server ${label} lists ${uri ?? 'an entry without a URI'}, which is not loaded: ${reason}`
  const hint = 'Tell whoever runs the server. Its other skills are not affected.'
  return { code: 'ENTRY_REFUSED', severity: 'error', path: `mcp:${label}/${uri ?? ''}`, message, hint }
}

function withoutSkills(label: string): Diagnostic {
  const message = `The server ${label} lists no skill.`
  const hint = 'Check that it is the server that was meant.'
  return { code: 'ROOT_WITHOUT_SKILLS', severity: 'warning', path: `mcp:${label}`, message, hint }
}
