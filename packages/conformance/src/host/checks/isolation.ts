import { activating, lookingUp } from '../moves.ts'
import { shownTexts } from '../text.ts'
import { hidden, hostChecksOf, manifest, saying, shown } from './define.ts'

/** Asserts that each of two conversations shows its own word alone. */
function apart(left: readonly string[], right: readonly string[], one: string, other: string): void {
  shown('the first conversation', left, one)
  hidden('the first conversation', left, other)
  shown('the second conversation', right, other)
  hidden('the second conversation', right, one)
}

export const isolationHostChecks = hostChecksOf(
  'isolation',
  [
    {
      id: 'isolation-parallel',
      demands: 'keeps two conversations at once apart: each shows the skill that was activated in it',
      async run(bench) {
        const [one, other] = [bench.word(), bench.word()]
        const workspace = await bench.workspace(saying({ first: one, second: other }))
        const [left, right] = [await bench.start(workspace), await bench.start(workspace)]
        const look = lookingUp('1')
        await Promise.all([left.send(activating('first'), look), right.send(activating('second'), look)])
        const [[inLeft], [inRight]] = await Promise.all([left.send(look), right.send(look)])
        apart(inLeft!.texts, inRight!.texts, one, other)
      },
    },
    {
      id: 'isolation-new-conversation',
      demands: 'begins a new conversation without what an earlier one has loaded and said',
      async run(bench) {
        const body = bench.word()
        const workspace = await bench.workspace(saying({ plain: body }))
        const earlier = await bench.start(workspace)
        await earlier.send(activating('plain'))
        const later = await bench.start(workspace)
        await later.list()
        const texts = shownTexts(later.requests.at(-1)!)
        const said = earlier.requests[0]!.messages.at(-1)!.text
        for (const part of [body, said]) hidden('the new conversation', texts, part)
      },
    },
    {
      id: 'isolation-two-folders',
      demands: 'shows in each of two conversations at once the skills of its own folder alone',
      needs: [],
      async run(bench) {
        const [one, other] = [bench.word(), bench.word()]
        const left = await bench.start({ plain: manifest('plain', `Handles ${one}.`, 'Work.') })
        const right = await bench.start({ plain: manifest('plain', `Handles ${other}.`, 'Work.') })
        const lists = await Promise.all([left.list(), right.list()])
        apart(...lists, one, other)
      },
    },
  ],
  ['activation'],
)
