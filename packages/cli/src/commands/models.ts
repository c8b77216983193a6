import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import type { ModelsOptions } from './measure-models.ts'
import { jsonOption, repeatableOption } from './options.ts'

const HELP = `
Each task works on real files in a temporary folder, and the files are judged at the end. By default, every vendor runs
whose key is set: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY. Keys go to their vendor only.
Aims: at most 5 % of the paths lead nowhere, 0 scripts shown, tokens of one scenario 20 % apart between models.

Exit code: 0 if every task passed and every aim was met, or no model ran; 1 if not; 2 for a wrong command or Ctrl+C.

Examples:
  $ repertoire models --scripted
  $ repertoire models --model anthropic:claude-haiku-4-5 --model gemini:gemini-2.5-flash
  $ repertoire models --base-url http://127.0.0.1:11434/v1 --model openai:qwen3`

/** Adds `repertoire models`. */
export function addModels(program: Command, context: Context, finish: Finish): void {
  program
    .command('models')
    .summary('measure how well models use skills')
    .description('Let real models do small tasks with skills, and show how well each one did.')
    .addOption(repeatableOption('--model <vendor:name>', 'measure this model of openai, anthropic or gemini'))
    .option('--base-url <url>', "a server for OpenAI's chat completions, up to /v1; needs no key")
    .addOption(repeatableOption('--scenario <id>', 'run this scenario (default: all)'))
    .option('--scripted', 'let scripts play models that make the usual mistakes; needs no key')
    .option('--require', 'fail if there is no model to run')
    .addOption(jsonOption())
    .option('--output <file>', 'write the JSON value to a file, and print the table')
    .addHelpText('after', HELP)
    .action(async (options: ModelsOptions) => {
      // Loaded for this command only, since the clients are slow to load.
      const { measureModels } = await import('./measure-models.ts')
      finish(await measureModels(options, context))
    })
}
