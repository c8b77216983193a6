import { count, duration, jsonText, number } from './words.ts'
import { changesOf, totalOf } from './changes.ts'
import type { LogEvent, Shown } from './event.ts'
import { type Call, type CallStatus, codeOf, type Run, shownBefore, type Step, wasAsked } from './run.ts'

/** What rows are found by. */
export const ROW_TAGS = ['refused', 'asked', 'failed', 'changed', 'skills'] as const
export type RowTag = (typeof ROW_TAGS)[number]

/** What a row is about. */
export const ROW_KINDS = ['step', 'change', 'call', 'note'] as const
type RowKind = (typeof ROW_KINDS)[number]

/**
 * The rows of a timeline, as lists of numbers: a run may have hundreds of thousands, of which a screen shows forty.
 * `item` is a call's place in the run, a note's or a change's in its step.
 */
export interface RowIndex {
  readonly kind: Uint8Array
  readonly step: Uint32Array
  readonly item: Uint32Array
  /** A bit for each of `ROW_TAGS`. */
  readonly tags: Uint8Array
}

/** Which row. */
export interface RowPlace {
  readonly kind: RowKind
  readonly step: number
  readonly item: number
}

/** A row of the timeline in words. `lead` is ours, `text` comes from the log. */
export interface Row extends RowPlace {
  readonly status?: CallStatus | 'added' | 'removed'
  readonly lead: string
  readonly text: string
  readonly end: string
}

/** Lists all rows of a run, step by step. */
export function indexOf(run: Run): RowIndex {
  const kind: number[] = []
  const steps: number[] = []
  const items: number[] = []
  const tags: number[] = []
  const add = (of: RowKind, step: number, item: number, tag: number): void => {
    kind.push(ROW_KINDS.indexOf(of))
    steps.push(step)
    items.push(item)
    tags.push(tag)
  }
  let before: Shown | undefined
  run.steps.forEach((step, place) => {
    add('step', place, 0, 0)
    for (const [index, change] of changesIn(before, step.shown).entries())
      add('change', place, index, bits(change.tags))
    for (const item of step.order) {
      if (item >= 0) add('call', place, item, bits(tagsOf(run.calls[item]!)))
      else if (step.notes[~item]!.type !== 'model.called') add('note', place, ~item, bits(noteTags(step.notes[~item]!)))
    }
    before = step.shown ?? before
  })
  return {
    kind: Uint8Array.from(kind),
    step: Uint32Array.from(steps),
    item: Uint32Array.from(items),
    tags: Uint8Array.from(tags),
  }
}

function bits(tags: readonly RowTag[]): number {
  return tags.reduce((sum, tag) => sum | (1 << ROW_TAGS.indexOf(tag)), 0)
}

/** Writes one row. */
export function rowOf(run: Run, { kind, step: place, item }: RowPlace): Row | undefined {
  const step = run.steps[place]
  if (step === undefined) return undefined
  if (kind === 'step') return stepRow(step, place)
  if (kind === 'call') return run.calls[item] && callRow(run.calls[item])
  if (kind === 'note') return step.notes[item] && noteRow(step.notes[item], place, item)
  const change = changesIn(shownBefore(run, place), step.shown)[item]
  if (change === undefined) return undefined
  const { tags: _, ...row } = change
  return { kind, step: place, item, ...row }
}

function stepRow(step: Step, place: number): Row {
  const { shown, usage } = step
  const parts = [
    ...(shown === undefined
      ? []
      : [
          count(shown.skills.length + (shown.more?.skills ?? 0), 'skill'),
          count(shown.tools.length + (shown.more?.tools ?? 0), 'tool'),
        ]),
    ...(step.active.length > 0 ? [`${step.active.length} active`] : []),
    ...(step.calls.length > 0 ? [count(step.calls.length, 'call')] : []),
  ]
  const tokens = usage?.inputTokens ?? (shown && totalOf(shown))
  return {
    kind: 'step',
    step: place,
    item: 0,
    lead: `Step ${step.number}`,
    text: parts.join(' · '),
    end: tokens === undefined ? '' : `${number(tokens)} tokens`,
  }
}

interface Change extends Omit<Row, keyof RowPlace> {
  readonly tags: readonly RowTag[]
}

function changesIn(before: Shown | undefined, now: Shown | undefined): readonly Change[] {
  if (before === undefined || now === undefined) return []
  const changes = changesOf(before, now)
  const rows: Change[] = []
  const tools = (status: Row['status'], lead: string, text: string, end = ''): void => {
    rows.push({ ...(status && { status }), lead, text, end, tags: ['changed'] })
  }
  const skills = (status: Row['status'], lead: string, text: string, end = ''): void => {
    rows.push({ ...(status && { status }), lead, text, end, tags: ['changed', 'skills'] })
  }
  const { toolsAdded, skillsAdded } = changes
  if (toolsAdded.length > 0) tools('added', 'Now offered', toolsAdded.join(', '), signed(toolsAdded.length, 'tool'))
  for (const { tool, isWithheld, skill, reason } of changes.toolsRemoved) {
    if (isWithheld)
      tools(
        'removed',
        'Withheld',
        `${tool}${skill === undefined ? '' : ` by ${skill}`}${reason === undefined ? '' : `: ${reason}`}`,
      )
    else tools('removed', 'No longer offered', tool)
  }
  if (skillsAdded.length > 0) skills('added', 'Now listed', skillsAdded.join(', '), signed(skillsAdded.length, 'skill'))
  for (const { name, why, reason } of changes.skillsRemoved) {
    const lead = why === undefined ? 'No longer listed' : `Left out (${why})`
    skills('removed', lead, reason === undefined ? name : `${name}: ${reason}`)
  }
  for (const { name, from, to } of changes.skillsChanged)
    skills(undefined, 'Listed otherwise', `${name}: ${from} → ${to}`)
  if (changes.promptChanged) {
    const sign = changes.promptTokens < 0 ? '−' : '+'
    tools(undefined, 'Prompt changed', '', `${sign}${number(Math.abs(changes.promptTokens))} tokens`)
  }
  return rows
}

function tagsOf(call: Call): readonly RowTag[] {
  const { status, advised, events } = call
  return [
    ...(status === 'refused' || advised ? (['refused'] as const) : []),
    ...(wasAsked(call) ? (['asked'] as const) : []),
    ...(status === 'failed' || status === 'aborted' ? (['failed'] as const) : []),
    ...(events.some(({ type }) => type.startsWith('skill.') || type.startsWith('resource.'))
      ? (['skills'] as const)
      : []),
  ]
}

function callRow(call: Call): Row {
  return {
    kind: 'call',
    step: call.step,
    item: call.index,
    status: call.status,
    lead: leadOf(call),
    text: subjectOf(call),
    end: call.status === 'refused' ? codeOf(call) : call.ms > 0 ? duration(call.ms) : '',
  }
}

/** What a call is for, in our words. */
function leadOf({ events, advised }: Call): string {
  if (advised) return 'Against the rules'
  for (const { type } of events) {
    if (type.startsWith('skill.deactivated')) return 'Deactivate'
    if (type.startsWith('skill.')) return 'Activate'
    if (type.startsWith('resource.')) return 'Read'
    if (type.startsWith('skills.')) return 'Search'
    if (type.startsWith('fork.')) return 'Sub-agent'
    if (type.startsWith('execution.')) return 'Execute'
    if (type.startsWith('script.')) return 'Run script'
    if (type.startsWith('script_read.')) return 'Read script'
  }
  return events.some(({ consent }) => consent?.about === 'skill') ? 'Activate' : 'Call'
}

/** What a call is about, in the words of the log. */
export function subjectOf({ tool, events }: Call): string {
  const about = events.map(partOf).find((part) => part !== undefined)
  const input = events.find((event) => event.input !== undefined)?.input
  const shown = about ?? (input === undefined ? '' : inputLine(input))
  return [tool, shown].filter((part) => part !== '').join('  ')
}

/** What an event is about. Of a host's tool, that is its input; the skill of its event is the one that refused it. */
function partOf({ type, skill, script, path, found }: LogEvent): string | undefined {
  if (script !== undefined) return `${script.skill}/${script.path}`
  if (path !== undefined) return skill === undefined ? path : `${skill.name}/${path}`
  return /^(?:tool|restriction)\./.test(type) ? undefined : (skill?.name ?? found?.join(', '))
}

/** Arguments that say what a call is about. */
const KEY_ARGUMENTS = ['name', 'path', 'file_path', 'command', 'url'] as const

/** An input in one line: what it is about, if an argument says so. */
function inputLine(input: unknown): string {
  if (typeof input !== 'object' || input === null) return cut(jsonText(input))
  const fields = new Map<string, unknown>(Object.entries(input))
  const key = KEY_ARGUMENTS.map((name) => fields.get(name)).find((value) => typeof value === 'string')
  const [only] = fields.size === 1 ? fields.values() : []
  const about = key ?? only
  return cut(typeof about === 'string' ? about : jsonText(input))
}

const NOTES: ReadonlyMap<string, string> = new Map([
  ['skill.activated', 'Activated'],
  ['skill.activating', 'Activation begins'],
  ['skill.denied', 'Activation refused'],
  ['skill.deactivated', 'Deactivated'],
  ['skills.matched', 'Matched to the message'],
  ['window.summarized', 'Older messages summarised'],
  ['window.evicted', 'Sections left out of the prompt'],
  ['window.exceeded', 'Does not fit into the window'],
  ['window.forgotten', 'Summary dropped'],
  ['window.left_alone', 'The provider keeps the conversation'],
  ['consent.asked', 'Asked'],
  ['consent.answered', 'Answered'],
])

function noteRow(event: LogEvent, step: number, item: number): Row {
  const { type, outcome, skill, found, window, reason, consent, endedBy } = event
  const texts = [
    skill?.name,
    found?.join(', '),
    window?.skills?.join(', '),
    consent?.answer,
    consent?.text,
    endedBy === undefined ? undefined : `by ${endedBy}`,
    reason,
  ].filter((text) => text !== undefined && text !== '')
  const { messages, tokensBefore, tokens } = window ?? {}
  const sizes = [
    ...(tokensBefore === undefined || tokens === undefined
      ? []
      : [`${number(tokensBefore)} → ${number(tokens)} tokens`]),
    ...(messages === undefined ? [] : [count(messages, 'message')]),
  ]
  const status = type.startsWith('consent.')
    ? 'asked'
    : outcome === 'refused' || outcome === 'failed'
      ? outcome
      : undefined
  return {
    kind: 'note',
    step,
    item,
    status,
    lead: NOTES.get(type) ?? type,
    text: texts.join(' · '),
    end: sizes.join(' · '),
  }
}

function noteTags({ type, outcome }: LogEvent): readonly RowTag[] {
  return [
    ...(outcome === 'refused' ? (['refused'] as const) : []),
    ...(outcome === 'failed' ? (['failed'] as const) : []),
    ...(type.startsWith('consent.') ? (['asked'] as const) : []),
    ...(type.startsWith('skill') ? (['skills'] as const) : []),
    ...(type.startsWith('window.') ? (['changed'] as const) : []),
  ]
}

const MAX_LINE_CHARS = 300

function cut(text: string): string {
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text
}

function signed(amount: number, noun: string): string {
  return `+${count(amount, noun)}`
}
