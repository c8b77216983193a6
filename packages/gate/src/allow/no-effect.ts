import type { ToolRule } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { loadedCommands } from '../load-commands.ts'
import { isOnDrive, readPath } from '../path.ts'
import type { Toolset } from '../host-tools/toolset.ts'
import { hostOf, readUrl } from '../url.ts'

/**
 * Returns why a rule permits no call at all, as a clause; undefined if it may permit one. Before `loadCommands`, patterns
 * for commands count as permitting some.
 */
export function patternProblem({ tool, pattern }: ToolRule, tools: Toolset): string | undefined {
  const argument = tools.find(tool).argument
  if (pattern === undefined || argument === undefined) return undefined
  if (pattern.length > MAX_PATTERN_CHARS) return 'its pattern is too long'
  switch (argument.kind) {
    case 'shell':
      return loadedCommands()?.commandPatternProblem(pattern)
    case 'path': {
      const path = readPath(pattern, isOnDrive(pattern))
      return 'problem' in path ? `its pattern ${path.problem}` : undefined
    }
    case 'url':
      return isAddressPattern(pattern) ? undefined : 'its pattern is neither "domain:host" nor an http or https address'
    default:
      return /^:?\**$/.test(pattern) && pattern !== '*' ? 'its pattern is empty' : undefined
  }
}

function isAddressPattern(pattern: string): boolean {
  if (pattern === '*') return true
  const host = pattern.startsWith('domain:')
    ? pattern.slice('domain:'.length)
    : /^https?:\/\/([^/?#]+)/i.exec(pattern)?.[1]
  if (host === undefined) return false
  if (pattern.startsWith('domain:')) return host === '*' || hostOf(host.replace(/^\*\./, '')) !== undefined
  const name = host.replace(/^\*\./, '')
  // An address is compared without its fragment.
  return !name.includes('*') && !pattern.includes('#') && !('problem' in readUrl(`https://${name}`))
}
