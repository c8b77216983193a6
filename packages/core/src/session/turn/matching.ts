import type { SkillAdmission } from '../../catalog/admission.ts'
import type { Profile, Skill } from '@repertoire/skill-md/internal'
import { inTime } from '../../time-limit.ts'
import { inspectSkill } from '../inspect-skill.ts'
import { agreedDigests, type Grant } from '../state/state.ts'

/** How many skills a search for a person's message shows, and what of them. */
export interface TurnMatching {
  /** The most skills that are shown for a message, 1 or more. Default 3. */
  readonly limit?: number
  /**
   * Whose instructions stand in their sections: `agreed`, of skills whose folder was consented to in this session as it is
   * now; or `all`, with which the host itself consents to reading every skill that the session may see. What is shown is
   * not activated either way: its rules do not hold, and its hooks do not run. Default `agreed`.
   */
  readonly content?: MatchedContent
}

/** Whose instructions a section shows, see `TurnMatching`. */
export type MatchedContent = 'agreed' | 'all'

/** The instructions of matched skills, read and kept for a while. Shared by the sessions of a repertoire. */
export interface MatchedContents {
  /**
   * Reads the instructions of some skills, unless they were read a short while ago, or consent was given to another
   * content since. Never rejects: what cannot be read is not shown.
   */
  load(skills: readonly Skill[], granted: readonly Grant[], signal?: AbortSignal): Promise<void>
  /** Returns what may be shown of a skill's instructions; undefined where it was not read, or not agreed to. */
  textOf(skill: Skill, content: MatchedContent, granted: readonly Grant[]): string | undefined
}

interface MatchedContentsOptions {
  readonly profile: Profile
  readonly admission: SkillAdmission | undefined
  /** How long they are kept, in milliseconds. */
  readonly ttl: number
  readonly now: () => number
}

interface KnownContent {
  readonly since: number
  readonly digest: string
  readonly whole: boolean
  /** The text to show. Absent: there is nothing to show. */
  readonly text?: string
}

/** How long a folder is waited for: a turn is not held up by what an activation would wait for. */
const READ_TIMEOUT_MS = 5_000

/** Longer instructions would take more of a context than a list may: their skill is shown by its description. */
const MAX_CONTENT_CHARS = 40_000

export function createMatchedContents({ profile, admission, ttl, now }: MatchedContentsOptions): MatchedContents {
  // By the skill object: a reload makes new ones, so that what an older snapshot held is never shown.
  const known = new WeakMap<Skill, KnownContent>()

  function isFresh(skill: Skill, granted: readonly Grant[]): boolean {
    const content = known.get(skill)
    if (content === undefined || now() - content.since >= ttl) return false
    // Somebody has agreed to another content than the one that was read: the folder has changed.
    const agreed = agreedDigests(granted, skill).at(-1)
    return agreed === undefined || agreed === content.digest
  }

  async function read(skill: Skill, signal: AbortSignal | undefined): Promise<KnownContent> {
    const since = now()
    const inspecting = Promise.resolve(inspectSkill(skill, profile))
    const inspected = await inTime(inspecting, READ_TIMEOUT_MS, 'Its folder', signal)
    if ('broken' in inspected) return { since, digest: '', whole: false }
    const { digest, whole, body, manifest, listing } = inspected
    const isRefused =
      admission !== undefined && admission.refusals(manifest).length + admission.fileRefusals(listing).length > 0
    const isShown = !isRefused && manifest.type === 'instruction' && body.length <= MAX_CONTENT_CHARS
    return { since, digest, whole, text: isShown ? body.trim() : undefined }
  }

  return {
    async load(skills, granted, signal) {
      const missing = skills.filter((skill) => !isFresh(skill, granted))
      const reading = missing.map(async (skill) => known.set(skill, await read(skill, signal)))
      const results = await Promise.allSettled(reading)
      for (const [index, { status }] of results.entries()) if (status === 'rejected') known.delete(missing[index]!)
    },
    textOf(skill, content, granted) {
      const { text = '', digest = '', whole = false } = known.get(skill) ?? {}
      if (text === '') return undefined
      return content === 'all' || (whole && agreedDigests(granted, skill).includes(digest)) ? text : undefined
    },
  }
}
