import type { CatalogView } from '../../catalog/view.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { unicodeExpression } from '../../text/unicode-expression.ts'
import { type Refused, refused } from '../calls/refusal.ts'
import { skillNotFound, type RequestedSkill } from '../calls/requested-skill.ts'

/** A person's own activation of a skill. */
export interface Invocation {
  /** Tells it from others: a question about it carries this as its `callId`. Default: random. */
  readonly id?: string
  /** The skill's name. */
  readonly skill: string
  /** What is passed to it. */
  readonly args?: string
}

/** The most characters that a name can have, see the field's rules. */
const MAX_NAME_CHARS = 255

/**
 * Reads a message as an invocation, `/name args`: the name directly behind the slash, the rest, which may have several
 * lines, trimmed. Undefined for every other text: a path such as `/usr/bin`, a name with characters that nobody sees.
 * Whether there is such a skill is not looked at.
 */
export function parseInvocation(message: string): { readonly name: string; readonly args?: string } | undefined {
  const [, written, rest = ''] = INVOCATION().exec(message.trim()) ?? []
  const name = written?.normalize('NFKC')
  if (name === undefined || name.length > MAX_NAME_CHARS) return undefined
  const args = rest.trim()
  return { name, ...(args !== '' && { args }) }
}

// Wider than the standard's names, since profiles but `strict` load others too: `ce:plan`, `My_Skill`.
const INVOCATION = unicodeExpression(String.raw`^/([\p{L}\p{N}][\p{L}\p{M}\p{N}._:-]*)(?:\s([^]*))?$`)

/** The skill that a person asks for, among those that they may see. */
export function invokedSkill(view: CatalogView, { skill: name, args }: Invocation): RequestedSkill | Refused {
  const wrong = wrongIn({ skill: name, args })
  if (wrong !== undefined) return refused({ code: 'INPUT_INVALID', reason: wrong })
  const skill = view.find(name)
  if (skill === undefined) {
    const invocable = view.list().filter(({ manifest }) => manifest.userInvocable)
    return skillNotFound(name, { list: () => invocable, find: () => undefined })
  }
  const given = args?.trim()
  return { skill, args: given === '' ? undefined : given }
}

/** Only a model may activate it. */
export function notInvocable(name: string): Refused {
  return refused({
    code: 'SKILL_NOT_INVOCABLE',
    reason: `The skill "${name}" was not activated: it is not for a person to activate, by its own "user-invocable: false". A model may.`,
  })
}

/**
 * The call that an invocation is to consent and to the record. No input of a model's call that is carried out is a list,
 * so that an answer to one never serves the other.
 */
export function invocationCall(id: string, { skill, args }: Invocation, activate: string): ToolCall {
  return { id, tool: activate, input: [{ invocation: { skill, ...(args !== undefined && { args }) } }] }
}

function wrongIn({ skill, args }: { readonly skill: unknown; readonly args: unknown }): string | undefined {
  if (typeof skill !== 'string' || skill === '') return '`skill` of the invocation is no name of a skill.'
  return args === undefined || typeof args === 'string' ? undefined : '`args` of the invocation is no text.'
}
