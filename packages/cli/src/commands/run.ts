import { isSkillError, type Repertoire, type ScriptRunner, type SessionProblem } from '@repertoire/core'
import { inspectDemands } from '@repertoire/core/authoring'
import { markLines } from '@repertoire/core/internal'
import { nearestNames } from '@repertoire/core/stores'
import { type Command, InvalidArgumentError } from 'commander'
import { constants } from 'node:os'
import { posix, resolve } from 'node:path'
import process from 'node:process'
import type { Context, Finish } from '../context.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { EXIT_HELP, NOT_RUN, exitCodeOf, writeOutcome } from '../output/run-outcome.ts'
import { paragraphs, visible, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { askYes } from './ask-yes.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { runSkill } from './run-skill.ts'
import { type RunnerName, openRunner, runnerOption } from './runner-choice.ts'
import { type SourceOptions, addReadOptions, openSkills } from './skill-sources.ts'

interface RunOptions extends SourceOptions {
  readonly root?: readonly string[]
  readonly runner?: RunnerName
  readonly network?: true
  readonly timeout?: number
  readonly workspace?: string
  readonly write?: true
  readonly env?: readonly string[]
  readonly steps?: true
  readonly yes?: true
  readonly json?: true
}

const HELP = `
The script works in a copy of the skill's folder, and sees none of your environment. "process" is no sandbox.
Without a SCRIPT, a skill of the type script, template or composite is executed; ARGS are its arguments, or one JSON object.

${EXIT_HELP}

Examples:
  $ repertoire run pdf scripts/fill.py --workspace . -- /workspace/form.pdf
  $ repertoire run release-notes -- '{ "version": "2.0" }'`

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
    .option('--workspace <folder>', 'let scripts read this folder, as WORKSPACE_DIR')
    .option('--write', 'let scripts write to the workspace')
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
  const { args = [], stderr, folder } = context
  const behind = args.includes('--') ? operands.slice(operands.length - args.length + args.indexOf('--') + 1) : []
  const [skill, script, ...more] = operands.slice(0, operands.length - behind.length)
  const { workspace, write, network = false, timeout } = options
  if (skill === undefined) throw new UsageError('Name the skill before --.')
  if (more.length > 0) throw new UsageError(`What is passed to a script stands behind --: -- ${more.join(' ')}`)
  if (write && workspace === undefined) throw new UsageError('--write is for a --workspace, and none is named.')
  const environment = readVariables(options.env ?? [])
  const access = write ? 'write' : 'read'
  const place = workspace === undefined ? undefined : ({ path: resolve(folder, workspace), access } as const)
  const { runner, note } = await openRunner(options.runner, place).catch((error: unknown) => {
    if (!isSkillError(error)) throw error
    throw new UsageError(error.message, { code: error.code, exitCode: NOT_RUN.unavailable, cause: error })
  })
  try {
    const scripts = { runner, hooks: true, environment, network, limits: { timeout } } as const
    const { repertoire, problems } = await openSkills(options.root ?? [], options, context, { scripts })
    await printFindings(problems, context, 'before')
    if (note !== undefined && !options.json) await stderr.print(`${stderr.paint.dim(visible(note))}\n`)
    const found = repertoire.catalog.has(skill) ? repertoire.catalog.get(skill) : undefined
    const isPlan = script === undefined && (found === undefined || found.manifest.type === 'composite')
    if (options.steps && !isPlan)
      throw new UsageError('--steps carries out the plan of a composite skill, and none is named.')
    if (found !== undefined && (script !== undefined || found.manifest.type === 'instruction')) {
      const { scripts: paths } = await inspectDemands({ manifest: found.manifest, diagnostics: [] }, found.folder)
      // Before anybody is asked to agree to the skill.
      refuseUnknown(skill, script, paths)
    }
    return await runAndReport({ repertoire, skill, script, behind, runner }, options, context)
  } finally {
    await runner.close?.()
  }
}

async function runAndReport(
  {
    repertoire,
    skill,
    script,
    behind,
    runner: { name, isolation },
  }: {
    readonly repertoire: Repertoire
    readonly skill: string
    readonly script: string | undefined
    readonly behind: readonly string[]
    readonly runner: ScriptRunner
  },
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
      args: behind,
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
    const network = options.network === true
    const runner = { name, isolation: isolation.name, isolated: isolation.isolated, network }
    const came = outcome.ok ? { outcome: outcome.value } : { refusal: outcome.refusal }
    if (options.json) await stdout.write(toJson({ skill, script, runner, ...came, exitCode }))
    else await writeOutcome(outcome, context)
    return exitCode
  } catch (error) {
    if (!signal.aborted) throw error
    return INTERRUPTED
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const INTERRUPTED = 128 + constants.signals.SIGINT

/** @throws {UsageError} a skill has no such script, or none is named. A name can be given as lists show it, too. */
function refuseUnknown(skill: string, script: string | undefined, scripts: readonly string[]): void {
  const spellings = new Set(script === undefined ? [] : [script, posix.normalize(script)])
  if (scripts.some((path) => spellings.has(path) || spellings.has(visibleName(path)))) return
  const [nearest] = script === undefined ? [] : nearestNames(script, scripts, 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const all =
    scripts.length === 0 ? 'It has no scripts to run.' : `Its scripts are: ${scripts.map(visibleName).join(', ')}.`
  const what =
    script === undefined
      ? `"${visibleName(skill)}" is instructions for a model${scripts.length === 0 ? '' : ': name the script to run'}.`
      : `The skill "${visibleName(skill)}" has no script "${visibleName(script)}".`
  throw new UsageError(`${what}${hint} ${all}`, { code: 'RESOURCE_NOT_FOUND', exitCode: NOT_RUN.notFound })
}

function noTools(): never {
  throw new Error('This command has no tools: it carries out only the skills and scripts of a plan.')
}

function readSeconds(text: string): number {
  const milliseconds = Math.round(Number(text) * 1000)
  if (!/^\d+(?:\.\d+)?$/.test(text) || milliseconds < 1 || milliseconds > 2 ** 31 - 1)
    throw new InvalidArgumentError('Give a number of seconds, more than 0.')
  return milliseconds
}

function readVariables(pairs: readonly string[]): Readonly<Record<string, string>> {
  const wrong = pairs.find((pair) => pair.indexOf('=') < 1)
  if (wrong !== undefined) throw new UsageError(`--env "${wrong}" is not NAME=VALUE.`)
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}
