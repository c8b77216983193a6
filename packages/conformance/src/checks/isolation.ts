import type { ConsentHandler } from '@repertoire/core'
import type { ScriptStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import { done, ran, refusedWith, same, shown } from './assertions.ts'
import { activate, bash, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** A step that signals that it was reached, and continues when the others have been reached too. */
function waitForAll(reached: { resolve(): void }, all: Promise<void>, next: ScriptStep): ScriptStep {
  return () => {
    reached.resolve()
    return { hold: all, next }
  }
}

export const isolationChecks = checksOf('isolation', [
  {
    id: 'isolation-two-conversations',
    title: '[ACT-8] keeps two conversations at once from seeing or restricting each other',
    async run(bench) {
      // Each conversation activates its skill, then waits until the other has done so too.
      const first = Promise.withResolvers<void>()
      const second = Promise.withResolvers<void>()
      const wait = Promise.all([first.promise, second.promise]).then(() => undefined)
      const editor = await bench.open({
        script: [activate('safe-edit'), waitForAll(first, wait, write('docs/a.md', '')), bash('git log'), say()],
      })
      const historian = await bench.open({
        script: [activate('git-history'), waitForAll(second, wait, bash('git log')), write('docs/a.md', ''), say()],
      })
      const turns = await Promise.all([editor.send('Edit'), historian.send('Look')])
      for (const turn of turns) done(turn)
      same("the editor's active skills", await editor.active(), ['safe-edit'])
      same("the historian's active skills", await historian.active(), ['git-history'])
      same("the editor's runs", ran(editor), ['Write'])
      same("the historian's runs", ran(historian), ['Bash'])
      refusedWith(editor, 'call_3_1', 'TOOL_NOT_ALLOWED')
      refusedWith(historian, 'call_3_1', 'TOOL_NOT_ALLOWED')
      const mark = 'Quote the commit that answers the question.'
      for (const wire of editor.requests)
        if (shown(wire).includes(mark)) throw failure("the historian's instructions to stay in its conversation", mark)
    },
  },
  {
    id: 'isolation-consent',
    title: '[ACT-8, ASK-1] asks again in every conversation',
    async run(bench) {
      let requestCount = 0
      const consent: ConsentHandler = () => ++requestCount > 0
      await playTrial(bench, { script: [activate('safe-edit'), say()], consent })
      await playTrial(bench, { script: [activate('safe-edit'), say()], consent })
      same('the number of consent requests', requestCount, 2)
    },
  },
  {
    id: 'isolation-unrestricted-neighbour',
    title: '[ACT-8] leaves a conversation without skills unrestricted while another has one active',
    async run(bench) {
      await playTrial(bench, { script: [activate('safe-edit'), say()] })
      const free = await playTrial(bench, { script: [write('src/a.ts', ''), say()] })
      same("the free one's runs", ran(free), ['Write'])
      same("the free one's active skills", await free.active(), [])
    },
  },
  {
    id: 'isolation-one-repertoire',
    title:
      '[ACT-8, ASK-1] opens a session for each conversation over one repertoire: skills, rules and consent stay apart',
    async run(bench) {
      let requestCount = 0
      const consent: ConsentHandler = () => ++requestCount > 0
      const first = await playTrial(bench, { script: [activate('safe-edit'), say(), say()], consent })
      const second = await playTrial(bench, {
        beside: first,
        script: [write('src/a.ts', ''), activate('safe-edit'), say()],
        consent,
      })
      same("the second conversation's runs", ran(second), ['Write'])
      same('the number of consent requests', requestCount, 2)
      // Without continuation, nothing is active between runs, and the end of a task may close its repertoire.
      if (!bench.continues) done(await first.send('Go on'))
      await second.end()
      if (!bench.continues) return
      same("the first conversation's active skills, after the second has ended", await first.active(), ['safe-edit'])
      done(await first.send('Go on'))
    },
  },
])
