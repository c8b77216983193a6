import { isDeepStrictEqual } from 'node:util'
import { failure } from '../../failure.ts'
import { lookupTool } from '../bench.ts'
import { activating, lookingUp, together } from '../moves.ts'
import { hostChecksOf, PLAIN, saying, scene, shown } from './define.ts'

export const historyHostChecks = hostChecksOf(
  'history',
  [
    {
      id: 'history-result-verbatim',
      demands:
        "runs the host's own tool once as the model called it, and shows its result as it is, while a skill is in use",
      async run(bench) {
        const order = bench.word()
        const answer = `Order ${order}:\n\t<b>3 & $& {pieces}</b>\n"done" \\ done`
        const trial = await bench.start(PLAIN, { tools: [lookupTool(answer)] })
        const [, outcome] = await trial.send(activating('plain'), lookingUp(order))
        const inputs = trial.runs.map(({ input }) => input)
        if (!isDeepStrictEqual(inputs, [{ order }]))
          throw failure(`one run of "lookup" with the order ${order}`, inputs)
        shown('the result of "lookup"', outcome!.results, answer)
      },
    },
    scene(
      'history-parallel-results',
      'answers an activation and a call of one message, each with its own result',
      ([body, answer]) => ({
        skills: saying({ plain: body }),
        tools: [lookupTool(`Order ${answer}.`)],
        moves: [together(activating('plain'), lookingUp('1'))],
        shows: [`Say ${body}.`, `Order ${answer}.`],
      }),
    ),
    {
      id: 'history-body-kept',
      demands: 'still shows the instructions of a skill after further calls and a further message',
      async run(bench) {
        const word = bench.word()
        const trial = await bench.start(saying({ plain: word }))
        const [, , last] = await trial.send(activating('plain'), lookingUp('1'), lookingUp('2'))
        shown('the request after two further calls', last!.texts, `Say ${word}.`)
        const [later] = await trial.send(lookingUp('3'))
        shown('the request in the next turn', later!.texts, `Say ${word}.`)
      },
    },
    {
      id: 'history-wire-valid',
      demands: 'sends only requests that the vendor accepts, over several turns',
      async run(bench) {
        const trial = await bench.start({ ...PLAIN, ...saying({ second: 'hello' }) })
        await trial.send(activating('plain'), lookingUp('1'))
        await trial.send(together(lookingUp('2'), lookingUp('3')))
        await trial.send(activating('second'))
        await trial.send()
        if (trial.refused.length > 0) throw failure('every request to be valid', trial.refused)
        if (trial.runs.length !== 3) throw failure('three runs of "lookup"', trial.runs)
      },
    },
  ],
  ['activation'],
)
