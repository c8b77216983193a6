import { commands } from '../load-commands.ts'
import { type ToolRule, quote } from '@repertoire/skill-md/internal'
import { type ReadCall, type ReadValues, textsOf } from '../call.ts'
import { hostRules, rulesFor } from '../host-tools/named.ts'
import { joinedPaths } from '../joined-paths.ts'
import { joinedUrls } from '../joined-urls.ts'
import { COMMAND_ALONE, isPosixShell, shellInputProblem } from '../shell-input.ts'
import { withHint } from '../other-arguments.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { type RuleList, allowsAll, listRules, scopeOf } from '../rules.ts'
import { MAX_PATTERN_CHARS, MAX_TEXT_CHARS, isLongerThan } from '../limits.ts'
import { type Comparison, type Mismatch, compareText, coveredByNothing, tellingMismatch } from './text.ts'
import { compareUrl } from './url.ts'
import { type PatternPart, asGlob, matchParts, matchText } from '../glob.ts'
import { type LexicalPath, baseFolder, globProblem, isOnDrive, readPath } from '../path.ts'
import { isSinglePlainStatement } from '../shell/programs/sql.ts'

/** What all active rules together allow. */
export interface Allowed {
  /** As a model reads them. */
  readonly rules: readonly string[]
  /** Those of them for the tool that is called. */
  readonly ofTool: readonly string[]
}

/**
 * Says why no rule of a list allows a call; undefined if one does. It names what may be called instead by what all lists
 * allow together. A rule without a pattern allows every call of its tool; a rule with one allows a call where every
 * argument that its pattern is about is covered, and at least one is there. `Tool(*)` is the whole tool, but for paths,
 * where it is every file directly in the working folder.
 *
 * A tool that stands for several others needs a rule of each. The other arguments count too: see `shellInputProblem`,
 * `joinedPaths` and `joinedUrls`.
 */
export function mismatchReason(call: ReadCall, list: RuleList, findAllowed: () => Allowed): string | undefined {
  const groups = rulesFor(list.rules, { name: call.tool, as: call.as }, call.tools)
  const { when, who } = scopeOf(list)
  if (groups.some((group) => group.length === 0)) {
    const allowed = findAllowed().rules
    const others = allowed.length === 0 ? 'no tools but the skill tools' : `only ${listRules(allowed)}`
    const isOwn = isSameList(allowed, hostRules(list.rules, call.tools).rules)
    const instead = isOwn
      ? `${who} allows ${others}`
      : `${who} does not allow it. All active rules together allow ${others}`
    return `${quote(call.tool)} may not be used ${when}: ${instead}.${actionHint(call)}`
  }
  for (const named of groups) {
    const mismatch = findMismatch(call, named, list.onlyKnown === true && call.argument?.kind === 'shell')
    if (mismatch === undefined) continue
    const { why, hint } = mismatch
    const { ofTool } = findAllowed()
    const how = ofTool.length === 0 ? 'not be used' : `only be used as ${listRules(ofTool)}`
    return `${quote(call.tool)} may ${how} ${when}; ${why}.${hint === undefined ? '' : ` ${hint}`}`
  }
  return undefined
}

function findMismatch(call: ReadCall, named: readonly ToolRule[], onlyKnown: boolean): Mismatch | undefined {
  const kind = call.argument?.kind
  if (!onlyKnown && named.some((rule) => allowsAll(rule, kind))) return undefined
  const compared = compareArguments(call, onlyKnown)
  if (kind !== 'shell') return mismatchOf(compared, named)
  // Of several commands, each may be covered by a rule of its own.
  return tellingMismatch(compared.map((compare) => mismatchOf([compare], named)))
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each))
}

/** Why no single rule covers all of some arguments. */
function mismatchOf(compared: readonly Comparison[], named: readonly ToolRule[]): Mismatch | undefined {
  const mismatches: Mismatch[] = []
  for (const { pattern = '*' } of named) {
    const mismatch = tellingMismatch(compared.map((compare) => compare(pattern)))
    if (mismatch === undefined) return undefined
    mismatches.push(mismatch)
  }
  return tellingMismatch(mismatches)
}

/** For a tool that does several things, if the call does not say which: the argument that tells it. */
function actionHint({ known: { by }, as }: ReadCall): string {
  if (by === undefined || as.length > 0) return ''
  const values = [...by.uses.keys()].map((value) => quote(value))
  return ` What it does is told by its argument ${quote(by.argument)}: give ${values.join(', ')}.`
}

/** One comparison for each argument that a rule has to cover; where nothing can be compared, one that nothing covers. */
function compareArguments(call: ReadCall, onlyKnown: boolean): readonly Comparison[] {
  const { argument, arguments: read, base } = call
  if ('problem' in read)
    return [coveredByNothing(read.missing ? `${read.problem}, to which that applies` : read.problem)]
  const kind = argument?.kind
  const other = kind === 'shell' ? shellInputProblem(argument!, call, base) : undefined
  if (other !== undefined) return [coveredByNothing(other, COMMAND_ALONE)]
  const declared = read.values.map(({ name, value, expected = 'text' }) => {
    if (typeof value !== 'string') {
      const hint = kind === 'shell' ? commands().PLAIN_COMMAND : undefined
      return coveredByNothing(`its argument ${quote(name)} is not ${expected}`, hint)
    }
    if (kind === 'shell') {
      return commands().compareCommand(call.commandLine(value), {
        isPosix: isPosixShell(argument!, base),
        onlyKnown,
      })
    }
    if (kind === 'path') return comparePath(value, base)
    if (kind === 'url') return compareUrl(value)
    return kind === 'sql' ? compareSql(name, value) : compareText(name, value)
  })
  return [...declared, ...compareOthers(call, argument!, read)]
}

/** Compares what the other arguments of a call make of its paths and addresses. */
function compareOthers(call: ReadCall, argument: ToolArgument, read: ReadValues): readonly Comparison[] {
  if (argument.kind === 'path') {
    const joined = joinedPaths(argument, call, textsOf(read))
    if (joined === undefined) return [coveredByNothing('its other arguments may make too many paths of that')]
    return joined.map(({ name, path }) =>
      path === undefined ? unreadable(name) : withHint(comparePath(path, call.base), name),
    )
  }
  if (argument.kind !== 'url') return []
  return joinedUrls(argument, call, textsOf(read)).map(({ name, url }) =>
    url === undefined ? unreadable(name) : withHint(compareUrl(url), name),
  )
}

function unreadable(name: string): Comparison {
  return coveredByNothing(`its argument ${quote(name)} cannot be read`)
}

/**
 * Compares a file's path with a pattern of `*`, `?` and `**` (see `matchParts`), by text alone: links are not followed
 * here, that is up to what opens the file. A relative path and a relative pattern are relative to the working folder;
 * where that is unknown, both must be relative or both absolute. A path that climbs above where it begins matches
 * nothing, whatever the folder. With a working folder on a Windows drive, `\` separates too.
 */
export function comparePath(value: string, cwd: string | undefined): Comparison {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return coveredByNothing(`the path ${quote(value)} ${path.problem}`)
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return (pattern) => {
    const wanted = pattern.length > MAX_PATTERN_CHARS ? { problem: 'is too long' } : readPath(pattern, windows)
    if ('problem' in wanted) {
      return { why: `the rule's pattern ${quote(pattern)} ${wanted.problem} and covers nothing`, about: 'pattern' }
    }
    if (coversPath(wanted, path, base)) return undefined
    return { why: `the path ${quote(value)} is not covered`, about: 'form' }
  }
}

function coversPath(pattern: LexicalPath, path: LexicalPath, base: LexicalPath | undefined): boolean {
  const patternParts = pattern.parts.map((text) => ({ text }))
  if (pattern.root === path.root) return matchParts(patternParts, path.parts)
  if (base === undefined) return false
  if (path.root === undefined)
    return pattern.root === base.root && matchParts(patternParts, [...base.parts, ...path.parts])
  const literal: readonly PatternPart[] = base.parts.map((text) => ({ text, literal: true }))
  return pattern.root === undefined && path.root === base.root && matchParts([...literal, ...patternParts], path.parts)
}

/**
 * Compares SQL. A pattern is the text itself, or one in which each `*` stands for any text; with a `*` it covers only one
 * statement of which every word is known, and that writes only where it begins so.
 * @param name of the argument
 */
function compareSql(name: string, value: string): Comparison {
  if (value.length > MAX_TEXT_CHARS) {
    return coveredByNothing(`its argument ${quote(name)} ${isLongerThan(MAX_TEXT_CHARS)}`)
  }
  return (pattern) => {
    if (pattern === value && pattern.length <= MAX_PATTERN_CHARS) return undefined
    const glob = asGlob(pattern)
    if (pattern.length > MAX_PATTERN_CHARS || /^\**$/.test(glob) || !matchText(glob, value)) {
      return { why: `${quote(value)} is not of that form`, about: 'form' }
    }
    if (isSinglePlainStatement(value)) return undefined
    return {
      why: `${quote(value)} is not certainly a single statement of which every word is known`,
      hint: 'Give one statement, without comments and without functions that do more than compute.',
      about: 'value',
    }
  }
}
