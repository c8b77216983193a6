import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import {
  ADAPTER_NAMES,
  callerFolder,
  type Context,
  createOutput,
  type ExitCode,
  keepStdoutClean,
  loadDrivers,
  type Output,
  UsageError,
  visible,
} from 'repertoire/terminal'
import { EndpointError, runLive } from './live/live.ts'
import { tellLong } from './long/play.ts'
import { type RawOptions, resolveOptions } from './options.ts'
import { tellStory, withoutTracing } from './scripted.ts'

/** The parts of the process that a run of the demo uses. */
export type Surroundings = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>

const HELP = `
Without options, a scripted model plays a story with the skills of the conformance suite: no key, no network. Its tools
really run, in temporary folders. Scripts of skills run in a virtual shell, and one of them in bubblewrap too, where that
works.

With --break NAME, one adapter gets a fault: it runs calls that the gate refused. The rows that differ are red and begin
with ≠, and the exit code is 1.

With --long, it plays a conversation of 60 steps that is three times as long as the model's window: the older part becomes
a summary, and what is sent stays within the window.

With --web, the same is shown on the inspector's page, with every adapter's audit: compared side by side, searchable, and
judged again under other rules. Three scenes are added: the script in bubblewrap, a skill that asks again since one byte
of it has changed, and the long conversation as a curve. --out FILE writes the page as one HTML file instead.

With --base-url and --model, the task goes to your own endpoint, one adapter after the other. The model can read and
list the current folder and what is below it, but for hidden files and node_modules; what it writes or runs is a dry
run. What it reads is sent to the endpoint. Consent to activate a skill is asked on the terminal; where there is none,
it is denied, unless --yes is given.

The JSON value is { mode, task, adapters, agreement, … }. An adapter has requests (what the model was shown: system,
tools, messages), runs (the tools that ran), consents, answer or failure, and in the story files (what is on disk
afterwards). The story also has broken (the adapter of --break), skills (how many, each as its lock has it), runner (what ran the scripts) and sandbox
(the same script in bubblewrap, or why not).
With --long it is { mode, task, window, adapters, held }, an adapter being figures.

Exit code: 0 if the adapters agree; 1 if they do not, one failed, or the endpoint cannot be used; 2 for a wrong command.
With a live model, what is compared is the listing: skills, tools and all words around them.
Colours: only on a terminal; NO_COLOR=1 and FORCE_COLOR=1 decide otherwise.

Examples:
  $ npm run demo
  $ npm run demo -- --web
  $ npm run demo -- --base-url http://localhost:11434/v1 --model NAME "Survey this repository."
  $ npm run demo -- --skills ~/skills --base-url https://api.openai.com/v1 --model NAME --api-key-env OPENAI_API_KEY "…"
  $ npm run -s demo -- --json > record.json
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
    return error instanceof EndpointError ? 1 : 2
  } finally {
    restore()
  }
}

async function parse(args: readonly string[], context: Context, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = context
  const written: Promise<void>[] = []
  let exitCode: ExitCode = 0
  const program = new Command('npm run demo --')
    .description('The same Agent Skills and the same task through every adapter, side by side.')
    .argument('[task]', 'what the model is to do; with --base-url and --model')
    .option('--skills <dir>', 'the folder that holds your skills (default: those of the conformance suite)')
    .option('--base-url <url>', 'your OpenAI-compatible endpoint, such as http://localhost:11434/v1')
    .option('--model <name>', 'the model, as the endpoint names it')
    .option('--api-key-env <variable>', "the variable that holds the endpoint's key (default: no key)")
    .addOption(
      new Option('--adapter <name>', `only this adapter: ${ADAPTER_NAMES.join(', ')}; repeatable`).argParser(
        (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
      ),
    )
    .option('--stream', "use the adapters' streaming")
    .addOption(
      new Option('--break <name>', 'give this adapter a fault, to see how a difference looks').argParser(
        (name: string, before: string | undefined) => {
          if (before !== undefined) throw new InvalidArgumentError('One adapter can be broken at a time.')
          return name
        },
      ),
    )
    .option('--long', 'a conversation of 60 steps, kept within a small context window')
    .option('--web', 'show the story, and more, on a page with all adapters side by side; ends with Ctrl+C')
    .option('--out <file>', 'write this page as one HTML file')
    .option('--yes', 'agree to every skill that the model wants to activate')
    .option('--json', 'print the whole record as one JSON value, and nothing else on stdout')
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
      getOutHelpWidth: () => stdout.columns ?? 120,
      getErrHelpWidth: () => stderr.columns ?? 120,
    })
    .action(async (task: string | undefined, rawOptions: RawOptions) => {
      const options = resolveOptions(task, rawOptions, context)
      if (options.mode !== 'live') withoutTracing(surroundings.env)
      // Frameworks are slow to load: so errors in the command line are reported first.
      const drivers = await loadDrivers(options.adapters)
      if (options.mode === 'scripted' && options.page !== undefined) {
        // The page's builder and server are loaded only if they are needed.
        const { tellOnPage } = await import('./page/page.ts')
        exitCode = await tellOnPage(options, drivers, context)
      } else if (options.mode === 'scripted') exitCode = await tellStory({ ...options, drivers }, context)
      else if (options.mode === 'long') exitCode = await tellLong({ ...options, drivers }, context)
      else exitCode = await runLive(options, drivers, context, surroundings)
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

async function report(error: unknown, stderr: Output): Promise<void> {
  // If stderr cannot be written either, the error cannot be reported.
  await stderr.write(errorText(messageOf(error), stderr)).catch(() => {})
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof EndpointError) return error.message
  return `The demo itself failed. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** An error for a terminal. Arguments and answers of an endpoint may contain control characters. */
function errorText(message: string, { paint }: Output): string {
  return `${paint.red(paint.bold('error:'))} ${message.split('\n').map(visible).join('\n')}\n`
}
