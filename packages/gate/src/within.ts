import type { ToolRule } from '@repertoire/skill-md/internal'
import type { ToolArgument } from './ports/tool.ts'
import { allowUrl } from './addresses/allow-url.ts'
import { coversHost, hostOf, readUrl } from './addresses/url.ts'
import { isCommandWithin } from './command/rule.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { allowsAll } from './rules.ts'
import { MAX_PATTERN_CHARS } from './limits.ts'
import { matchParts, matchRuns, matchText } from './paths/glob.ts'
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
  return matchRuns(withOneAtLeast(outer.parts), withOneAtLeast(inner.parts), WITHIN_PARTS)
}

/** At the end of a pattern `**` stands for one part or more; elsewhere also for none. */
function withOneAtLeast(parts: readonly string[]): readonly string[] {
  return parts.at(-1) === '**' ? [...parts, '*'] : parts
}

const WITHIN_PARTS = {
  isRun: (bound: string) => bound === '**',
  // Only another `**` covers one.
  isMatch: (bound: string, part: string) => part !== '**' && isPartWithin(part, bound),
}

function isPartWithin(part: string, bound: string): boolean {
  if (part === bound) return true
  if (!/[*?]/.test(part)) return matchParts([{ text: bound }], [part])
  return !bound.includes('?') && matchText(bound, part)
}

const DOMAIN = 'domain:'
const ORIGIN = /^(https?:\/\/)([^/?#*@]+)(\/.*)?$/i

function isUrlWithin(pattern: string, bounds: string): boolean {
  if (bounds.startsWith(DOMAIN)) {
    const host = pattern.startsWith(DOMAIN)
      ? pattern.slice(DOMAIN.length)
      : ORIGIN.exec(pattern)?.[2]?.replace(/:\d+$/, '')
    return host !== undefined && isHostWithin(host, bounds.slice(DOMAIN.length))
  }
  if (!pattern.includes('*')) return allowUrl(pattern).matches(bounds)
  const [inner, outer] = [ORIGIN.exec(pattern), ORIGIN.exec(bounds)]
  if (inner === null || outer === null || outer[3] !== '/*') return false
  const isSame =
    inner[1]!.toLowerCase() === outer[1]!.toLowerCase() && inner[2]!.toLowerCase() === outer[2]!.toLowerCase()
  return isSame && !('problem' in readUrl(`${inner[1]}${inner[2]}`))
}

function isHostWithin(pattern: string, bounds: string): boolean {
  if (pattern === '*') return bounds === '*'
  const below = pattern.startsWith('*.')
  const host = hostOf(below ? pattern.slice('*.'.length) : pattern)
  if (host === undefined) return false
  if (bounds === '*' || coversHost(bounds, host)) return true
  // `*.example.com` covers what is below it, and so does the same pattern.
  return below && bounds.startsWith('*.') && hostOf(bounds.slice('*.'.length)) === host
}
