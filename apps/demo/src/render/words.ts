import { DEFAULT_TOOL_NAMES } from '@repertoire/core'
import { count, visible, visibleLine } from 'repertoire/terminal'
import type { CallEvent, DemoEvent, OfferEvent } from '../events.ts'

/** How an event ended, in a word or two. */
export interface Mark {
  /** `good`: as requested. `no`: refused. `bad`: should not happen. `none`: not judged. */
  readonly tone: 'good' | 'no' | 'bad' | 'none'
  readonly text: string
}

/** A line about an event. */
export interface Detail {
  readonly text: string
  /** The maximum number of lines in a narrow column. */
  readonly most: number
}

const DONE: ReadonlyMap<string, string> = new Map([
  [DEFAULT_TOOL_NAMES.activate, 'activated'],
  [DEFAULT_TOOL_NAMES.deactivate, 'left'],
  [DEFAULT_TOOL_NAMES.readResource, 'read'],
  [DEFAULT_TOOL_NAMES.runScript, 'ran'],
])

/** The end of the label of a call whose tool was hidden. */
export const HIDDEN = ' (hidden)'

/** The event without its result: `Write docs/intro.md`. */
export function labelOf(event: DemoEvent): string {
  if (event.type === 'say') return visibleLine(event.text)
  if (event.type === 'offer') return offerLabel(event)
  const { offered, outcome } = event
  const isHidden = !offered && !(outcome.kind === 'refused' && outcome.code === 'TOOL_UNKNOWN')
  return `${callLabel(event)}${isHidden ? HIDDEN : ''}`
}

/** Returns how the event ended. */
export function markOf(event: DemoEvent): Mark {
  if (event.type === 'say') return { tone: 'none', text: '' }
  if (event.type === 'offer') return { tone: 'good', text: event.hidden.length > 0 ? '✓ hidden' : '✓ shown' }
  const { outcome } = event
  if (outcome.kind === 'ran') return { tone: 'good', text: '✓ ran' }
  if (outcome.kind === 'done') return doneMark(event)
  if (outcome.kind === 'lost') return { tone: 'bad', text: '! not run' }
  return { tone: 'no', text: outcome.code === 'CONSENT_DENIED' ? '✗ denied' : '✗ refused' }
}

/** What the model was shown of it, as single lines. Empty if the label says it all. */
export function detailsOf(event: DemoEvent): readonly Detail[] {
  if (event.type === 'say') return []
  if (event.type === 'offer') {
    const { skills, tools, shown, hidden } = event
    if (shown.length + hidden.length > 0) return []
    return [
      { text: `skills: ${names(skills)}`, most: 2 },
      { text: `tools: ${names(tools)}`, most: 2 },
    ]
  }
  const { outcome, shown } = event
  // A refusal and what a skill may use are shown in full if possible. Of other results, the beginning is enough.
  if (outcome.kind === 'refused') return [{ text: visibleLine(`${outcome.code}: ${outcome.reason}`), most: 6 }]
  if (shown === undefined) return [{ text: 'The model was shown no result.', most: 1 }]
  return [{ text: excerpt(shown), most: CONTENT.test(shown) ? 3 : 1 }]
}

/** The element around the content of a skill that was activated. */
const CONTENT = /^<skill_content [^>]*>/
const PLAN = 'type="composite"'

/** Scripts and plans have a result also where they failed. */
function doneMark({ tool, shown = '' }: CallEvent): Mark {
  if (/^<skill_output [^>]*(?:exit="(?!0")|signal=|ended=)|^<skill_result [^>]*failed=/.test(shown)) {
    return { tone: 'no', text: '✗ failed' }
  }
  if (shown.startsWith('<skill_output ')) return { tone: 'good', text: '✓ ran' }
  const [, type] = /^<skill_result [^>]*type="(\w+)"/.exec(shown) ?? []
  if (type === 'template') return { tone: 'good', text: '✓ rendered' }
  const [head = ''] = CONTENT.exec(shown) ?? []
  if (type === 'composite' || head.includes(PLAN)) return { tone: 'good', text: '✓ planned' }
  return { tone: 'good', text: `✓ ${DONE.get(tool) ?? 'done'}` }
}

function offerLabel({ skills, tools, shown, hidden }: OfferEvent): string {
  if (hidden.length > 0) return `No longer offered: ${names(hidden)}`
  if (shown.length > 0) return `Now offered: ${names(shown)}`
  return `Offered: ${count(skills.length, 'skill')}, ${count(tools.length, 'tool')}`
}

/** Arguments that say what a call is about. */
const KEY_ARGUMENTS = ['name', 'path', 'file_path', 'command', 'url'] as const

function callLabel({ tool, input }: CallEvent): string {
  if (typeof input !== 'object' || input === null) return visibleLine(`${tool} ${String(input)}`)
  const fields = new Map<string, unknown>(Object.entries(input))
  const values = KEY_ARGUMENTS.flatMap((key) => fields.get(key) ?? [])
  const args = fields.get('args') ?? []
  const more = Array.isArray(args) ? args.map(argumentText) : [typeof args === 'string' ? args : JSON.stringify(args)]
  const rest = values.length > 0 || fields.size === 0 ? [...values.map(String), ...more] : [JSON.stringify(input)]
  return visibleLine([tool, ...rest].join(' ')).replace(/\/\S*(?=\/[^/\s]+\/scripts\/)/, '…')
}

/** In quotes unless it is one word. */
function argumentText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"']+$/.test(value) ? value : JSON.stringify(value)
}

function excerpt(shown: string): string {
  const [head] = CONTENT.exec(shown) ?? []
  if (head !== undefined) {
    const [, allowed] = /^Allowed tools: (.*)$/m.exec(shown) ?? []
    const steps = [...shown.matchAll(/^\d+\. `(.*?)` \{/gm)].map(([, tool = '']) => tool)
    const what = head.includes(PLAN) ? `a plan, which the model carries out: ${names(steps)}` : 'its instructions'
    return visibleLine(`${what}, and ${allowed === undefined ? 'no limit to its tools' : `may use: ${allowed}`}`)
  }
  return shown
    .replace(/^<(skill_resource|skill_output|skill_result) [^>]*>\n([\s\S]*)\n<\/\1>$/, '$2')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => visible(line.trim()))
    .join(' ⏎ ')
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map(visible).join(', ')
}
