import { estimateTokens } from '@repertoire/skill-md/internal'
import type { ListingBudget } from '../disclosure/budget.ts'
import type { CountingFailure } from '../session/context.ts'
import { safeCounter } from '../text/safe-counter.ts'
import type { SkillToolNames } from '../tools/definitions.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import { SKILL_TOOL_PREFIX } from '../tools/skill-tools.ts'
import { hasSkillTools, type ListingStyle } from '../tools/styles.ts'
import type { RepertoireOptions } from './options.ts'

/** Package managers only warn of a version that is too old, and what fails then says nothing of the reason. */
export function checkRuntime(): void {
  if (typeof Promise.withResolvers === 'function') return
  throw new TypeError(
    'This runtime is too old: it has no `Promise.withResolvers`. Use Node 22.13 or later, or another runtime that has it.',
  )
}

/** @throws {TypeError} a skill tool has no name, the name of another, or one that is a skill's in the style `tools` */
export function checkSkillToolNames(names: SkillToolNames, style: ListingStyle): void {
  const folded = Object.values(names).map((name: unknown) => (typeof name === 'string' ? name.toLowerCase() : ''))
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (folded.includes('') || twice !== undefined) {
    const what = folded.includes('') ? 'leaves a skill tool without a name' : `names two skill tools "${twice}"`
    throw new TypeError(`\`toolNames\` ${what}. Give each a name of its own; case does not tell two apart.`)
  }
  const reserved = folded.find((name) => name.startsWith(SKILL_TOOL_PREFIX))
  if (hasSkillTools(style) && reserved !== undefined) {
    throw new TypeError(
      `\`toolNames\` names a skill tool "${reserved}". In the style \`tools\` names that begin with "${SKILL_TOOL_PREFIX}" are those of the skills: give it another.`,
    )
  }
}

/** Whether a name is one of the skill tools'. */
export function skillToolTest(
  names: SkillToolNames,
  { style, search }: Pick<ListSettings, 'style' | 'search'>,
  runsScripts: boolean,
): (name: string) => boolean {
  const own = new Set(Object.values(names).map((name) => name.toLowerCase()))
  // A host without a runner may have a tool of that name itself.
  if (!runsScripts) own.delete(names.runScript.toLowerCase())
  if (search === 'never') own.delete(names.search.toLowerCase())
  return (name) => {
    const folded = name.toLowerCase()
    return own.has(folded) || (hasSkillTools(style) && folded.startsWith(SKILL_TOOL_PREFIX))
  }
}

/** The budget of a repertoire's lists, and what became of the host's counter. */
interface ListCounting {
  readonly budget: ListingBudget | false
  /** Returns why the estimate was used in the place of the counter; undefined: it never was. */
  readonly failure: () => CountingFailure | undefined
}

/**
 * Returns the budget of a repertoire's lists. The model has one window: what a list may take of it is a share of the same.
 * A counter that fails keeps nobody from being shown a list: its tokens are estimated then.
 */
export function listCountingOf({ contextWindow, countTokens, listingBudget }: RepertoireOptions): ListCounting {
  if (listingBudget === false) return { budget: false, failure: () => undefined }
  const common = { ...(contextWindow !== undefined && { contextWindow }), ...(countTokens && { countTokens }) }
  const budget: ListingBudget = { ...common, ...listingBudget }
  const { countTokens: count } = budget
  // Ours cannot fail.
  if (count === undefined || count === estimateTokens) return { budget, failure: () => undefined }
  let failure: CountingFailure | undefined
  const safe = safeCounter(count, estimateTokens, (reason, cause) => {
    failure ??= { reason, ...(cause !== undefined && { cause }) }
  })
  return { budget: { ...budget, countTokens: safe }, failure: () => failure }
}
