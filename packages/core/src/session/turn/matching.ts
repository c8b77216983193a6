import type { SkillAdmission } from '../../catalog/admission.ts'
import type { Profile, Skill } from '@repertoire/skill-md/internal'
import { inTime } from '../../time-limit.ts'
import { inspectSkill } from '../inspect-skill.ts'

/** How many skills a search for a person's message shows, and what of them. */
export interface TurnMatching {
  /** The most skills that are shown for a message, 1 or more. Default 3. */
  readonly limit?: number
  /**
   * Whether their sections have their instructions: the host then consents to reading every skill that the session may
   * see. A shown skill is not activated: its rules do not hold, and its hooks do not run. Default false.
   */
  readonly content?: boolean
}

export type MatchedContents = ReturnType<typeof createMatchedContents>

interface KnownContent {
  readonly since: number
  /** The text to show. Absent: there is nothing to show. */
  readonly text?: string
}

/** How long a folder is waited for: a turn is not held up by what an activation would wait for. */
const READ_TIMEOUT_MS = 5_000

/** Longer instructions would take more of a context than a list may: their skill is shown by its description. */
const MAX_CONTENT_CHARS = 40_000

/**
 * The instructions of matched skills, read and kept for a while. Shared by the sessions of a repertoire.
 * @param ttl how long they are kept, in milliseconds
 */
export function createMatchedContents(
  profile: Profile,
  admission: SkillAdmission | undefined,
  ttl: number,
  now: () => number,
) {
  // By the skill object: a reload makes new ones, so that what an older snapshot held is never shown.
  const known = new WeakMap<Skill, KnownContent>()

  async function read(skill: Skill, signal: AbortSignal | undefined): Promise<KnownContent> {
    const since = now()
    const inspected = await inTime(inspectSkill(skill, profile), READ_TIMEOUT_MS, 'Its folder', signal)
    if ('broken' in inspected) return { since }
    const { body, manifest, listing } = inspected
    const isRefused =
      admission !== undefined && admission.refusals(manifest).length + admission.fileRefusals(listing).length > 0
    const isShown = !isRefused && manifest.type === 'instruction' && body.length <= MAX_CONTENT_CHARS
    return { since, text: isShown ? body.trim() || undefined : undefined }
  }

  return {
    /** Reads the instructions of skills, unless that was done a short while ago. Never rejects: some may be missing. */
    async load(skills: readonly Skill[], signal?: AbortSignal) {
      const missing = skills.filter((skill) => now() - (known.get(skill)?.since ?? -Infinity) >= ttl)
      const reading = missing.map(async (skill) => known.set(skill, await read(skill, signal)))
      const results = await Promise.allSettled(reading)
      for (const [index, { status }] of results.entries()) if (status === 'rejected') known.delete(missing[index]!)
    },
    /** Returns what may be shown of a skill's instructions; undefined if they were not read. */
    textOf: (skill: Skill) => known.get(skill)?.text,
  }
}
