import { type Policy, type RefusedBy, type Toolset, withheldBy } from '@repertoire/gate/internal'
import { type Skill, isObject, quoteName, shown } from '@repertoire/skill-md/internal'
import type { LeftSkill, ShownSkill, ShownTokens, WithheldTool } from '../../audit/events.ts'
import { cutBy, leftOutReason } from '../../catalog/explanation.ts'
import { safeCounter } from '../../text/safe-counter.ts'
import type { SkillList } from '../../tools/skill-list.ts'
import { STYLES } from '../../tools/styles.ts'
import { estimateTokens } from '../../window/settings.ts'
import type { SessionAudit } from '../audit/recorder.ts'
import type { SessionParts } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { ReadInstructions } from '../turn/reminder.ts'
import { AS_IT_IS, type FittedWindow, type WindowRequest, createMeasure, sentSystem } from '../window/request.ts'
import { type StepView, joinSystemPrompt } from './view.ts'

export interface BegunStep {
  readonly view: StepView
  readonly list: SkillList
  /** The visible skills. */
  readonly skills: readonly Skill[]
  readonly active: readonly ActiveSkill[]
  readonly policy: Policy
  /** The host's tools. */
  readonly tools: Toolset
  readonly hostTools: readonly string[]
}

/** A model call that is about to be sent. */
interface SentStep {
  /** The whole system prompt, before the window is kept. */
  readonly system: string | undefined
  /** The request, and what became of it. Absent: what else is sent is not known. */
  readonly sent: { readonly request: WindowRequest; readonly fitted: FittedWindow } | undefined
  readonly read: ReadInstructions
}

/** Records what a step shows, when its model call is about to be sent. */
export async function recordShown(
  needs: SessionParts & { readonly audit: SessionAudit },
  begun: BegunStep,
  { system, sent, read }: SentStep,
): Promise<void> {
  const { state, audit } = needs
  if (state.current().ended) return
  const number = (state.current().steps ?? 0) + 1
  state.apply({ type: 'stepped', steps: number })
  const { fit, evicted } = sent?.fitted ?? AS_IT_IS
  const text = joinSystemPrompt(system && sentSystem(fit, system), read.reminder) ?? ''
  const { tokens, ofEntries } = measure(needs, begun, { sent, system, read })
  const tools = offeredTools(begun, sent?.request)
  await audit.record({
    type: 'skills.shown',
    outcome: 'succeeded',
    active: begun.active,
    shown: {
      step: number,
      skills: listedSkills(begun.list, evicted, ofEntries),
      left: [...audit.shown.left(), ...unlistedSkills(begun, evicted)],
      tools,
      withheld: withheldTools(begun, new Set(tools)),
      tokens,
      text,
    },
  })
}

function listedSkills(
  { names, cuts }: SkillList,
  evicted: readonly string[],
  tokens: readonly number[],
): readonly ShownSkill[] {
  const shortened = new Set(cuts.shortened)
  const bare = new Set(cuts.withoutDescription)
  const gone = new Set(evicted)
  return names.flatMap((name, index) => {
    if (gone.has(name)) return []
    return [{ name, as: bare.has(name) ? 'name' : shortened.has(name) ? 'shortened' : 'whole', tokens: tokens[index]! }]
  })
}

const CUT = leftOutReason([cutBy('dropped')])
const EVICTED =
  "The model's window has no room for its section. Use a model with a larger window, or raise `context.summaries.keepSkills`."
const NOT_MATCHED =
  "It does not fit the task, as the session's `turns.match` says. Say in its description when to use it; it can still be activated by its name."

function unlistedSkills({ list, skills }: BegunStep, evicted: readonly string[]): readonly LeftSkill[] {
  const listed = new Set(list.names)
  const dropped = new Set(list.cuts.dropped)
  const gone = new Set(evicted)
  const of = (why: 'cut' | 'not-matched', reason: string, isOne: (name: string) => boolean): readonly LeftSkill[] =>
    skills.flatMap(({ name }) => (isOne(name) ? [{ name, why, reason }] : []))
  return [
    ...of('cut', EVICTED, (name) => gone.has(name)),
    ...of('cut', CUT, (name) => dropped.has(name)),
    ...of('not-matched', NOT_MATCHED, (name) => !listed.has(name) && !dropped.has(name)),
  ]
}

/** The names of the tools that are sent, if they can be read; otherwise of those that the step offers. */
function offeredTools({ view, hostTools }: BegunStep, request: WindowRequest | undefined): readonly string[] {
  const sent = request?.tools.map(nameOfTool)
  if (sent?.every((name) => name !== undefined) === true) return sent
  return [...hostTools.filter((name) => !view.isHidden(name)), ...view.tools.map(({ name }) => name)]
}

/** Returns the name of a tool as JSON, also in the form of OpenAI's. */
function nameOfTool(json: string): string | undefined {
  try {
    const tool: unknown = JSON.parse(json)
    if (!isObject(tool)) return undefined
    const { name, function: called } = tool
    const found = name ?? (isObject(called) ? called['name'] : undefined)
    return typeof found === 'string' ? found : undefined
  } catch {
    return undefined
  }
}

function withheldTools({ hostTools, policy, tools }: BegunStep, offered: ReadonlySet<string>): readonly WithheldTool[] {
  return hostTools.flatMap((tool): readonly WithheldTool[] => {
    if (offered.has(tool)) return []
    const by = withheldBy(policy, tool, tools)
    return [{ tool, skill: by?.skill, reason: withheldReason(by) }]
  })
}

function withheldReason(by: RefusedBy | undefined): string {
  if (by === undefined) return 'The adapter does not offer it.'
  const { skill, rule } = by
  const whose = skill === undefined ? "the host's policy" : `the rules of the active skill ${quoteName(skill)}`
  return rule === undefined ? `It is not allowed by ${whose}.` : `It is denied by ${whose}: ${shown(rule)}.`
}

/** Measures a step by parts, which add up to what is sent, and each entry of its list. */
function measure(
  { context, audit }: SessionParts & { readonly audit: SessionAudit },
  { view, list }: BegunStep,
  { sent, system = '', read }: SentStep,
): { readonly tokens: ShownTokens; readonly ofEntries: readonly number[] } {
  const { window, listing } = context
  const { countTokens, known } = audit.shown
  const request = sent?.request ?? { system, tools: view.tools.map((tool) => JSON.stringify(tool)), messages: [] }
  const { fit } = sent?.fitted ?? AS_IT_IS
  const { ofText, total } = createMeasure({
    request,
    count: safeCounter(window?.settings.countTokens ?? countTokens, estimateTokens, () => undefined),
    known: window?.known ?? known,
  })
  const ofTexts = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + ofText(text), 0)
  const isListed = new Set<string | undefined>(list.tools.map(({ name }) => name))
  const listTools = request.tools.filter((tool) => isListed.has(nameOfTool(tool)))
  const [listText, ofListTools, ofTools] = [
    ofText(sentSystem(fit, list.text)),
    ofTexts(listTools),
    ofTexts(request.tools),
  ]
  const isInTool = STYLES[listing.style].place === 'activation-tool'
  const [lost, kept] = [ofTexts(read.lost), ofTexts(read.shown)]
  const inSystem = ofText(sentSystem(fit, system)) + ofText(read.reminder ?? '')
  const positions = fit?.messages.filter((each) => typeof each === 'number') ?? [...request.messages.keys()]
  const summary = fit?.messages.find((each) => typeof each !== 'number')?.summary
  const messages = total({ system: '', sent: positions, summary, reminder: undefined }) - ofTools
  return {
    tokens: {
      system: rounded(inSystem - lost - (isInTool ? 0 : listText)),
      list: rounded(listText + ofListTools),
      bodies: rounded(lost + kept),
      tools: rounded(ofTools - ofListTools - (isInTool ? listText : 0)),
      messages: sent && rounded(messages - kept),
    },
    ofEntries: list.entryTexts().map((text) => rounded(ofText(text))),
  }
}

/** The parts of a text may take more tokens than the text. */
function rounded(tokens: number): number {
  return Math.max(0, Math.round(tokens))
}
