import type { FunctionTool } from '@repertoire/core'
import type { Bench } from '../check.ts'
import { answerEach } from './answer-each.ts'
import { done, same } from './assertions.ts'
import { activate, call, say, together } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    first: { body: 'Body of the first skill.' },
    middle: { body: 'Body of the middle skill.' },
    zeroth: { body: 'Body of the zeroth skill.' },
  }),
]

/** Neither the order of names nor its reverse. */
const ORDER = ['middle', 'zeroth', 'first']

/** A tool of the host's that takes one word. */
function tool(name: string, execute: FunctionTool['execute']): FunctionTool {
  const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
  return { name, description: `Does ${name}.`, inputSchema, execute }
}

/** How the calls of one message are carried out. */
export const sideBySideChecks = checksOf('gate', [
  {
    id: 'gate-call-order',
    needs: ['parallelCalls'],
    title: "[ADPT-4] starts the calls of one message to the host's tools in their order",
    async run(bench) {
      const words = ['b', 'd', 'a', 'c']
      const begun: unknown[] = []
      const note = tool('Note', (input) => void begun.push((input as { readonly word?: unknown }).word))
      await playTrial(bench, {
        tools: [note],
        script: [together(...words.map((word) => call('Note', { word }))), say()],
      })
      same('the runs in the order in which they began (the calls of one message begin in their order)', begun, words)
    },
  },
  {
    id: 'stack-call-order',
    area: 'stack',
    needs: ['parallelCalls'],
    title: '[ADPT-4, ACT-6] starts the calls of one message in their order: what the last one activates is on top',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [together(...ORDER.map((name) => activate(name))), say()],
      })
      same('the stack, of the calls of one message in their order,', await trial.active(), ORDER)
    },
  },
  {
    id: 'stack-answer-order',
    area: 'stack',
    needs: ['parallelCalls', 'suspend'],
    title: '[ADPT-4, ACT-6, ASK-5] runs calls in their order, in whatever order their consent requests are answered',
    async run(bench) {
      const trial = await bench.open({
        sources,
        consent: 'suspend',
        script: [together(...ORDER.map((name) => activate(name))), say()],
      })
      const { requests, turn } = await answerEach(trial, await trial.send('Hello'), () => true)
      done(turn)
      same('the skills that are asked for', requests.map(({ skill = '' }) => skill).toSorted(), ORDER.toSorted())
      same('the stack, of the calls of one message in their order,', await trial.active(), ORDER)
    },
  },
  {
    id: 'gate-side-by-side',
    needs: ['parallelCalls'],
    title: '[ADPT-4] runs the calls of one message in parallel: none waits for another to finish',
    run: (bench) => overlap(bench, false),
  },
  {
    id: 'consent-side-by-side',
    area: 'consent',
    needs: ['parallelCalls', 'suspend'],
    title: '[ADPT-4, ASK-5] runs the calls of one message in parallel also after an answer',
    run: (bench) => overlap(bench, true),
  },
])

/** Asserts that the second call of a message begins while the first one runs. */
async function overlap(bench: Bench, isAsked: boolean): Promise<void> {
  const begun = Promise.withResolvers<void>()
  let overlapped = false
  let firstEnded = false
  // The first call lasts until the second has begun, but not longer than five sequential calls of another
  // conversation, each of which takes as many steps as the second one.
  const other = await bench.open({
    script: [...Array.from({ length: 5 }, (_, n) => call('Read', { file_path: `${n}.md` })), say()],
  })
  // Started from here, since some frameworks treat what a tool starts as part of the tool's run.
  const start = Promise.withResolvers<void>()
  const conversing = start.promise.then(() => other.send('Hello'))
  const long = tool('Long', async () => {
    start.resolve()
    await Promise.race([begun.promise, conversing])
    firstEnded = true
  })
  const short = tool('Short', () => {
    overlapped = !firstEnded
    begun.resolve()
  })
  const calls = [call('Long', { word: 'a' }), call('Short', { word: 'b' })]
  const trial = await bench.open({
    tools: [long, short],
    ...(isAsked && { consent: 'suspend', session: { policy: { ask: ['Long', 'Short'] } } }),
    script: [together(...calls), say()],
  })
  const turn = await trial.send('Hello')
  done(isAsked ? (await answerEach(trial, turn, () => true)).turn : turn)
  start.resolve()
  await conversing
  same('whether the second call of a message began while the first one ran', overlapped, true)
}
