/** A skill, as an event names it. */
export interface NamedSkill {
  readonly name: string
  readonly digest?: string
  readonly layer?: string
  readonly source?: string
  readonly allowedTools?: readonly string[]
  readonly session?: string
}

/** What a step's model call was shown. */
export interface Shown {
  readonly step: number
  readonly skills: readonly { readonly name: string; readonly as: string; readonly tokens: number }[]
  /** Skills that are not in the list, and why. */
  readonly left: readonly { readonly name: string; readonly why: string; readonly reason: string }[]
  readonly tools: readonly string[]
  /** Tools that no call may use now, and the skill whose rules say so. Without one, the host's policy does. */
  readonly withheld?: readonly { readonly tool: string; readonly skill?: string; readonly reason?: string }[]
  readonly tokens: Tokens
  readonly digest: string
  readonly text?: string
  /** How many entries each list lacks. */
  readonly more?: {
    readonly skills?: number
    readonly left?: number
    readonly tools?: number
    readonly withheld?: number
  }
}

/** Tokens by part. */
interface Tokens {
  readonly system: number
  readonly list: number
  readonly bodies: number
  readonly tools: number
  readonly messages?: number
}

/** A question for consent, or its answer. */
export interface Consent {
  readonly request: string
  readonly about?: string
  readonly digest?: string
  readonly text?: string
  readonly answer?: string
  readonly by?: string
  readonly reason?: string
}

/**
 * An audit event as a log holds it. A log may come from anyone, so its words are strings rather than the closed sets of
 * `AuditEvent`, and every field of another shape has been left out.
 */
export interface LogEvent {
  readonly type: string
  /** ISO 8601. */
  readonly time?: string
  /** Milliseconds since 1970; 0 if the log does not say. */
  readonly at: number
  readonly session: string
  readonly agent?: string
  readonly tenant?: string
  readonly environment?: string
  readonly correlationId?: string
  readonly model?: string
  readonly callId?: string
  readonly tool?: string
  readonly standsFor?: string
  readonly inputDigest?: string
  readonly input?: unknown
  readonly skill?: NamedSkill
  readonly skills: readonly NamedSkill[]
  readonly allowedTools?: readonly string[]
  readonly refusedBy?: { readonly by: string; readonly skill?: string; readonly rule?: string }
  readonly unmatchedTools?: readonly string[]
  readonly unboundedRules?: readonly string[]
  readonly script?: { readonly skill: string; readonly path: string }
  readonly run?: Readonly<Record<string, unknown>>
  readonly missing?: string
  readonly path?: string
  readonly found?: readonly string[]
  readonly hook?: string
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
  readonly window?: LogWindow
  readonly endedBy?: string
  readonly durationMs?: number
  readonly outcome: string
  readonly code?: string
  readonly reason?: string
  readonly error?: string
  /** False: the rules only advised. */
  readonly enforced: boolean
  readonly shown?: Shown
  readonly consent?: Consent
}

/** What was done to keep the model's window. */
interface LogWindow {
  readonly size?: number
  readonly tokensBefore?: number
  readonly tokens?: number
  readonly messages?: number
  readonly by?: string
  readonly skills?: readonly string[]
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is an object whose known fields have these shapes. Fields before `|` are required. */
function shape(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const needed = Object.entries(required)
  const others = Object.entries(optional)
  return (value) =>
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

/** Fields that every event has. */
const BASE: ReadonlySet<string> = new Set(['version', 'type', 'session', 'outcome', 'skills', 'enforced'])

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

const isSkill = shape(
  { name: isText },
  { digest: isText, layer: isText, source: isText, allowedTools: isTexts, session: isText },
)
const isScript = shape({ skill: isText, path: isText })
const isTokens = shape({ system: isNumber, list: isNumber, bodies: isNumber, tools: isNumber }, { messages: isNumber })

const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
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
    script: isScript,
    input: isShallow,
    run: (value) => isObject(value) && isShallow(value),
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
    shown: shape(
      {
        step: isNumber,
        skills: listOf(shape({ name: isText, as: isText, tokens: isNumber })),
        left: listOf(shape({ name: isText, why: isText, reason: isText })),
        tools: isTexts,
        tokens: isTokens,
        digest: isText,
      },
      {
        withheld: listOf(shape({ tool: isText }, { skill: isText, reason: isText })),
        text: isText,
        more: shape({}, { skills: isNumber, left: isNumber, tools: isNumber, withheld: isNumber }),
      },
    ),
    consent: shape(
      { request: isText },
      { about: isText, digest: isText, text: isText, answer: isText, by: isText, reason: isText },
    ),
  }),
)

/** What an event says nothing without. */
const DEFINING: ReadonlyMap<string, string> = new Map([
  ['skills.shown', 'shown'],
  ['consent.asked', 'consent'],
  ['consent.answered', 'consent'],
])

/** Why a line of a log is not shown. */
const LEFT_OUT_KINDS = ['torn', 'version', 'shape'] as const
type LeftOutKind = (typeof LEFT_OUT_KINDS)[number]

/** Lines that are not shown. An exported page and the command write this in their place. */
export interface LeftOutLines {
  readonly kind: LeftOutKind
  readonly count: number
  /** The first of them, from 1. Undefined: the line that is read. */
  readonly line?: number | undefined
}

const isLeftOut = shape({
  kind: (value) => LEFT_OUT_KINDS.some((kind) => kind === value),
  count: isNumber,
  line: isNumber,
})

/** Reads an event from a value of JSON, which it changes; otherwise says why it is left out. */
function readEvent(value: unknown): LogEvent | LeftOutKind {
  if (!isObject(value)) return 'shape'
  if (value['version'] !== 1) return isNumber(value['version']) ? 'version' : 'shape'
  const { type, time, session, outcome } = value
  if (typeof type !== 'string' || typeof session !== 'string') return 'shape'
  for (const name in value) {
    if (!BASE.has(name) && CHECKS.get(name)?.(value[name]) !== true) value[name] = undefined
  }
  const defining = DEFINING.get(type)
  if (defining !== undefined && value[defining] === undefined) return 'shape'
  value['at'] = typeof time === 'string' ? Date.parse(time) || 0 : 0
  if (typeof outcome !== 'string') value['outcome'] = ''
  value['skills'] = sharedSkills(value['skills'])
  value['enforced'] = value['enforced'] !== false
  return value as unknown as LogEvent
}

let lastSkills: readonly NamedSkill[] = []

/** Events that follow each other mostly have the same active skills: one copy of them is enough. */
function sharedSkills(value: unknown): readonly NamedSkill[] {
  const skills = Array.isArray(value) ? (value.every(isSkill) ? value : value.filter(isSkill)) : []
  const isSame =
    skills.length === lastSkills.length && skills.every((skill, index) => isEqual(skill, lastSkills[index]!))
  if (!isSame) lastSkills = skills as readonly NamedSkill[]
  return lastSkills
}

function isEqual(one: NamedSkill, other: NamedSkill): boolean {
  return (
    one.name === other.name &&
    one.digest === other.digest &&
    one.layer === other.layer &&
    one.source === other.source &&
    one.session === other.session &&
    one.allowedTools?.length === other.allowedTools?.length &&
    (one.allowedTools ?? []).every((rule, index) => rule === other.allowedTools?.[index])
  )
}

/** Longest line that is read. Events are far shorter. */
const MAX_LINE_CHARS = 8 * 1024 * 1024

/** Reads one line. */
export function readLine(line: string): LogEvent | LeftOutLines {
  const torn: LeftOutLines = { kind: 'torn', count: 1 }
  if (line.length > MAX_LINE_CHARS) return torn
  try {
    return readValue(JSON.parse(line))
  } catch {
    return torn
  }
}

function readValue(value: unknown): LogEvent | LeftOutLines {
  if (isObject(value) && isLeftOut(value['leftOut'])) return value['leftOut'] as LeftOutLines
  const event = readEvent(value)
  return typeof event === 'string' ? { kind: event, count: 1 } : event
}
