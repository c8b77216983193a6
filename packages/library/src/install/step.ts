import { isDeepStrictEqual } from 'node:util'
import type { LockedSkill } from '../lock/skills-lock.ts'
import { entryOf, type FetchedContent } from './content.ts'
import { differences, type Installed } from './installed.ts'
import type { KeptReason, PlanStep } from './plan.ts'
import type { Project } from './project.ts'

/** What is known of a skill before a step is planned. */
export interface StepContext {
  /** In the lock. Default: the one that it is stored under. */
  readonly name?: string
  readonly project: Pick<Project, 'project' | 'lockedFolder'>
  readonly entry: LockedSkill | undefined
  readonly installed: Installed
  /** Folders of other clients, beside those that the entry has. */
  readonly also?: Readonly<Record<string, 'link' | 'copy'>>
}

/** Plans that a skill has a fetched content afterwards. */
export async function stepTo(content: FetchedContent, context: StepContext): Promise<PlanStep> {
  const { project, entry, installed } = context
  const also = { ...alsoOf(entry), ...context.also }
  const after = entryOf(content, entry, also, project)
  const files = content.pin.repertoire.files
  const changed = differences(files, installed.state)
  const isAgreed = isDeepStrictEqual({ ...entry?.repertoire?.files }, { ...files })
  const isThere = installed.state !== undefined && changed.length === 0
  const isPinned = isDeepStrictEqual({ ...entry }, { ...after })
  const action = !isThere ? (installed.state === undefined ? 'add' : 'replace') : isPinned ? 'keep' : 'pin'
  return {
    skill: {
      name: context.name ?? content.skill.name,
      action,
      ...(action === 'keep' && { because: 'unchanged' as const }),
      description: content.description,
      origin: content.origin,
      found: installed.found,
      changed,
      ...(!isAgreed && { demands: await content.demands() }),
      also,
    },
    before: installed.fingerprint,
    entryBefore: entry,
    ...(!isThere && { files: content.skill.files }),
    entry: after,
  }
}

/** Plans that nothing is done. */
export function stepKept(name: string, { entry, installed }: StepContext, because: KeptReason): PlanStep {
  const { found, fingerprint } = installed
  return {
    skill: { name, action: 'keep', because, found, changed: [], also: alsoOf(entry) },
    before: fingerprint,
    entryBefore: entry,
    ...(entry !== undefined && { entry }),
  }
}

/** Where else an entry has the skill. */
export function alsoOf(entry: LockedSkill | undefined): Readonly<Record<string, 'link' | 'copy'>> {
  return entry?.repertoire?.also ?? {}
}
