import { escapeXml, normalForm, showName, unicodeExpression } from '@repertoire/skill-md/internal'
import { readFields, skillToolName } from '../../tools/skill-tools.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import type { SessionContext } from '../context.ts'
import type { CatalogView } from '../../catalog/view.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { type RequestedSkill, skillNotFound } from '../requested-skill.ts'

/** What a person's message did before the model was called. */
export interface Turn {
  /** The skill that the message invoked, `/name args`, and what became of it. Absent: it invoked none. */
  readonly invoked?: TurnActivation
  /** The skills that its triggers activated, or tried to: refused activations are included. */
  readonly activated: readonly TurnActivation[]
  /** Names of the skills whose triggers it matches, and that were not activated; the strongest match first. */
  readonly suggested: readonly string[]
  /** What the model is shown directly behind the message. Absent: nothing. */
  readonly text?: string
  /**
   * The request for consent to what it invoked, which is not carried out yet: answer it, and begin the turn of the same
   * message once more, with the same id. Absent: nothing waits.
   */
  readonly waits?: ConsentRequest
}

/** An activation that no call of the model's asked for. */
export interface TurnActivation {
  readonly name: string
  readonly outcome: Outcome
}

export function invokedTurn(name: string, outcome: Outcome): Turn {
  const lead = `The user asked for the skill ${shown(name)}, and it was not activated.`
  // A reload has lost the skill meanwhile. The refusal is for the person: it names skills that no model is shown.
  const isLost = !outcome.ok && outcome.refusal.code === 'SKILL_NOT_FOUND'
  const text = isLost ? lead : outcomeText(outcome, lead)
  const waits = outcome.ok ? undefined : outcome.waits
  return { invoked: { name, outcome }, activated: [], suggested: [], text, ...(waits && { waits }) }
}

export function outcomeText(outcome: Outcome, lead: string): string {
  if (!outcome.ok) return `${lead}\n${outcome.text}`
  return outcome.text ?? ''
}

export function suggestion(names: readonly string[], context: SessionContext): string {
  const fitting = names.map(shown).join(', ')
  const how = hasSkillTools(context.listing.style)
    ? `call ${names.map((name) => `\`${skillToolName(name)}\``).join(' or ')}`
    : `call \`${context.toolNames.activate}\` with its name`
  return `Skills that may fit this message: ${fitting}. If one does, ${how} before anything else.`
}

export function shown(name: string): string {
  return `"${escapeXml(showName(name))}"`
}

/** A person's activation of a skill. */
export interface Invocation {
  /** Identifies it: the request for consent has this as its `callId`. Default: random. */
  readonly id?: string
  /** The skill's name. */
  readonly skill: string
  /** What is passed to it. */
  readonly args?: string
}

/** See the rules of the field `name`. */
const MAX_NAME_CHARS = 255

/**
 * Reads a message as an invocation, `/name args`: the name directly behind the slash, the rest, which may have several
 * lines, trimmed. Returns undefined for every other text: a path such as `/usr/bin`, a name with invisible characters.
 * Whether there is such a skill is not checked.
 */
export function parseInvocation(message: string): { readonly name: string; readonly args?: string } | undefined {
  const [, written = '', rest = ''] = INVOCATION().exec(message.trim()) ?? []
  const name = normalForm(written, 'NFKC')
  if (name === '' || name.length > MAX_NAME_CHARS) return undefined
  return { name, args: rest.trim() || undefined }
}

// Wider than the standard's names, since profiles but `strict` load others too: `ce:plan`, `My_Skill`.
const INVOCATION = unicodeExpression(String.raw`^/([\p{L}\p{N}][\p{L}\p{M}\p{N}._:-]*)(?:\s([^]*))?$`)

/** Returns the skill that a person invokes, among those that they may see. */
export function invokedSkill(view: CatalogView, { skill: name, args }: Invocation): RequestedSkill | Refused {
  const read = readFields('the invocation', { skill: name, args }, { skill: 'text', args: 'text' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const skill = view.find(name)
  if (skill === undefined) {
    const invocable = view.list().filter(({ manifest }) => manifest.userInvocable)
    return skillNotFound(name, { list: () => invocable, find: () => undefined })
  }
  return { skill, args: read.values.args || undefined }
}

/**
 * Returns an invocation as a call, for consent and the audit. Its input is a list, which that of a model's call never
 * is where it is carried out: an answer to one is never used for the other.
 */
export function invocationCall(id: string, { skill, args }: Invocation, activate: string): ToolCall {
  return { id, tool: activate, input: [{ invocation: { skill, args } }] }
}
