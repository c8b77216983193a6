import type { ScriptFile, ScriptInspection, ScriptNeed, ScriptRefusal, ScriptRunner } from '../ports/script-runner.ts'
import { showHidden } from '../text/escape.ts'
import { quote } from '../text/quote.ts'
import { TIMED_OUT, waitFor } from '../time-limit.ts'

/** How long a runner may read a script. */
const INSPECTION_MS = 10_000

/** Items of each kind that are kept, and characters of each text. */
const [MAX_ITEMS, MAX_CHARS] = [100, 300]

/** Refusals that one sentence names. */
const MAX_NAMED = 3

/** A script that a runner may read. */
export interface InspectedScript {
  readonly interpreter: string
  readonly script: string
  readonly files: readonly ScriptFile[]
}

/**
 * Asks a runner what it knows of a script before it runs. Never throws: a runner that fails, or takes too long, knows
 * nothing.
 */
export async function inspectScript(
  runner: ScriptRunner,
  script: InspectedScript,
): Promise<ScriptInspection | undefined> {
  if (typeof runner.inspect !== 'function') return undefined
  try {
    const answer: unknown = await waitFor(Promise.resolve(runner.inspect(script)), INSPECTION_MS)
    return answer === TIMED_OUT ? undefined : readInspection(answer)
  } catch {
    return undefined
  }
}

/** Why a runner would not run a script, as sentences; undefined: it would. */
export function refusedReason(path: string, runner: ScriptRunner, refused: readonly ScriptRefusal[]): string {
  const places = refused.slice(0, MAX_NAMED).map((each) => {
    const where = each.path === path ? '' : ` of ${quote(each.path)}`
    return `line ${each.line}${where}: ${each.reason}`
  })
  const more = refused.length > places.length ? ` (and ${refused.length - places.length} more)` : ''
  return `${quote(path)} cannot be run by the runner ${quote(runner.name.slice(0, MAX_CHARS))}: ${places.join('; ')}${more}.`
}

function readInspection(answer: unknown): ScriptInspection | undefined {
  if (!isRecord(answer)) return undefined
  const { refused, missing, unknown } = answer
  const refusals = listOf(refused).filter(isRefusal).map(shownRefusal)
  return {
    ...(refusals.length > 0 && { refused: refusals }),
    missing: listOf(missing).filter(isNeed).map(shownNeed),
    unknown: listOf(unknown).filter((line) => typeof line === 'number'),
  }
}

function shownRefusal({ path, line, reason }: ScriptRefusal): ScriptRefusal {
  return { path, line, reason: shown(reason) }
}

function shownNeed({ kind, name, line, certain }: ScriptNeed): ScriptNeed {
  return { kind, name: shown(name), line, certain }
}

function isRefusal(value: unknown): value is ScriptRefusal {
  return isRecord(value) && typeof value['path'] === 'string' && isPlace(value) && typeof value['reason'] === 'string'
}

function isNeed(value: unknown): value is ScriptNeed {
  if (!isRecord(value) || !isPlace(value)) return false
  const { kind, name, certain } = value
  return (kind === 'command' || kind === 'module') && typeof name === 'string' && typeof certain === 'boolean'
}

function isPlace({ line }: Readonly<Record<string, unknown>>): boolean {
  return typeof line === 'number'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []
}

function shown(text: string): string {
  const visible = showHidden(text)
  return visible.length > MAX_CHARS ? `${visible.slice(0, MAX_CHARS)}…` : visible
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
