import { oneLine, stripInvisible } from '../../text/escape.ts'
import { skillToolName } from '../../tools/skill-tool-name.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { Skill } from '../../ports/skill.ts'
import type { SessionContext } from '../context.ts'
import type { Invocation } from './invocation.ts'
import type { ActiveSkill } from '../state/state.ts'
import { triggeredSkills } from './triggers.ts'
import { hasToolPerSkill } from '../calls/requested-skill.ts'

/** What a person's message did before the model was called. */
export interface Turn {
  /** The skill that the message invoked, `/name args`, and what became of it. Absent: it invoked none. */
  readonly invoked?: TurnActivation
  /** The skills that its triggers activated, or tried to: a refusal is there too. */
  readonly activated: readonly TurnActivation[]
  /** Names of the skills whose triggers it matches, and that were not activated; the strongest match first. */
  readonly suggested: readonly string[]
  /** What the model is shown directly behind the message. Absent: nothing. */
  readonly text?: string
}

/** An activation that no call of the model's asked for. */
interface TurnActivation {
  readonly name: string
  readonly outcome: Outcome
}

/** What a turn works on. */
export interface TurnContext {
  readonly context: SessionContext
  /** Whether a person is there whose message it can be. */
  readonly isOpen: () => boolean
  readonly active: () => readonly ActiveSkill[]
  /** What the model may activate. */
  readonly visible: () => readonly Skill[]
  /** The invocation in the message, if it is one. */
  readonly invocation: () => Invocation | undefined
  /** A person's activation. */
  readonly invoke: (invocation: Invocation) => Promise<Outcome>
  /** An activation by a trigger. */
  readonly trigger: (skill: Skill) => Promise<Outcome>
}

/** Skills that one message activates or suggests at the most. */
const MAX_TRIGGERED = 5

/** Carries out what a message asks for by itself. In a fork, whose messages no person writes, that is nothing. */
export async function takeTurn(turn: TurnContext, message: string): Promise<Turn> {
  const { context } = turn
  if (typeof message !== 'string') {
    throw new TypeError(
      '`beginTurn` takes the text of the message. Join the parts that are text, or give an empty one.',
    )
  }
  if (!turn.isOpen()) return NOTHING
  const invocation = turn.invocation()
  // Who names a skill has chosen: what else the words remind of is not looked for.
  if (invocation !== undefined) {
    const { skill: name } = invocation
    const outcome = await turn.invoke(invocation)
    const lead = `The user asked for the skill ${shown(name)}, and it was not activated.`
    const turned = { invoked: { name, outcome }, activated: [], suggested: [] }
    // A reload has lost it meanwhile. What a person is told of that names skills that no model is shown.
    if (!outcome.ok && outcome.refusal.code === 'SKILL_NOT_FOUND') return { ...turned, text: lead }
    return { ...turned, text: textOf(outcome, lead) }
  }
  return context.turns.triggers === 'off' ? NOTHING : matched(turn, message)
}

async function matched({ context, active, visible, trigger }: TurnContext, message: string): Promise<Turn> {
  const names = new Set(active().map(({ name }) => name))
  const candidates = visible().filter(({ name }) => !names.has(name))
  const skills = (await triggeredSkills(message, candidates)).slice(0, MAX_TRIGGERED)
  const activated: TurnActivation[] = []
  const suggested: string[] = []
  for (const skill of skills) {
    const { name, manifest } = skill
    // A fork's sub-agent does not see the message: what it is to do is for the model to say.
    const canActivate =
      context.turns.triggers === 'activate' && context.consent !== undefined && manifest.context !== 'fork'
    if (canActivate) activated.push({ name, outcome: await trigger(skill) })
    else suggested.push(name)
  }
  const texts = activated.map(({ name, outcome }) =>
    textOf(outcome, `The skill ${shown(name)} fits this message, and it was not activated.`),
  )
  if (suggested.length > 0) texts.push(suggestion(suggested, context))
  return { activated, suggested, ...(texts.length > 0 && { text: texts.join('\n\n') }) }
}

const NOTHING: Turn = { activated: [], suggested: [] }

function textOf(outcome: Outcome, lead: string): string {
  if (!outcome.ok) return `${lead}\n${outcome.text}`
  return outcome.text ?? ''
}

function suggestion(names: readonly string[], context: SessionContext): string {
  const fitting = names.map(shown).join(', ')
  const [what, which] = names.length === 1 ? ['This skill', 'it'] : ['These skills', 'one']
  const how = hasToolPerSkill(context)
    ? `call ${names.map((name) => `\`${skillToolName(name)}\``).join(' or ')}`
    : `call \`${context.toolNames.activate}\` with its name`
  return `${what} may fit this message: ${fitting}. If ${which} does, ${how} before anything else.`
}

function shown(name: string): string {
  return `"${oneLine(stripInvisible(name))}"`
}
