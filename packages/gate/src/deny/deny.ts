import { commands } from '../load-commands.ts'
import { type ToolRule, normalForm, quote, shown } from '@repertoire/skill-md/internal'
import type { ToolArgument } from '../ports/tool.ts'
import { type CallArguments, type ReadCall, type ReadValues, textsOf } from '../call.ts'
import { deniedUses, isWholeTool } from '../host-tools/named.ts'
import type { PossibleTool } from '../host-tools/toolset.ts'
import { joinedPaths } from '../joined-paths.ts'
import { joinedUrls, mayBeAddress } from '../joined-urls.ts'
import { COMMAND_ALONE, isPosixShell, shellInputProblem } from '../shell-input.ts'
import { withHint } from '../other-arguments.ts'
import { type RuleList, ruleText, scopeOf } from '../rules.ts'
import { MAX_PATTERN_CHARS, MAX_TEXT_CHARS, isLongerThan } from '../limits.ts'
import { type Denial, type DenialCheck, deniedByAll, denyPath } from './path.ts'
import { asGlob, matchText } from '../glob.ts'
import { bareHost, coversHost, hostOf, readUrl } from '../url.ts'
import { isSinglePlainStatement } from '../shell/programs/sql.ts'

/** The rule that denies a call, and why. */
export interface DeniedBy {
  readonly rule: ToolRule
  readonly reason: string
}

/**
 * Returns a function that says why a list of rules denies a call; undefined where it does not. A rule that denies is read
 * the reverse way of one that allows: there a call that cannot be judged is covered by nothing, here it is covered by
 * everything. So a call passes only where no argument that the rules are about can be what they mean, under none of the
 * names that the tool may go by.
 */
export function createDenyCheck(call: ReadCall): (list: RuleList) => DeniedBy | undefined {
  const checks = new Map<PossibleTool | undefined, readonly DenialCheck[]>()
  const checksOf = (use: PossibleTool | undefined): readonly DenialCheck[] => {
    let found = checks.get(use)
    if (found === undefined) checks.set(use, (found = checkUse(call, use)))
    return found
  }
  return (list) => {
    const { tool, as, maybe, tools } = call
    const named = list.rules
      .map((rule) => ({ rule, uses: deniedUses(rule.tool, { name: tool, as, maybe }, tools) }))
      .filter(({ uses }) => uses.length > 0)
    if (named.length === 0) return undefined
    const { when, who } = scopeOf(list)
    const whole = named.find(({ rule }) => isWholeTool(rule))
    if (whole !== undefined) {
      const reason = `${quote(tool)} may not be used ${when}: ${who} disallows ${shown(ruleText(whole.rule))}.`
      return { rule: whole.rule, reason }
    }
    for (const { rule, uses } of named) {
      for (const check of uses.flatMap(checksOf)) {
        const denial = check(rule.pattern ?? '*')
        if (denial === undefined) continue
        const { why, hint } = denial
        const what = `${quote(tool)} may not be used like this ${when}: ${who} disallows ${shown(ruleText(rule))}`
        return { rule, reason: `${what}, and ${why}.${hint === undefined ? '' : ` ${hint}`}` }
      }
    }
    return undefined
  }
}

/** @param use what the tool may be; undefined: what it is */
function checkUse(call: ReadCall, use: PossibleTool | undefined): readonly DenialCheck[] {
  if (use?.command !== undefined) return [commands().denyCommand(call.commandLine(use.command), true)]
  const argument = use?.argument ?? call.argument
  const read = argument === undefined || argument === call.argument ? call.arguments : call.readArgument(argument)
  return checkArguments(call, argument, read)
}

function checkArguments(
  call: ReadCall,
  argument: ToolArgument | undefined,
  read: CallArguments,
): readonly DenialCheck[] {
  if ('problem' in read) return [deniedByAll(read.missing ? `${read.problem}, so that rule may apply` : read.problem)]
  const { kind, reads } = argument!
  const other = kind === 'shell' ? shellInputProblem(argument!, call, call.base) : undefined
  if (other !== undefined) return [deniedByAll(`${other}, so that rule may apply`, COMMAND_ALONE)]
  const declared = read.values.map(({ name, value, expected = 'text' }) => {
    if (typeof value !== 'string') return deniedByAll(`its argument ${quote(name)} is not ${expected}`)
    if (kind === 'shell') return commands().denyCommand(call.commandLine(value), isPosixShell(argument!, call.base))
    if (kind === 'path') return denyPath(value, call.base, reads === 'below')
    if (kind === 'url') return denyUrl(value)
    return kind === 'sql' ? denySql(value) : denyText(value)
  })
  return [...declared, ...checkOthers(call, argument!, read)]
}

/** Checks what the other arguments of a call make of its paths and addresses. */
function checkOthers(call: ReadCall, argument: ToolArgument, read: ReadValues): readonly DenialCheck[] {
  if (argument.kind === 'path') {
    const joined = joinedPaths(argument, call, textsOf(read))
    if (joined === undefined) return [deniedByAll('its other arguments may make too many paths of that')]
    return joined.map(({ name, path }) =>
      path === undefined ? unreadable(name) : withHint(denyPath(path, call.base, argument.reads === 'below'), name),
    )
  }
  if (argument.kind !== 'url') return []
  return joinedUrls(argument, call, textsOf(read)).flatMap(({ name, url, isAddress }) => {
    if (url === undefined) return [unreadable(name)]
    return isAddress || mayBeAddress(url) ? [withHint(denyUrl(url), name)] : []
  })
}

function unreadable(name: string): DenialCheck {
  return deniedByAll(`its argument ${quote(name)} cannot be read, so that rule may apply`)
}

/**
 * Checks an address. A host means itself and all below it; scheme and port make no difference, since servers redirect
 * from one to the other, and a pattern means all addresses that begin with it.
 */
function denyUrl(value: string): DenialCheck {
  const url = readUrl(value)
  if ('problem' in url) return deniedByAll(`the address ${quote(value)} ${url.problem}`)
  const hosts = [bareHost(url.hostname), ...embeddedAddress(url.hostname)]
  const denial: Denial = { why: `the address ${quote(value)} matches it` }
  return (pattern) => {
    const wanted = readPattern(pattern)
    if (wanted === undefined) return { why: `it is uncertain what the pattern ${quote(pattern)} matches` }
    if (!hosts.some((host) => coversHost(wanted.host, host))) return undefined
    return wanted.path === undefined || mayMatchPath(wanted.path, url) ? denial : undefined
  }
}

/** The host and path of a pattern; undefined where it is not certain which hosts it means. */
function readPattern(pattern: string): { readonly host: string; readonly path?: string } | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  const domain = pattern.startsWith('domain:') ? pattern.slice('domain:'.length) : undefined
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^#]*)$/is.exec(pattern) ?? []
  const host = domain ?? authority.replace(/:(?:\d*|\*)$/, '')
  if (host !== '*' && hostOf(host.replace(/^\*\./, '')) === undefined) return undefined
  // The parameters of a query may come in another order.
  return domain === undefined ? { host, path: path.split('?', 1)[0]! } : { host }
}

/** The IPv4 address in an IPv6 one: `[::ffff:7f00:1]` is another spelling of 127.0.0.1. */
function embeddedAddress(hostname: string): readonly string[] {
  const [, high = '', low = ''] = /^\[(?:::ffff:(?:0:)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (low === '') return []
  return [[high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.')]
}

function mayMatchPath(pattern: string, url: URL): boolean {
  // Servers differ in what they make of an encoded letter, of doubled slashes and of parameters within a path.
  if (/[%;]|\/\//.test(url.pathname)) return true
  const wanted = new URL(`https://host${pattern}`).pathname.toLowerCase()
  return wanted.includes('%') || matchText(`${wanted}*`, url.pathname.toLowerCase())
}

/**
 * Checks SQL. A pattern means what it matches, and any statement with the word that the pattern begins with, wherever it
 * stands. What is not certainly one statement of known words may hold anything.
 */
function denySql(value: string): DenialCheck {
  if (!isSinglePlainStatement(value)) {
    return deniedByAll(
      `${quote(value)} is not certainly a single statement of which every word is known`,
      'Give one statement, without comments and without functions that do more than compute.',
    )
  }
  const matches = denyText(value)
  const words = new Set(value.toLowerCase().match(/[\p{L}\p{N}_]+/gu))
  return (pattern) => {
    const denial = matches(pattern)
    if (denial !== undefined) return denial
    const first = /^[\s(]*([\p{L}\p{N}_]+)/u.exec(pattern.toLowerCase())?.[1]
    if (first === undefined || !words.has(first)) return undefined
    return { why: `${quote(value)} may match it` }
  }
}

/** Checks a plain string. Case, the form of Unicode and blanks at the ends make no difference here. */
function denyText(value: string): DenialCheck {
  if (value.length > MAX_TEXT_CHARS) return deniedByAll(`its argument ${isLongerThan(MAX_TEXT_CHARS)}`)
  const text = fold(value)
  return (pattern) => {
    if (pattern.length > MAX_PATTERN_CHARS) return { why: 'the pattern is too long to be matched' }
    const wanted = fold(asGlob(pattern))
    return matchText(wanted, text) ? { why: `${quote(value)} matches it` } : undefined
  }
}

function fold(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase().trim()
}
