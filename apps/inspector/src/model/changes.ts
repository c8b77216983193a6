import type { Shown } from './event.ts'

/** What differs between what two steps were shown. */
export interface Changes {
  readonly skillsAdded: readonly string[]
  readonly skillsRemoved: readonly { readonly name: string; readonly why?: string; readonly reason?: string }[]
  /** Listed in both, in another form: whole, shortened, by name. */
  readonly skillsChanged: readonly { readonly name: string; readonly from: string; readonly to: string }[]
  readonly toolsAdded: readonly string[]
  readonly toolsRemoved: readonly {
    readonly tool: string
    /** Whether rules withhold it: those of the skill, or of the host's policy. Otherwise it is not offered any more. */
    readonly isWithheld: boolean
    readonly skill?: string
    readonly reason?: string
  }[]
  /** Of the system prompt and of active skills, wherever those are read. */
  readonly promptTokens: number
  readonly promptChanged: boolean
}

/** Compares what a step was shown with what the step before it was. */
export function changesOf(before: Shown, now: Shown): Changes {
  const was = new Map(before.skills.map(({ name, as }) => [name, as]))
  const is = new Map(now.skills.map(({ name, as }) => [name, as]))
  const left = new Map(now.left.map((skill) => [skill.name, skill]))
  const withheld = new Map((now.withheld ?? []).map((each) => [each.tool, each]))
  const hadTools = new Set(before.tools)
  const hasTools = new Set(now.tools)
  return {
    skillsAdded: isWhole(before, 'skills') ? [...is.keys()].filter((name) => !was.has(name)) : [],
    skillsRemoved: [...was.keys()]
      .filter((name) => !is.has(name) && (left.has(name) || isWhole(now, 'skills')))
      .map((name) => left.get(name) ?? { name }),
    skillsChanged: [...is].flatMap(([name, to]) => {
      const from = was.get(name)
      return from === undefined || from === to ? [] : [{ name, from, to }]
    }),
    toolsAdded: isWhole(before, 'tools') ? [...hasTools].filter((tool) => !hadTools.has(tool)) : [],
    toolsRemoved: [...hadTools]
      .filter((tool) => !hasTools.has(tool) && (withheld.has(tool) || isWhole(now, 'tools')))
      .map((tool) => ({ ...(withheld.get(tool) ?? { tool }), isWithheld: withheld.has(tool) })),
    promptTokens: promptOf(now) - promptOf(before),
    promptChanged: before.digest !== now.digest,
  }
}

/** Whether a list has all its entries: what a shortened one lacks may be there all the same. */
function isWhole({ more }: Shown, list: 'skills' | 'tools'): boolean {
  return more?.[list] === undefined
}

function promptOf({ tokens: { system, list, bodies } }: Shown): number {
  return system + list + bodies
}

/** All tokens of a step, as far as they are known. */
export function totalOf({ tokens: { system, list, bodies, tools, messages = 0 } }: Shown): number {
  return system + list + bodies + tools + messages
}
