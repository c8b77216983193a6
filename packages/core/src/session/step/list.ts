import type { Skill } from '@repertoire/skill-md/internal'
import { rememberedList, type ShownList, shownList, withSearch } from '../../tools/shown-list.ts'
import { type MatchedActive, matchedList } from '../../tools/skill-list.ts'
import { STYLES } from '../../tools/styles.ts'
import type { SessionContext, SkillMatcher } from '../context.ts'
import type { ActiveSkill, Grant } from '../state/state.ts'
import type { Policy, ToolDefinition } from '@repertoire/gate/internal'

/** Returns the names of the skills that fit, in a selective style; undefined where nothing says which do. */
export function fittingOf({ context: { listing, match }, skills, matched }: Step): ReadonlySet<string> | undefined {
  if (STYLES[listing.style].selective !== true || match === undefined) return undefined
  const names = typeof match === 'function' ? matchingNames(match, skills) : matched
  return names && new Set(names)
}

function matchingNames(match: SkillMatcher, skills: readonly Skill[]): readonly string[] {
  // A copy: sorting it in place would sort the list of every session.
  const names: unknown = match([...skills])
  if (Array.isArray(names)) return names as string[]
  const returned = names instanceof Promise ? 'a promise' : typeof names
  // One that rejects later must not end the process.
  if (names instanceof Promise) names.catch(() => undefined)
  throw new TypeError(`\`match\` gave ${returned}. It must give a list of the names of skills, at once.`)
}

/**
 * Returns the list of a step, and whether a search is offered beside it.
 * @param fitting see `fittingOf`
 */
export function listOf(step: Step, fitting: ReadonlySet<string> | undefined): ShownList {
  const { context, skills, active, granted = [] } = step
  const { listing, use, match, matchedContents } = context
  // What is active in a fork's parent session was never shown in this conversation.
  const shown = active.filter(({ inherited }) => inherited !== true)
  if (STYLES[listing.style].selective !== true || (fitting === undefined && shown.length === 0)) {
    return shownList(skills, listing, use?.before)
  }
  const relevant = fitting === undefined ? skills : [...fitting].flatMap((name) => bySkillName(skills, name) ?? [])
  const content = typeof match === 'object' && fitting !== undefined ? match.content : 'none'
  const contents = new Map(
    content === 'none' ? [] : relevant.map((skill) => [skill.name, matchedContents?.textOf(skill, content, granted)]),
  )
  const names = fitting && relevant.map(({ name }) => name)
  const key = JSON.stringify([shown.map(({ name }) => name), names, [...contents.values()]])
  // What is searched for needs no bare names: the room is for descriptions.
  return rememberedList(skills, listing, key, () => {
    const listed = shown.map(({ name }): MatchedActive => bySkillName(skills, name) ?? { name })
    return withSearch(skills, listing, (searchable) =>
      matchedList({ active: listed, relevant, contents }, listing, { searchable }),
    )
  })
}

/** The skills of a list by their names: it is the same list until a reload. */
const byName = new WeakMap<readonly Skill[], ReadonlyMap<string, Skill>>()

function bySkillName(skills: readonly Skill[], name: string): Skill | undefined {
  const known = byName.get(skills) ?? new Map(skills.map((skill) => [skill.name, skill]))
  byName.set(skills, known)
  return known.get(name)
}

/** What a step is made of. */
export interface Step {
  readonly context: Pick<
    SessionContext,
    'listing' | 'match' | 'toolNames' | 'tools' | 'mounts' | 'scripts' | 'gate'
  > & { readonly use?: Pick<SessionContext['use'], 'before'> } & {
    readonly pinnedFolders?: Pick<SessionContext['pinnedFolders'], 'textOf'>
    readonly matchedContents?: Pick<SessionContext['matchedContents'], 'textOf'>
  }
  /** The visible ones. */
  readonly skills: readonly Skill[]
  readonly hostTools: readonly string[]
  readonly active: readonly ActiveSkill[]
  readonly policy: Policy
  /** The tools that active skills bring. Default: none. */
  readonly provided?: readonly ToolDefinition[]
  /** The names of the skills that fit the person's last message. Absent: it was not matched. */
  readonly matched?: readonly string[] | undefined
  /** What was consented to. Default: nothing. */
  readonly granted?: readonly Grant[]
}
