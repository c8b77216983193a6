import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import type { ModelsOptions } from './measure-models.ts'
import { jsonOption, repeatableOption } from './options.ts'

const HELP = `
Each scenario is a small task over skills in a temporary folder: a reference by its relative path, a script to be run
and not read, a tool in another case, arguments that must be an object, one of several similar skills, a skill to be
left. The host's tools are real and work in that folder alone. The files at the end are judged, not what was said.

Models are those of every vendor whose key is in the environment:
  OPENAI_API_KEY                    OPENAI_BASE_URL      OPENAI_MODEL      any server of OpenAI's chat completions
  ANTHROPIC_API_KEY                 ANTHROPIC_BASE_URL   ANTHROPIC_MODEL
  GEMINI_API_KEY or GOOGLE_API_KEY  GEMINI_BASE_URL      GEMINI_MODEL
A server of your own, at OPENAI_BASE_URL or --base-url, needs no key, and is sent the one of OPENAI_API_KEY if it is
there. Keys are sent to their endpoint alone; they are never printed and never stored.

Aims, at most: 5 % of the paths lead nowhere, 0 scripts shown, tokens of one scenario 20 % apart between models. A
missed one is marked with ✗.

The JSON value is { ran, scripted, stopped, limits, scenarios, models, spread, missed }. A model has model, figures,
results and, where it could not be measured, problem.

Exit code: 0 if every scenario was passed and every aim met, or if there was no model to run; 1 if not; 2 for a wrong
command, for a run that was stopped with Ctrl+C, and with --require if there was none.

Examples:
  $ repertoire models
  $ repertoire models --model anthropic:claude-haiku-4-5 --model gemini:gemini-2.5-flash
  $ repertoire models --base-url http://127.0.0.1:11434/v1 --model openai:qwen3
  $ repertoire models --scripted
`

/** Adds `repertoire models`. */
export function addModels(program: Command, context: Context, finish: Finish): void {
  program
    .command('models')
    .summary('measure how models find their way in skills')
    .description('Let real models do small tasks with skills, and show what became of it, a column each.')
    .addOption(repeatableOption('--model <vendor:name>', 'measure this model of openai, anthropic or gemini'))
    .option('--base-url <url>', "the address of a server that speaks OpenAI's chat completions, up to /v1")
    .addOption(repeatableOption('--scenario <id>', 'run this scenario (default: all)'))
    .option(
      '--scripted',
      'play models that make the usual mistakes, on this machine, over every protocol; no key needed',
    )
    .option('--require', 'fail if there is no model to run')
    .addOption(jsonOption())
    .option('--output <file>', 'write the JSON value to a file; stdout then shows the table')
    .addHelpText('after', HELP)
    .action(async (options: ModelsOptions) => {
      // Loaded for this command only, since the clients are slow to load.
      const { measureModels } = await import('./measure-models.ts')
      finish(await measureModels(options, context))
    })
}
