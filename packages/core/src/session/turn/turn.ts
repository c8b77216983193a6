import { type Skill, escapeXml, normalForm, showName, unicodeExpression } from '@repertoire/skill-md/internal'
import { readFields, skillToolName } from '../../tools/skill-tools.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { isSummaryMessage } from '../../window/message.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import { triggeredSkills } from './triggers.ts'
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
interface TurnActivation {
  readonly name: string
  readonly outcome: Outcome
}

interface TurnContext extends SessionParts {
  readonly hasPerson: () => boolean
  readonly visible: () => readonly Skill[]
  /** Returns the invocation that the message is; undefined where it is none. */
  readonly invocation: () => Invocation | undefined
  /** Carries out a person's activation. */
  readonly invoke: (invocation: Invocation) => Promise<Outcome>
  /** Carries out an activation by a trigger. */
  readonly trigger: (skill: Skill) => Promise<Outcome>
}

/** Skills that one message activates or suggests. */
const MAX_TRIGGERED = 5

/** Carries out what a message invokes or triggers. In a fork, whose messages no person writes, that is nothing. */
export async function takeTurn(turn: TurnContext, message: unknown): Promise<Turn> {
  if (typeof message !== 'string') {
    throw new TypeError(
      '`beginTurn` takes the text of the message. Join the parts that are text, or give an empty one.',
    )
  }
  // A summary that a host has stored among its messages comes back in the role of a person.
  if (!turn.hasPerson() || isSummaryMessage(message)) return NOTHING
  const invocation = turn.invocation()
  // Who names a skill has chosen: triggers are not matched.
  if (invocation !== undefined) return invokedTurn(invocation, await turn.invoke(invocation))
  return turn.context.triggers === 'off' ? NOTHING : triggeredTurn(turn, message)
}

function invokedTurn({ skill: name }: Invocation, outcome: Outcome): Turn {
  const lead = `The user asked for the skill ${shown(name)}, and it was not activated.`
  // A reload has lost the skill meanwhile. The refusal is for the person: it names skills that no model is shown.
  const isLost = !outcome.ok && outcome.refusal.code === 'SKILL_NOT_FOUND'
  const text = isLost ? lead : outcomeText(outcome, lead)
  const waits = outcome.ok ? undefined : outcome.waits
  return { invoked: { name, outcome }, activated: [], suggested: [], text, ...(waits && { waits }) }
}

async function triggeredTurn({ context, state, visible, trigger }: TurnContext, message: string): Promise<Turn> {
  const names = new Set(state.current().active.map(({ name }) => name))
  const candidates = visible().filter(({ name }) => !names.has(name))
  const skills = (await triggeredSkills(message, candidates)).slice(0, MAX_TRIGGERED)
  const activated: TurnActivation[] = []
  const suggested: string[] = []
  for (const skill of skills) {
    const { name, manifest } = skill
    // A fork's sub-agent does not see the message, and neither does what is executed: what it is to do is for the model
    // to say.
    const canActivate =
      context.triggers === 'activate' &&
      context.consent !== undefined &&
      manifest.context !== 'fork' &&
      manifest.type === 'instruction'
    if (canActivate) activated.push({ name, outcome: await trigger(skill) })
    else suggested.push(name)
  }
  const texts = activated.map(({ name, outcome }) =>
    outcomeText(outcome, `The skill ${shown(name)} fits this message, and it was not activated.`),
  )
  if (suggested.length > 0) texts.push(suggestion(suggested, context))
  return { activated, suggested, text: texts.join('\n\n') || undefined }
}

const NOTHING: Turn = { activated: [], suggested: [] }

function outcomeText(outcome: Outcome, lead: string): string {
  if (!outcome.ok) return `${lead}\n${outcome.text}`
  return outcome.text ?? ''
}

function suggestion(names: readonly string[], context: SessionContext): string {
  const fitting = names.map(shown).join(', ')
  const how = hasSkillTools(context.listing.style)
    ? `call ${names.map((name) => `\`${skillToolName(name)}\``).join(' or ')}`
    : `call \`${context.toolNames.activate}\` with its name`
  return `Skills that may fit this message: ${fitting}. If one does, ${how} before anything else.`
}

function shown(name: string): string {
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
 * Returns an invocation as a call, for consent and the audit. Its input is a list, which that of a model's call never is
 * where it is carried out: an answer to one is never used for the other.
 */
export function invocationCall(id: string, { skill, args }: Invocation, activate: string): ToolCall {
  return { id, tool: activate, input: [{ invocation: { skill, args } }] }
}
