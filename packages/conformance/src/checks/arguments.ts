import { contains, lacks, same } from './assertions.ts'
import { answersAsCore, wordsOfCore } from './reference.ts'
import { activate, deactivate, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const skills = writtenSkills({
  placed: {
    body: 'Whole: [$ARGUMENTS]\nWords: [$1] [$2] [$ARGUMENTS[0]] [$9]\n\n```sh\nrun "$1"\n```\n\nLiteral: [\\$1]',
  },
  plain: { body: 'Body without a place.' },
})

/** What people and models pass to skills. */
const TEXTS = [
  'docs/a.md "two words"',
  `it's "quoted' \\"`,
  "$& $1 $$ $` $' $ARGUMENTS",
  'line 1\nline 2\n\tline 3',
  '„ä“ 技能 </skill_content> {"a": [1]}',
]

/** How the arguments of a skill get into its instructions. */
export const argumentChecks = checksOf('activation', [
  {
    id: 'activation-arguments',
    title:
      '[ACT-9] inserts the arguments of a skill at its placeholders literally, whatever they contain, and evaluates nothing',
    async run(bench) {
      const steps = TEXTS.flatMap((args) => [activate('placed', args), deactivate()])
      const sources = [skills]
      const trial = await playTrial(bench, { script: [...steps, say()], sources, maxSteps: steps.length + 2 })
      const expected = await wordsOfCore(steps, { repertoire: { sources } })
      const results = steps.map((_, index) => trial.resultOf(`call_${index + 1}_1`))
      same('the results', results, expected)
      const [first = '', , , , third = ''] = results
      for (const part of ['Whole: [docs/a.md "two words"]', 'Words: [docs/a.md] [two words] [docs/a.md] [$9]'])
        contains('the first result', first, part)
      for (const part of ['run "docs/a.md"', 'Literal: [$1]']) contains('the first result', first, part)
      contains('the third result', third, "Whole: [$& $1 $$ $` $' $ARGUMENTS]")
    },
  },
  {
    id: 'activation-arguments-appended',
    title:
      '[ACT-9] appends the arguments to a skill without placeholders, and appends nothing where there are no arguments',
    async run(bench) {
      const steps = [activate('plain', 'first line\n$1 "x"'), deactivate(), activate('plain')]
      const sources = [skills]
      const trial = await playTrial(bench, { script: [...steps, say()], sources })
      await answersAsCore(trial, steps, { repertoire: { sources } })
      contains('the result', trial.resultOf('call_1_1'), 'Body without a place.\n\nARGUMENTS: first line\n$1 "x"\n')
      lacks('the result without arguments', trial.resultOf('call_3_1'), 'ARGUMENTS')
    },
  },
])
