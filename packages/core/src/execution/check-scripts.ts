import { isSkillError } from '../errors.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { ScriptCheck, ScriptFile, ScriptRunner } from '../ports/script-runner.ts'
import { isScriptFile } from '../resources/script-path.ts'
import { quote } from '../text/quote.ts'
import { dangerIn } from './danger-in.ts'
import { inspectScript, refusedReason } from './inspect-script.ts'
import { chooseInterpreter, type Interpreter } from './interpreter.ts'
import { dangerReason, supportOf, unsupportedReason } from './run-script.ts'

/** The largest script that is looked at. */
const MAX_SCRIPT_BYTES = 1024 * 1024

/** Scripts of one skill that are looked at, and how large those may be together that a runner reads beside each. */
const [MAX_SCRIPTS, MAX_READ_BYTES] = [1_000, 4 * 1024 * 1024]

/** Says of each script of a skill, hidden ones too, whether it can be run. See `authoring.ts`. */
export async function checkScripts(folder: SkillFolder, runner?: ScriptRunner): Promise<readonly ScriptCheck[]> {
  const { files, withheld } = await folder.list()
  const scripts = [...files, ...withheld.files].filter(isScriptFile).slice(0, MAX_SCRIPTS)
  const read: Read[] = []
  for (const { path, executable } of scripts) read.push(await readOne(folder, path, executable))
  const readable: ScriptFile[] = []
  let size = 0
  for (const { file } of read) {
    size += file?.bytes.byteLength ?? 0
    if (file !== undefined && size <= MAX_READ_BYTES) readable.push(file)
  }
  const checks: ScriptCheck[] = []
  for (const each of read) checks.push(await checkOne(each, readable, runner))
  return checks
}

/** A script that was read, or why it was not. */
interface Read extends Pick<ScriptCheck, 'path' | 'problem'> {
  readonly file?: ScriptFile
}

async function readOne(folder: SkillFolder, path: string, executable: boolean): Promise<Read> {
  try {
    const bytes = await folder.read(path, { maxBytes: MAX_SCRIPT_BYTES, withheld: true })
    return { path, file: { path, bytes, executable } }
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { path, problem: `${quote(path)} cannot be read: ${error.message}` }
  }
}

async function checkOne(
  { path, problem, file }: Read,
  files: readonly ScriptFile[],
  runner: ScriptRunner | undefined,
): Promise<ScriptCheck> {
  if (file === undefined) return { path, ...(problem !== undefined && { problem }) }
  const interpreter = chooseInterpreter(path, file.bytes)
  if ('problem' in interpreter) return { path, ...interpreter }
  const { name } = interpreter
  const danger = await dangerIn(new TextDecoder().decode(file.bytes), name)
  if (danger !== undefined) return { path, interpreter: name, problem: dangerReason(path, danger) }
  if (runner === undefined) return { path, interpreter: name }
  const support = supportOf(runner, interpreter)
  if (support !== true) return { path, interpreter: name, problem: unsupportedReason(path, name, support) }
  return { path, interpreter: name, ...(await inspected(runner, interpreter, file, files)) }
}

/** What the runner says of a script that it has an interpreter for. */
async function inspected(
  runner: ScriptRunner,
  { name }: Interpreter,
  file: ScriptFile,
  files: readonly ScriptFile[],
): Promise<Pick<ScriptCheck, 'problem' | 'missing' | 'unknown'>> {
  const others = files.filter((each) => each !== file)
  const answer = await inspectScript(runner, { interpreter: name, script: file.path, files: [file, ...others] })
  if (answer === undefined) return {}
  const { refused, missing, unknown } = answer
  return {
    ...(refused !== undefined && { problem: refusedReason(file.path, runner, refused) }),
    ...(missing.length > 0 && { missing }),
    ...(unknown.length > 0 && { unknown }),
  }
}
