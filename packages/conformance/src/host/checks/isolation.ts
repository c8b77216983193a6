import { isDeepStrictEqual } from 'node:util'
import { failure } from '../../failure.ts'
import { activating, calling } from '../moves.ts'
import { shownTexts } from '../text.ts'
import { hidden, hostChecksOf, manifest, shown } from './define.ts'

const NEEDS = ['activation'] as const

export const isolationHostChecks = hostChecksOf('isolation', [
  {
    id: 'isolation-parallel',
    demands: 'keeps two conversations at once apart: each shows the skill that was activated in it',
    needs: NEEDS,
    async run(bench) {
      const [one, other] = [bench.word(), bench.word()]
      const workspace = await bench.workspace({
        first: manifest('first', 'First work.', `Say ${one}.`),
        second: manifest('second', 'Second work.', `Say ${other}.`),
      })
      const [left, right] = [await bench.start(workspace), await bench.start(workspace)]
      const look = calling('lookup', { order: '1' })
      await Promise.all([left.send(activating('first'), look), right.send(activating('second'), look)])
      await Promise.all([left.send(look), right.send(look)])
      for (const [trial, own, foreign] of [
        [left, one, other],
        [right, other, one],
      ] as const) {
        const texts = shownTexts(trial.requests.at(-1)!)
        shown('the last request', texts, `Say ${own}.`)
        hidden('the last request', texts, `Say ${foreign}.`)
      }
    },
  },
  {
    id: 'isolation-new-conversation',
    demands: 'begins a new conversation without what an earlier one has loaded and said',
    needs: NEEDS,
    async run(bench) {
      const body = bench.word()
      const workspace = await bench.workspace({ plain: manifest('plain', 'Plain work.', `Say ${body}.`) })
      const earlier = await bench.start(workspace)
      await earlier.send(activating('plain'))
      const later = await bench.start(workspace)
      await later.list()
      const texts = shownTexts(later.requests.at(-1)!)
      hidden('the new conversation', texts, `Say ${body}.`)
      for (const message of earlier.sent) hidden('the new conversation', texts, message)
    },
  },
  {
    id: 'isolation-two-folders',
    demands: 'shows in each of two conversations at once the skills of its own folder alone',
    async run(bench) {
      const [one, other] = [bench.word(), bench.word()]
      const left = await bench.start({ plain: manifest('plain', `Handles ${one}.`, 'Work.') })
      const right = await bench.start({ plain: manifest('plain', `Handles ${other}.`, 'Work.') })
      const lists = await Promise.all([left.list(), right.list()])
      shown('the first list', lists[0], one)
      hidden('the first list', lists[0], other)
      shown('the second list', lists[1], other)
      hidden('the second list', lists[1], one)
    },
  },
  {
    id: 'isolation-folder-unchanged',
    demands: 'changes nothing in the folder of the skills',
    async run(bench) {
      const workspace = await bench.workspace({
        plain: { 'SKILL.md': manifest('plain', 'Plain work.', 'Work.'), 'scripts/run.sh': 'echo ran\n', 'a.md': 'A.' },
      })
      const before = await workspace.content()
      const trial = await bench.start(workspace)
      await trial.list()
      if (typeof bench.driver.activate === 'function') await trial.attempt(activating('plain'))
      const after = await workspace.content()
      if (!isDeepStrictEqual(before, after)) {
        const names = new Set([...Object.keys(before), ...Object.keys(after)])
        throw failure(
          'the same files with the same content',
          [...names].filter((name) => before[name] !== after[name]),
        )
      }
    },
  },
])
