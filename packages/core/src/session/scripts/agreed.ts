import type { ScriptSettings } from '../../execution/settings.ts'
import type { ConsentRunner } from '../../ports/consent.ts'
import {
  type Manifest,
  type SkillDefinition,
  MAX_DIGEST_FILE_BYTES,
  SkillError,
  quoteName,
} from '@repertoire/skill-md/internal'
import { checkScripts } from '../../execution/check-scripts.ts'
import type { ScriptCheck, ScriptFile, ScriptResult } from '../../ports/script-runner.ts'
import { untilAborted, waitFor } from '../../time-limit.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { AuditedRun } from '../../audit/events.ts'
import type { PinnedFolders } from '../activation/pinned-folders.ts'
import type { ActiveSkill } from '../state/state.ts'

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

/** How long a runner may read the scripts of a skill before somebody is asked: the question then goes without. */
const CHECK_MS = 3_000

/**
 * What a person should know of a skill's scripts before agreeing to them: which its runner would not run, and which use
 * for certain what it lacks. Only a runner that reads scripts is asked. Undefined: nothing is known.
 * @throws the signal's reason
 */
export async function checkAgreed(
  settings: ScriptSettings | undefined,
  { scripts, runner, folder }: Pick<InspectedSkill, 'scripts' | 'runner' | 'folder'>,
  signal: AbortSignal | undefined,
): Promise<readonly ScriptCheck[] | undefined> {
  if (settings === undefined || runner === undefined || scripts.length === 0) return undefined
  if (typeof settings.runner.inspect !== 'function') return undefined
  try {
    const checks = await waitFor(checkScripts(folder, settings.runner), CHECK_MS, signal)
    signal?.throwIfAborted()
    if (typeof checks === 'symbol') return undefined
    const told = checks.filter(
      ({ problem, missing }) => problem !== undefined || missing?.some(({ certain }) => certain),
    )
    return told.length > 0 ? told : undefined
  } catch {
    // What cannot be read is refused where it is run, and the folder is measured again after the answer.
    signal?.throwIfAborted()
    return undefined
  }
}

/** What runs a script, as events say it before it runs. */
export function auditedRun({ runner, network }: ScriptSettings, interpreter: string): AuditedRun {
  const { name: isolation, isolated } = runner.isolation
  return { interpreter, runner: runner.name, isolation, isolated, network }
}

/** The same with how the script ended. */
export function endedRun(run: AuditedRun, { end, exitCode, signalName, dropped }: ScriptResult): AuditedRun {
  const droppedBytes = dropped.stdout + dropped.stderr
  return {
    ...run,
    end,
    ...(exitCode !== undefined && { exitCode }),
    ...(signalName !== undefined && { signal: signalName }),
    ...(droppedBytes > 0 && { droppedBytes }),
  }
}

/** The bytes of a skill's folder that a script may be given, all files together. */
const MAX_FOLDER_BYTES = 256 * 1024 * 1024

/** Files that are read at once. */
const MAX_READS = 16

/**
 * Reads every file of a skill's folder that was agreed to, hidden ones too: what a script is run with. Files that have
 * come since are not among them.
 * @throws {SkillError} RESOURCE_REFUSED: a file has changed; RESOURCE_NOT_FOUND: one is gone; RESOURCE_TOO_LARGE
 * @throws the signal's reason
 */
export async function readSkillFiles(
  pinnedFolders: Pick<PinnedFolders, 'openFiles'>,
  skill: ActiveSkill,
  signal?: AbortSignal,
): Promise<readonly ScriptFile[]> {
  const { folder, files } = await untilAborted(pinnedFolders.openFiles(skill), signal)
  const read: ScriptFile[] = []
  let size = 0
  for (let start = 0; start < files.length; start += MAX_READS) {
    const batch = files.slice(start, start + MAX_READS).map(async ({ path, executable }) => ({
      path,
      executable,
      bytes: await folder.read(path, { withheld: true, maxBytes: MAX_DIGEST_FILE_BYTES }),
    }))
    for (const file of await untilAborted(Promise.all(batch), signal)) {
      size += file.bytes.length
      if (size > MAX_FOLDER_BYTES) {
        throw new SkillError(
          'RESOURCE_TOO_LARGE',
          `The folder of the skill ${quoteName(skill.name)} holds more than ${MAX_FOLDER_BYTES} bytes, so no script of it is run.`,
          { path: skill.location },
        )
      }
      read.push(file)
    }
  }
  return read
}
