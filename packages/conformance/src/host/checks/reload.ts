import { activating, reading } from '../moves.ts'
import { hidden, hostChecksOf, manifest, shown } from './define.ts'

export const reloadHostChecks = hostChecksOf('reload', [
  {
    id: 'reload-added',
    demands: 'lists a skill that was added, in a conversation that begins after that',
    async run(bench) {
      const [old, added] = [bench.word(), bench.word()]
      const workspace = await bench.workspace({ old: manifest('old', `Old ${old}.`, 'Work.') })
      shown('the list before', await (await bench.start(workspace)).list(), old)
      await workspace.write({ added: manifest('added', `Added ${added}.`, 'Work.') })
      const list = await (await bench.start(workspace)).list()
      shown('the list after', list, added)
      shown('the list after', list, old)
    },
  },
  {
    id: 'reload-changed',
    demands: 'lists a description that was changed, in a conversation that begins after that',
    async run(bench) {
      const [before, after, other] = [bench.word(), bench.word(), bench.word()]
      const workspace = await bench.workspace({
        plain: manifest('plain', `Says ${before}.`, 'Work.'),
        other: manifest('other', `Other ${other}.`, 'Work.'),
      })
      shown('the list before', await (await bench.start(workspace)).list(), before)
      await workspace.write({ plain: manifest('plain', `Says ${after}.`, 'Work.') })
      const list = await (await bench.start(workspace)).list()
      shown('the list after', list, after)
      hidden('the list after', list, before)
    },
  },
  {
    id: 'reload-removed',
    demands: 'no longer lists a skill that was removed, in a conversation that begins after that',
    async run(bench) {
      const [kept, removed] = [bench.word(), bench.word()]
      const workspace = await bench.workspace({
        kept: manifest('kept', `Kept ${kept}.`, 'Work.'),
        removed: manifest('removed', `Removed ${removed}.`, 'Work.'),
      })
      shown('the list before', await (await bench.start(workspace)).list(), removed)
      await workspace.remove('removed')
      const list = await (await bench.start(workspace)).list()
      shown('the list after', list, kept)
      hidden('the list after', list, removed)
    },
  },
  {
    id: 'reload-body',
    demands: 'activates instructions that were changed, in a conversation that begins after that',
    needs: ['activation'],
    async run(bench) {
      const [before, after] = [bench.word(), bench.word()]
      const workspace = await bench.workspace({ plain: manifest('plain', 'Plain work.', `Say ${before}.`) })
      const [first] = await (await bench.start(workspace)).send(activating('plain'))
      shown('the request before', first!.texts, before)
      await workspace.write({ plain: manifest('plain', 'Plain work.', `Say ${after}.`) })
      const [second] = await (await bench.start(workspace)).send(activating('plain'))
      shown('the request after', second!.texts, after)
      hidden('the request after', second!.texts, before)
    },
  },
  {
    id: 'reload-resource',
    demands: 'reads a file that was changed, in a conversation that begins after that',
    needs: ['activation', 'reading'],
    async run(bench) {
      const [before, after] = [bench.word(), bench.word()]
      const workspace = await bench.workspace({
        plain: { 'SKILL.md': manifest('plain', 'Plain work.', 'Read.'), 'references/a.md': `Say ${before}.` },
      })
      const moves = [activating('plain'), reading('plain', 'references/a.md')]
      const [, first] = await (await bench.start(workspace)).send(...moves)
      shown('the request before', first!.texts, before)
      await workspace.write({ plain: { 'references/a.md': `Say ${after}.` } })
      const [, second] = await (await bench.start(workspace)).send(...moves)
      shown('the request after', second!.texts, after)
      hidden('the request after', second!.texts, before)
    },
  },
])
