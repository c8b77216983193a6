import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import { paragraphs } from '../output/text.ts'
import { jsonOption, repeatableOption } from './options.ts'
import type { EvalOptions } from './eval.ts'
import { addReadOptions } from './skill-sources.ts'

const HELP = `
SKILL is the name of an installed skill, or the path of a skill or an eval file. Without one, the evals of all skills run.
Each run has its own workspace, and an agent that can read, write and list its files. No program runs. The report is
Markdown, with an interval for every rate. Ctrl-C ends the runs, and reports those that are done.

Exit code: 0 if every threshold is met; 1 if one is not, or a run failed or was not made; 2 for a wrong command.

Examples:
  $ repertoire eval pdf --init
  $ repertoire eval pdf --base-url https://api.openai.com/v1 --model gpt-5-mini --api-key-env OPENAI_API_KEY
  $ repertoire eval pdf --model gpt-5-mini --tape evals/tape --min-triggered 80`

/** Adds `repertoire eval`. */
export function addEval(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('eval')
    .summary('prove that a skill triggers, and helps')
    .description('Run the evals of skills with a model, or from a tape, and say why a skill was not used.')
    .argument('[SKILL...]')
    .option('--base-url <url>', 'the address of the model, as OpenAI-compatible clients take it')
    .addOption(repeatableOption('--model <name>', 'the name of the model'))
    .option('--api-key-env <name>', 'the environment variable with the key')
    .option('--tape <folder>', 'replay recorded answers, without a key; with --base-url, record them')
    .addOption(number('--times <number>', 'run each case so often; 3 times if not given', 1, 1000).default(3))
    .addOption(number('--at-once <number>', 'runs at the same time; 4 if not given', 1, 64).default(4))
    .addOption(number('--max-calls <number>', 'stop after so many model calls', 1, 1e9))
    .option('--compare', 'also run each case without the skill')
    .addOption(number('--min-triggered <percent>', 'fail if a skill triggers less often', 0, 100))
    .addOption(number('--max-false <percent>', 'fail if a skill triggers more often where it should not', 0, 100))
    .addOption(jsonOption())
    .option('--logs <folder>', 'write the audit of each run, for "repertoire inspect"')
    .option('--init', 'draft an eval file for a skill')
    .option('--navigation', 'measure how models find their way in skills')
    .addOption(new Option('--price <input,output>').argParser(readPrice).hideHelp())
    .addOption(repeatableOption('--root <folder>', 'use the skills of this folder only'))
  addReadOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (skills: string[], options: EvalOptions) => {
      const { evaluate } = await import('./eval.ts')
      finish(await evaluate(skills, options, context))
    })
}

function number(flags: string, about: string, least: number, most: number): Option {
  return new Option(flags, about).argParser((text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  })
}

function readPrice(text: string): EvalOptions['price'] {
  const [, input, output] = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (input !== undefined) return { input: Number(input), output: Number(output) }
  throw new InvalidArgumentError('Give the prices of a million tokens: 0.25,2')
}
