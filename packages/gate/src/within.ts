import type { ToolRule } from '@repertoire/skill-md/internal'
import type { ToolArgument } from './ports/tool.ts'
import { allowUrl } from './addresses/allow-url.ts'
import { coversHost, hostOf } from './addresses/url.ts'
import { isCommandWithin } from './command/rule.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { allowsAll } from './rules.ts'
import { MAX_PATTERN_CHARS } from './limits.ts'
import { matchParts } from './paths/glob.ts'
import { readPath } from './paths/path.ts'
import { namesTool } from './tool-name.ts'
import { textPrefix } from './texts.ts'

/**
 * Whether a rule certainly allows no call that another does not allow: `Bash(git log:*)` lies within `Bash(git:*)`, and
 * `Read(docs/**)` within `Read`. False where that cannot be told from the two texts.
 */
export function liesWithin(inner: ToolRule, outer: ToolRule, tools: Toolset): boolean {
  if (!namesTool(outer.tool, inner.tool)) return false
  const kind = tools.find(inner.tool).argument?.kind
  if (allowsAll(outer, kind)) return true
  if (allowsAll(inner, kind)) return false
  const [pattern, bounds] = [inner.pattern!, outer.pattern!]
  if (pattern === bounds) return true
  if (pattern.length > MAX_PATTERN_CHARS || bounds.length > MAX_PATTERN_CHARS) return false
  // Of a tool that nothing is known of, no pattern allows a call.
  return kind !== undefined && WITHIN[kind](pattern, bounds)
}

const WITHIN: Readonly<Record<ToolArgument['kind'], (pattern: string, bounds: string) => boolean>> = {
  shell: isCommandWithin,
  path: isPathWithin,
  url: isUrlWithin,
  text: isTextWithin,
  sql: isTextWithin,
}

function isTextWithin(pattern: string, bounds: string): boolean {
  const prefix = textPrefix(bounds)
  if (prefix === undefined) return false
  return (textPrefix(pattern) ?? (/[*;\n]/.test(pattern) ? '' : pattern)).startsWith(prefix)
}

function isPathWithin(pattern: string, bounds: string): boolean {
  const inner = readPath(pattern, false)
  const outer = readPath(bounds, false)
  // A relative path and an absolute one are compared by a working folder, which differs from session to session.
  if ('problem' in inner || 'problem' in outer || inner.root !== outer.root) return false
  if (!/[*?]/.test(pattern))
    return matchParts(
      outer.parts.map((text) => ({ text })),
      inner.parts,
    )
  const folder = outer.parts.slice(0, -1)
  const isAllBelow = outer.parts.at(-1) === '**' && !folder.some((part) => /[*?]/.test(part))
  return isAllBelow && inner.parts.length > folder.length && folder.every((part, index) => part === inner.parts[index])
}

function isUrlWithin(pattern: string, bounds: string): boolean {
  const [, domain, host] = /^(?:(domain:)|https?:\/\/)([^/?#]+)/i.exec(pattern) ?? []
  if (host === undefined) return false
  if (bounds.startsWith('domain:')) return isHostWithin(host.replace(/:\d+$/, ''), bounds.slice('domain:'.length))
  return domain === undefined && !pattern.includes('*') && allowUrl(pattern).matches(bounds)
}

function isHostWithin(pattern: string, bounds: string): boolean {
  if (pattern === '*' || bounds === '*') return bounds === '*'
  const below = pattern.startsWith('*.')
  const host = hostOf(below ? pattern.slice('*.'.length) : pattern)
  if (host === undefined) return false
  // `*.example.com` covers what is below it, and so does the same pattern.
  return coversHost(bounds, host) || (below && bounds.startsWith('*.') && hostOf(bounds.slice('*.'.length)) === host)
}
