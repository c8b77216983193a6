import { isSkillError, type Manifest, type Repertoire, type SessionProblem, type SkillFolder } from '@repertoire/core'
import { chooseInterpreter, inspectDemands } from '@repertoire/core/authoring'
import { markLines } from '@repertoire/core/internal'
import { nearestNames } from '@repertoire/core/stores'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { constants } from 'node:os'
import { posix, resolve } from 'node:path'
import process from 'node:process'
import type { Context, Finish } from '../context.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { outcomeJson, writeOutcome } from '../output/run-outcome.ts'
import { paragraphs, visible, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { askYes } from './ask-yes.ts'
import { type ObservedRunner, observeRunner } from './observed-runner.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { parametersText, splitAtDashes } from './run-arguments.ts'
import { EXIT_HELP, NOT_RUN, exitCodeOf } from './run-exit.ts'
import { runSkill } from './run-skill.ts'
import { type RunnerName, openRunner, runnerOption } from './runner-choice.ts'
import { type SourceOptions, addReadOptions, openSkills } from './skill-sources.ts'

interface RunOptions extends SourceOptions {
  readonly root?: readonly string[]
  readonly runner?: RunnerName
  readonly network?: true
  readonly timeout?: number
  readonly memory?: number
  readonly workspace?: string
  readonly write?: true
  readonly toolchain?: readonly string[]
  readonly env?: readonly string[]
  readonly steps?: true
  readonly yes?: true
  readonly json?: true
}

const HELP = `
The script works in a copy of the skill's folder, and sees none of your environment. "process" is no sandbox.
Without a SCRIPT, the skill is executed if its type is script, template or composite; otherwise its scripts are listed.

${EXIT_HELP}

Examples:
  $ repertoire run pdf scripts/fill.py --workspace . -- /workspace/form.pdf
  $ repertoire run release-notes -- version=2.0`

/** Adds `repertoire run`. */
export function addRun(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('run')
    .summary('run a script of a skill, or execute a skill')
    .description('Run a script of a skill in a sandbox, or execute a skill.')
    .argument('<SKILL>')
    .argument('[SCRIPT]')
    .argument('[ARGS...]')
    .usage('[options] <SKILL> [SCRIPT] [-- ARGS...]')
    .addOption(repeatableOption('--root <folder>', 'a folder of skills, in place of the configured ones'))
  addReadOptions(command)
    .addOption(runnerOption())
    .option('--network', 'let scripts use the network')
    .option('--timeout <seconds>', 'how long a script may run (default: 60 s)', readSeconds)
    .addOption(new Option('--memory <MiB>').hideHelp().argParser(readMebibytes))
    .option('--workspace <folder>', 'let scripts read this folder, as WORKSPACE_DIR')
    .option('--write', 'let scripts write to the workspace')
    .addOption(repeatableOption('--toolchain <folder>', '').hideHelp())
    .addOption(repeatableOption('--env <name=value>', 'set a variable of the script'))
    .option('--steps', 'carry out the plan of a composite skill')
    .option('-y, --yes', 'agree to what is asked; needed without a terminal')
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (_skill: string, _script: string, _args: string[], options: RunOptions, { args }: Command) =>
      finish(await run(args, options, context)),
    )
}

async function run(operands: readonly string[], options: RunOptions, context: Context): Promise<number> {
  const { before, behind } = splitAtDashes(operands, context.args ?? [])
  const [skill, script, ...more] = before
  const { stderr, folder } = context
  const { workspace, write, toolchain = [], network = false, timeout, memory } = options
  if (skill === undefined) throw new UsageError('Name the skill before --.')
  if (more.length > 0) throw new UsageError(`What is passed to a script stands behind --: -- ${more.join(' ')}`)
  if (write && workspace === undefined) throw new UsageError('--write is for a --workspace, and none is named.')
  const environment = readVariables(options.env ?? [])
  const chosen = await openRunner(options.runner, {
    workspace:
      workspace === undefined ? undefined : { path: resolve(folder, workspace), access: write ? 'write' : 'read' },
    toolchains: toolchain.map((each) => resolve(folder, each)),
  }).catch((error: unknown) => {
    if (!isSkillError(error)) throw error
    throw new UsageError(error.message, { code: error.code, exitCode: NOT_RUN.unavailable, cause: error })
  })
  const observed = observeRunner(chosen.runner)
  try {
    const limits = { timeout, maxMemoryBytes: memory }
    const scripts = { runner: observed.runner, hooks: true, environment, network, limits } as const
    const { repertoire, problems } = await openSkills(options.root ?? [], options, context, { scripts })
    await printFindings(problems, context, 'before')
    if (chosen.note !== undefined && !options.json) await stderr.print(`${stderr.paint.dim(visible(chosen.note))}\n`)
    const found = repertoire.catalog.has(skill) ? repertoire.catalog.get(skill) : undefined
    const isExecuted = found !== undefined && found.manifest.type !== 'instruction'
    const isPlan = script === undefined && (found === undefined || found.manifest.type === 'composite')
    if (options.steps && !isPlan)
      throw new UsageError('--steps carries out the plan of a composite skill, and none is named.')
    if (found !== undefined && (script !== undefined || !isExecuted)) {
      const { manifest, folder: skillFolder } = found
      const { scripts: paths } = await inspectDemands({ manifest, diagnostics: [] }, skillFolder)
      if (script === undefined)
        return await listScripts({ skill, behind, observed }, skillFolder, paths, options, context)
      // Before anybody is asked to agree to the skill.
      refuseUnknown(skill, script, paths)
    }
    return await runAndReport({ repertoire, skill, script, behind, observed, type: found?.manifest }, options, context)
  } finally {
    await observed.runner.close?.()
  }
}

interface Request {
  readonly repertoire: Repertoire
  readonly skill: string
  readonly script: string | undefined
  readonly behind: readonly string[]
  readonly observed: ObservedRunner
  readonly type: Manifest | undefined
}

async function runAndReport(
  { repertoire, skill, script, behind, observed, type }: Request,
  options: RunOptions,
  context: Context,
): Promise<number> {
  const { stdout, stderr, folder } = context
  const interrupted = new AbortController()
  const { signal } = interrupted
  const interrupt = (): void => {
    // Whoever presses Ctrl-C twice does not wait for the end of the script.
    if (signal.aborted) process.exit(INTERRUPTED)
    interrupted.abort()
  }
  // Not `once`: without a listener, the handler that ends child processes would end this one at once.
  process.on('SIGINT', interrupt)
  const problems: SessionProblem[] = []
  try {
    const outcome = await runSkill({
      repertoire,
      skill,
      script,
      args: script === undefined ? [] : behind,
      parameters: script === undefined ? parametersText(behind, type?.parameters) : undefined,
      session: {
        consent: async ({ id, text }, { signal: asked }) => {
          await stderr.write(`${markLines(text, stderr.columns)}\n`)
          const reason = 'there is no terminal to ask at; --yes answers yes'
          const answer = options.yes ?? (await askYes('Run it?', context, asked))
          return answer ?? { requestId: id, approved: false, reason }
        },
        cwd: folder,
        ...(options.steps && { runStep: noTools }),
        onProblem: (problem) => void problems.push(problem),
      },
      signal,
    })
    for (const { code, message } of problems) await stderr.print(`${stderr.paint.yellow(code)} ${visible(message)}\n`)
    const exitCode = exitCodeOf(outcome)
    const about = { skill, script, runner: runnerJson(observed, options) }
    if (options.json) await stdout.write(toJson({ ...about, ...outcomeJson(outcome), exitCode }))
    else await writeOutcome(outcome, observed, context)
    return exitCode
  } catch (error) {
    if (!signal.aborted) throw error
    return INTERRUPTED
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const INTERRUPTED = 128 + constants.signals.SIGINT

async function listScripts(
  { skill, behind, observed }: Pick<Request, 'skill' | 'behind' | 'observed'>,
  folder: SkillFolder,
  paths: readonly string[],
  options: RunOptions,
  { stdout }: Context,
): Promise<number> {
  if (behind.length > 0) throw new UsageError(`"${visibleName(skill)}" is not executed: name one of its scripts.`)
  const scripts = await Promise.all(
    paths.map(async (path) => {
      const chosen = chooseInterpreter(path, await folder.read(path))
      return { path, interpreter: 'problem' in chosen ? undefined : [chosen.name, ...chosen.args].join(' ') }
    }),
  )
  const exitCode = scripts.length === 0 ? NOT_RUN.notFound : 0
  const width = Math.max(...scripts.map(({ path }) => visibleName(path).length))
  const lines = scripts.map(
    ({ path, interpreter = 'no interpreter is known' }) =>
      `${visibleName(path).padEnd(width)}  ${visible(interpreter)}`,
  )
  if (scripts.length === 0) lines.push(`"${visibleName(skill)}" has no scripts.`)
  const json = { skill, runner: runnerJson(observed, options), scripts, exitCode }
  await stdout.write(options.json ? toJson(json) : `${lines.join('\n')}\n`)
  return exitCode
}

/** @throws {UsageError} a skill has no such script. A name can be given as lists show it, too. */
function refuseUnknown(skill: string, script: string, scripts: readonly string[]): void {
  const spellings = new Set([script, posix.normalize(script)])
  if (scripts.some((path) => spellings.has(path) || spellings.has(visibleName(path)))) return
  const [nearest] = nearestNames(script, scripts, 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const all = scripts.length === 0 ? 'It has none.' : `Its scripts are: ${scripts.join(', ')}.`
  throw new UsageError(`The skill "${visibleName(skill)}" has no script "${visibleName(script)}".${hint} ${all}`, {
    code: 'RESOURCE_NOT_FOUND',
    exitCode: NOT_RUN.notFound,
  })
}

function noTools(): never {
  throw new Error('This command has no tools: it carries out only the skills and scripts of a plan.')
}

function runnerJson({ runner: { name, isolation } }: ObservedRunner, { network }: RunOptions): object {
  return { name, isolation: isolation.name, isolated: isolation.isolated, network: network === true }
}

function readMebibytes(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is not a whole number of MiB.')
  return Number(text) * 1024 * 1024
}

function readSeconds(text: string): number {
  const milliseconds = Math.round(Number(text) * 1000)
  if (!/^\d+(?:\.\d+)?$/.test(text) || milliseconds < 1 || milliseconds > 2 ** 31 - 1)
    throw new InvalidArgumentError('Give a number of seconds, more than 0.')
  return milliseconds
}

function readVariables(pairs: readonly string[]): Readonly<Record<string, string>> {
  const variables = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--env "${pair}" is not NAME=VALUE.`)
    const name = pair.slice(0, at)
    if (variables.has(name)) throw new UsageError(`--env gives "${name}" twice.`)
    variables.set(name, pair.slice(at + 1))
  }
  return Object.fromEntries(variables)
}
