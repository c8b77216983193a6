import type { CatalogView } from '../../catalog/view.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import { unicodeExpression, normalForm } from '@repertoire/skill-md/internal'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { type RequestedSkill, skillNotFound } from '../requested-skill.ts'

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
  const [, written, rest = ''] = INVOCATION().exec(message.trim()) ?? []
  const name = written === undefined ? undefined : normalForm(written, 'NFKC')
  if (name === undefined || name.length > MAX_NAME_CHARS) return undefined
  const args = rest.trim()
  return { name, ...(args !== '' && { args }) }
}

// Wider than the standard's names, since profiles but `strict` load others too: `ce:plan`, `My_Skill`.
const INVOCATION = unicodeExpression(String.raw`^/([\p{L}\p{N}][\p{L}\p{M}\p{N}._:-]*)(?:\s([^]*))?$`)

/** Returns the skill that a person invokes, among those that they may see. */
export function invokedSkill(view: CatalogView, { skill: name, args }: Invocation): RequestedSkill | Refused {
  const problem = problemOf({ skill: name, args })
  if (problem !== undefined) return refuse.inputInvalid(problem)
  const skill = view.find(name)
  if (skill === undefined) {
    const invocable = view.list().filter(({ manifest }) => manifest.userInvocable)
    return skillNotFound(name, { list: () => invocable, find: () => undefined })
  }
  const passed = args?.trim()
  return { skill, args: passed === '' ? undefined : passed }
}

/**
 * Returns an invocation as a call, for consent and the audit. Its input is a list, which that of a model's call never is
 * where it is carried out: an answer to one is never used for the other.
 */
export function invocationCall(id: string, { skill, args }: Invocation, activate: string): ToolCall {
  return { id, tool: activate, input: [{ invocation: { skill, ...(args !== undefined && { args }) } }] }
}

function problemOf({ skill, args }: { readonly skill: unknown; readonly args: unknown }): string | undefined {
  if (typeof skill !== 'string' || skill === '') return '`skill` of the invocation is not the name of a skill.'
  return args === undefined || typeof args === 'string' ? undefined : '`args` of the invocation is not a string.'
}
