import { Command, CommanderError, Option } from 'commander'
import {
  ADAPTER_NAMES,
  callerFolder,
  type Context,
  createOutput,
  type ExitCode,
  keepStdoutClean,
  loadDrivers,
  type Output,
  toJson,
  UsageError,
  visible,
} from 'repertoire/terminal'
import { createAudits } from './audits.ts'
import { type RawOptions, resolveOptions, type StoryOptions, type TaskOptions } from './options.ts'
import { playStory, type Story } from './play-story.ts'
import { type PlayedTask, playTask } from './play-task.ts'
import { screenOf } from './render/screen.ts'
import { storyText, taskText } from './render/text.ts'

/** The parts of the process that a run of the demo uses. */
export type Surroundings = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'cwd'>

const HELP = `
Without options, a scripted model plays a story with the skills of the
conformance suite: no key, no network. Its tools really run, in temporary
folders. With --base-url and --model, your own model gets your task, in one
adapter after the other. It can read the current folder; what it writes or
runs is a dry run. What it reads is sent to the endpoint.

Exit code: 0 if the adapters agree; 1 if they do not, or one failed; 2 for a
wrong command. With your own model, what was shown at first is compared.

Examples:
  $ npm run demo
  $ npm run demo -- --web
  $ npm run demo -- --break langchain
  $ npm run demo -- --base-url http://localhost:11434/v1 --model NAME "…"
`

/** Reports an uncaught error. */
export async function reportCrash(error: unknown, { stderr, env }: Surroundings): Promise<void> {
  await report(error, createOutput(stderr, env))
}

/** Runs the demo. Never throws; all output has been written when this resolves. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { env } = surroundings
  const context: Context = {
    stdout: createOutput(surroundings.stdout, env),
    stderr: createOutput(surroundings.stderr, env),
    folder: callerFolder(env, surroundings.cwd(), true, 'demo'),
    env,
  }
  const restore = keepStdoutClean()
  try {
    return await parse(args, context, surroundings)
  } catch (error) {
    await report(error, context.stderr)
    return 2
  } finally {
    restore()
  }
}

async function parse(args: readonly string[], context: Context, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = context
  const written: Promise<void>[] = []
  let exitCode: ExitCode = 0
  const program = new Command('npm run demo --')
    .description('The same Agent Skills and the same task in every adapter, compared.')
    .argument('[task]', 'what your model is to do; with --base-url and --model')
    .addOption(
      new Option('--adapter <name>', `only this adapter: ${ADAPTER_NAMES.join(', ')}; repeatable`).argParser(
        (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
      ),
    )
    .option('--break <name>', 'give this adapter a fault, to see a difference')
    .option('--web', "show the story on the inspector's page until Ctrl+C")
    .option('--out <file>', 'write this page as one HTML file')
    .option('--json', 'print what was played as JSON')
    .option('--base-url <url>', 'your OpenAI-compatible endpoint')
    .option('--model <name>', 'the model, as the endpoint names it')
    .option('--api-key-env <variable>', "the variable with the endpoint's key")
    .option('--skills <dir>', 'the folder with your skills')
    .option('--yes', 'agree to every skill that your model activates')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', HELP)
    .showHelpAfterError('Run "npm run demo -- --help" for its arguments and options.')
    .exitOverride()
    .configureHelp({ styleTitle: (title) => stdout.paint.bold(title) })
    .configureOutput({
      writeOut: (text) => void written.push(stdout.write(text)),
      writeErr: (text) => void written.push(stderr.write(text)),
      outputError: (text, write) => write(errorText(text.replace(/^error: |\n$/g, ''), stderr)),
      getOutHasColors: () => stdout.paint.isColorSupported,
      getErrHasColors: () => stderr.paint.isColorSupported,
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .action(async (task: string | undefined, raw: RawOptions) => {
      const options = resolveOptions(task, raw, context)
      exitCode =
        options.mode === 'story' ? await tellStory(options, context, surroundings) : await tellTask(options, context)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has already written the message.
    exitCode = error.exitCode === 0 ? 0 : 2
  }
  await Promise.all(written)
  return exitCode
}

/** With certain variables, LangChain sends every run to LangSmith: the story stays off the network. */
const TRACING = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'] as const

async function tellStory(options: StoryOptions, context: Context, { env }: Surroundings): Promise<ExitCode> {
  for (const name of TRACING) delete env[name]
  const { adapters, broken, json, page } = options
  const audits = createAudits()
  const story = await playStory(await loadDrivers(adapters), { audits, broken })
  await context.stdout.write(json ? toJson(plain(story)) : storyText(story, screenOf(context.stdout)))
  if (page !== undefined) {
    // The page's builder and server are loaded only if they are needed.
    const { showPage } = await import('./page.ts')
    await showPage(story, { audits, page }, context)
  }
  return story.agreement.agreed && story.adapters.every(({ failure }) => failure === undefined) ? 0 : 1
}

/** What was played, with the calls of each adapter in place of its whole audit. */
function plain(played: Story | PlayedTask): object {
  const adapters = played.adapters.map(({ run: { steps, calls }, ...record }) => ({
    ...record,
    steps: steps.length,
    calls: calls.map(({ id, tool, status }) => ({ id, tool, status })),
  }))
  return { ...played, adapters }
}

async function tellTask(options: TaskOptions, { stdout, folder }: Context): Promise<ExitCode> {
  const played = await playTask(options, await loadDrivers(options.adapters), folder)
  await stdout.write(options.json ? toJson(plain(played)) : taskText(played, screenOf(stdout)))
  return played.agreed ? 0 : 1
}

async function report(error: unknown, stderr: Output): Promise<void> {
  // If stderr cannot be written either, the error cannot be reported.
  await stderr.write(errorText(messageOf(error), stderr)).catch(() => {})
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError) return error.message
  return `The demo itself failed. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** An error for a terminal. Arguments may contain control characters. */
function errorText(message: string, { paint }: Output): string {
  return `${paint.red(paint.bold('error:'))} ${message.split('\n').map(visible).join('\n')}\n`
}
