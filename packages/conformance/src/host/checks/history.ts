import type { FunctionTool } from '@repertoire/core'
import { failure } from '../../failure.ts'
import { lookupTool } from '../bench.ts'
import { activating, calling, together } from '../moves.ts'
import { hostChecksOf, manifest, shown, wholly } from './define.ts'

const NEEDS = ['activation'] as const

export const historyHostChecks = hostChecksOf('history', [
  {
    id: 'history-tool-runs',
    demands: "runs the host's own tool once, with the arguments of the model, while a skill is in use",
    needs: NEEDS,
    async run(bench) {
      const order = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Look it up.') })
      await trial.send(activating('plain'), calling('lookup', { order }))
      const runs = trial.runs.map(({ tool, input }) => ({ tool, input }))
      const [run] = runs
      if (runs.length !== 1 || (run?.input as { order?: unknown } | undefined)?.order !== order)
        throw failure(`one run of "lookup" with the order ${order}`, runs)
    },
  },
  {
    id: 'history-result-verbatim',
    demands: "shows the result of the host's own tool as the tool returned it, while a skill is in use",
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const answer = `Order ${word}:\n\t<b>3 & $& {pieces}</b>\n"done" \\ done`
      const trial = await bench.start(
        { plain: manifest('plain', 'Plain work.', 'Look it up.') },
        { tools: [lookupTool(answer)] },
      )
      const [, outcome] = await trial.send(activating('plain'), calling('lookup', { order: '1' }))
      if (trial.runs.length !== 1) throw failure('one run of "lookup"', trial.runs)
      wholly('the result of "lookup"', outcome!.results, answer)
    },
  },
  {
    id: 'history-own-results',
    demands: "answers two calls of the host's own tool in one message, each with its own result",
    needs: NEEDS,
    async run(bench) {
      const [one, other] = [bench.word(), bench.word()]
      const echo: FunctionTool = {
        ...lookupTool(),
        execute: (input) => `Found ${(input as { readonly order: string }).order}.`,
      }
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Work.') }, { tools: [echo] })
      await trial.send(activating('plain'))
      const [outcome] = await trial.send(
        together(calling('lookup', { order: one }), calling('lookup', { order: other })),
      )
      if (outcome!.results.length !== 2) throw failure('two results', outcome!.results)
      shown('the first result', outcome!.results.slice(0, 1), `Found ${one}.`)
      shown('the second result', outcome!.results.slice(1), `Found ${other}.`)
    },
  },
  {
    id: 'history-answers-kept',
    demands: 'shows the answers of the model in later turns',
    needs: NEEDS,
    async run(bench) {
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Work.') })
      await trial.send(activating('plain'))
      await trial.send()
      await trial.send()
      const texts = trial.requests.at(-1)!.messages.flatMap(({ role, text }) => (role === 'assistant' ? [text] : []))
      const answers = texts.filter((text) => text.includes('Done.'))
      if (answers.length !== 2) throw failure('the two earlier answers, "Done."', texts)
    },
  },
  {
    id: 'history-parallel-results',
    demands: 'answers an activation and a call of one message, each with its own result',
    needs: NEEDS,
    async run(bench) {
      const [body, answer] = [bench.word(), bench.word()]
      const trial = await bench.start(
        { plain: manifest('plain', 'Plain work.', `Say ${body}.`) },
        { tools: [lookupTool(`Order ${answer}.`)] },
      )
      const [outcome] = await trial.send(together(activating('plain'), calling('lookup', { order: '1' })))
      shown('the request after both', outcome!.texts, `Say ${body}.`)
      shown('the results', outcome!.results, `Order ${answer}.`)
    },
  },
  {
    id: 'history-body-kept',
    demands: 'still shows the instructions of a skill after further calls and a further message',
    needs: NEEDS,
    async run(bench) {
      const body = `Say ${bench.word()}.`
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', body) })
      const [, , last] = await trial.send(
        activating('plain'),
        calling('lookup', { order: '1' }),
        calling('lookup', { order: '2' }),
      )
      shown('the request after two further calls', last!.texts, body)
      const [later] = await trial.send(calling('lookup', { order: '3' }))
      shown('the request in the next turn', later!.texts, body)
    },
  },
  {
    id: 'history-user-words',
    demands: 'shows every message of the user word for word, in the order in which they were sent',
    needs: NEEDS,
    async run(bench) {
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Work.') })
      await trial.send(activating('plain'))
      await trial.send()
      const last = trial.requests.at(-1)!
      const said = last.messages
        .filter(({ role }) => role === 'user')
        .map(({ text }) => text)
        .join('\n')
      let from = 0
      for (const message of trial.sent) {
        const at = said.indexOf(message, from)
        if (at === -1) throw failure(`the user's message ${JSON.stringify(message)}`, said)
        from = at + message.length
      }
    },
  },
  {
    id: 'history-calls-kept',
    demands: 'sends back what the model called, with the same arguments',
    needs: NEEDS,
    async run(bench) {
      const order = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Work.') })
      await trial.send(activating('plain'), calling('lookup', { order }))
      await trial.send()
      const calls = trial.requests.at(-1)!.messages.flatMap((message) => message.calls ?? [])
      if (!calls.some((call) => call.arguments.includes(order)))
        throw failure(`the call with the order ${order} in the next turn`, calls)
    },
  },
  {
    id: 'history-wire-valid',
    demands: 'sends only requests that the vendor accepts, over several turns',
    needs: NEEDS,
    async run(bench) {
      const trial = await bench.start({
        first: manifest('first', 'First work.', 'Work.'),
        second: manifest('second', 'Second work.', 'Work.'),
      })
      await trial.send(activating('first'), calling('lookup', { order: '1' }))
      await trial.send(together(calling('lookup', { order: '2' }), calling('lookup', { order: '3' })))
      await trial.send(activating('second'))
      await trial.send()
      if (trial.refused.length > 0) throw failure('every request to be valid', trial.refused)
      if (trial.runs.length !== 3) throw failure('three runs of "lookup"', trial.runs)
    },
  },
])
