import type { ScriptSettings } from '../../execution/settings.ts'
import type { ConsentRunner } from '../../ports/consent.ts'
import type { Manifest, SkillDefinition } from '@repertoire/skill-md/internal'

/** What of a skill a runner could be asked to run. */
interface RunnableSkill {
  readonly scripts: readonly string[]
  /** What it defines. Absent: it is active, and so it is not a script itself. */
  readonly definition?: Pick<SkillDefinition, 'type'>
  readonly manifest: Pick<Manifest, 'hooks'>
}

/** Characters of the names that a runner gives itself, and of each of its notes. */
const [MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_NOTES] = [80, 500, 10]

/** What would run what a skill brings, as a request for consent shows it; undefined where nothing does, or it has none. */
export function consentRunner(
  settings: ScriptSettings | undefined,
  { scripts, definition, manifest: { hooks } }: RunnableSkill,
): ConsentRunner | undefined {
  if (settings === undefined) return undefined
  const runsHooks = settings.hooks !== undefined && hooks.pre.length + hooks.post.length > 0
  const runs = scripts.length > 0 || definition?.type === 'script' || runsHooks
  return runs ? describeRunner(settings) : undefined
}

/** A runner in its own words, shortened. */
export function describeRunner({ runner, network }: ScriptSettings): ConsentRunner {
  const { name, isolated, notes } = runner.isolation
  return {
    name: runner.name.slice(0, MAX_NAME_CHARS),
    isolation: name.slice(0, MAX_NAME_CHARS),
    isolated,
    network,
    notes: notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE_CHARS)),
  }
}

/**
 * What consent to a runner is kept as. Another runner, a weaker isolation or the network is another thing to agree to: a
 * session that goes on elsewhere may meet one.
 */
export function runnerKey(runner: ConsentRunner | undefined): string | undefined {
  return runner && JSON.stringify([runner.name, runner.isolation, runner.isolated, runner.network])
}
