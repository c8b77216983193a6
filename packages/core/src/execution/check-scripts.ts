import { isSkillError } from '../errors.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { ScriptRunner } from '../ports/script-runner.ts'
import { isScriptFile } from '../resources/script-path.ts'
import { quote } from '../text/quote.ts'
import { findDanger } from './dangerous.ts'
import { chooseInterpreter } from './interpreter.ts'
import { dangerReason, supportOf, unsupportedReason } from './run-script.ts'

/** A script of a skill, and whether it can be run. */
export interface ScriptCheck {
  /** Relative to the skill's folder. */
  readonly path: string
  /** What would read it. Absent: nothing that is known. */
  readonly interpreter?: string
  /** Why it cannot be run, in sentences. Absent: it can, as far as that is known before. */
  readonly problem?: string
}

/** The largest script that is looked at. */
const MAX_SCRIPT_BYTES = 1024 * 1024

/** Scripts of one skill that are looked at. */
const MAX_SCRIPTS = 1_000

/** Says of each script of a skill, hidden ones too, whether it can be run. See `authoring.ts`. */
export async function checkScripts(folder: SkillFolder, runner?: ScriptRunner): Promise<readonly ScriptCheck[]> {
  const { files, withheld } = await folder.list()
  const scripts = [...files, ...withheld.files].filter(isScriptFile).slice(0, MAX_SCRIPTS)
  const checks: ScriptCheck[] = []
  for (const { path } of scripts) checks.push({ path, ...(await checkOne(folder, path, runner)) })
  return checks
}

async function checkOne(
  folder: SkillFolder,
  path: string,
  runner: ScriptRunner | undefined,
): Promise<Omit<ScriptCheck, 'path'>> {
  let bytes: Uint8Array
  try {
    bytes = await folder.read(path, { maxBytes: MAX_SCRIPT_BYTES, withheld: true })
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { problem: `${quote(path)} cannot be read: ${error.message}` }
  }
  const interpreter = chooseInterpreter(path, bytes)
  if ('problem' in interpreter) return interpreter
  const { name } = interpreter
  const danger = findDanger(new TextDecoder().decode(bytes))
  if (danger !== undefined) return { interpreter: name, problem: dangerReason(path, danger) }
  const support = runner === undefined ? true : supportOf(runner, interpreter)
  return { interpreter: name, ...(support !== true && { problem: unsupportedReason(path, name, support) }) }
}
