type Check<T> = (value: unknown) => value is T
type Checks = Readonly<Record<string, Check<unknown>>>
type Known<C> = C extends Check<infer T> ? T : never
type Fields<C extends Checks> = { readonly [Name in keyof C]: Known<C[Name]> }

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check)
const isTexts = listOf(isText)

/** Whether a value is an object whose known fields have these shapes. */
function shape<R extends Checks, O extends Checks>(required: R, optional: O): Check<Fields<R> & Partial<Fields<O>>> {
  const needed = Object.entries(required)
  const others = Object.entries(optional)
  return (value): value is Fields<R> & Partial<Fields<O>> =>
    isObject(value) &&
    needed.every(([name, check]) => check(value[name])) &&
    others.every(([name, check]) => value[name] === undefined || check(value[name]))
}

/** Most levels of a value. An audit writes 8; thousands would exhaust the stack of whatever walks them. */
const MAX_LEVELS = 64

function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

const isInput = (value: unknown): value is unknown => isShallow(value)

const isSkill = shape(
  { name: isText },
  { digest: isText, layer: isText, source: isText, allowedTools: isTexts, session: isText },
)

/** A skill, as an event names it. */
export type NamedSkill = Known<typeof isSkill>

const isShown = shape(
  {
    step: isNumber,
    skills: listOf(shape({ name: isText, as: isText, tokens: isNumber }, {})),
    // Skills that are not in the list, and why.
    left: listOf(shape({ name: isText, why: isText, reason: isText }, {})),
    tools: isTexts,
    tokens: shape({ system: isNumber, list: isNumber, bodies: isNumber, tools: isNumber }, { messages: isNumber }),
    digest: isText,
  },
  {
    // Tools that no call may use now, and the skill whose rules say so. Without one, the host's policy does.
    withheld: listOf(shape({ tool: isText }, { skill: isText, reason: isText })),
    text: isText,
    // How many entries each list lacks.
    more: shape({}, { skills: isNumber, left: isNumber, tools: isNumber, withheld: isNumber }),
  },
)

/** What a step's model call was shown. */
export type Shown = Known<typeof isShown>

const isConsent = shape(
  { request: isText },
  { about: isText, digest: isText, text: isText, answer: isText, by: isText, reason: isText },
)

/** A question for consent, or its answer. */
export type Consent = Known<typeof isConsent>

const FIELDS = {
  time: isText,
  agent: isText,
  tenant: isText,
  environment: isText,
  correlationId: isText,
  model: isText,
  callId: isText,
  tool: isText,
  standsFor: isText,
  inputDigest: isText,
  skill: isSkill,
  allowedTools: isTexts,
  refusedBy: shape({ by: isText }, { skill: isText, rule: isText }),
  unmatchedTools: isTexts,
  unboundedRules: isTexts,
  script: shape({ skill: isText, path: isText }, {}),
  input: isInput,
  run: (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value) && isShallow(value),
  missing: isText,
  path: isText,
  found: isTexts,
  hook: isText,
  usage: shape({}, { inputTokens: isNumber, outputTokens: isNumber }),
  window: shape(
    {},
    { size: isNumber, tokensBefore: isNumber, tokens: isNumber, messages: isNumber, by: isText, skills: isTexts },
  ),
  endedBy: isText,
  durationMs: isNumber,
  code: isText,
  reason: isText,
  error: isText,
  shown: isShown,
  consent: isConsent,
}

/** By name; a field of an event may be called `constructor`. */
const CHECKS: ReadonlyMap<string, Check<unknown>> = new Map(Object.entries(FIELDS))

/**
 * An audit event as a log holds it. A log may come from anyone, so its words are strings rather than the closed sets of
 * `AuditEvent`, and every field of another shape has been left out.
 */
export interface LogEvent extends Partial<Fields<typeof FIELDS>> {
  readonly type: string
  /** Milliseconds since 1970; 0 if the log does not say. */
  readonly at: number
  readonly session: string
  readonly skills: readonly NamedSkill[]
  readonly outcome: string
  /** False: the rules only advised. */
  readonly enforced: boolean
}

/** Fields that every event has. */
const BASE: ReadonlySet<string> = new Set(['version', 'type', 'session', 'outcome', 'skills', 'enforced'])

/** What an event says nothing without. */
const DEFINING: ReadonlyMap<string, string> = new Map([
  ['skills.shown', 'shown'],
  ['consent.asked', 'consent'],
  ['consent.answered', 'consent'],
])

/** Reads an event from a value of JSON, which it changes. Returns undefined for any other value. */
function readEvent(value: Record<string, unknown>): LogEvent | undefined {
  const { version, type, time, session, outcome } = value
  if (version !== 1 || typeof type !== 'string' || typeof session !== 'string') return undefined
  for (const name in value) {
    if (!BASE.has(name) && CHECKS.get(name)?.(value[name]) !== true) value[name] = undefined
  }
  const defining = DEFINING.get(type)
  if (defining !== undefined && value[defining] === undefined) return undefined
  value['at'] = typeof time === 'string' ? Date.parse(time) || 0 : 0
  if (typeof outcome !== 'string') value['outcome'] = ''
  value['skills'] = sharedSkills(value['skills'])
  value['enforced'] = value['enforced'] !== false
  return value as unknown as LogEvent
}

let last: { readonly key: string; readonly skills: readonly NamedSkill[] } = { key: '', skills: [] }

/** Events that follow each other mostly have the same active skills: one copy of them is enough. */
function sharedSkills(value: unknown): readonly NamedSkill[] {
  const key = JSON.stringify(value) ?? ''
  if (last.key !== key) last = { key, skills: Array.isArray(value) ? value.filter(isSkill) : [] }
  return last.skills
}

/** Longest line that is read. Events are far shorter. */
const MAX_LINE_CHARS = 8 * 1024 * 1024

/** Reads one line. Undefined: it is torn, or not an event of a version that is known. */
export function readLine(line: string): LogEvent | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? readEvent(value) : undefined
  } catch {
    return undefined
  }
}
