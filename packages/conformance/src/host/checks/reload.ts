import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostBench } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { activating, type Move, reading } from '../moves.ts'
import type { HostSkills } from '../workspace.ts'
import { hidden, hostChecksOf, manifest, PLAIN, shown } from './define.ts'

/** A check that a conversation sees how a skill was changed before it began. Default: it looks at the list. */
function sees(
  id: string,
  demands: string,
  change: 'added' | 'changed' | 'removed',
  write: (word: string) => HostSkills[string] = (word) => manifest('audit', `Says ${word}.`, 'Work.'),
  { needs = [], moves }: { readonly needs?: HostCheck['needs']; readonly moves?: readonly Move[] } = {},
) {
  return {
    id,
    demands: `${demands}, in a conversation that begins after that`,
    needs,
    async run(bench: HostBench) {
      const [old, fresh] = [bench.word(), bench.word()]
      const workspace = await bench.workspace(change === 'added' ? PLAIN : { ...PLAIN, audit: write(old) })
      const look = async (): Promise<readonly string[]> => {
        const trial = await bench.start(workspace)
        return moves === undefined ? trial.list() : (await trial.send(...moves)).at(-1)!.texts
      }
      shown('the request before', await look(), change === 'added' ? 'Plain work.' : old)
      if (change === 'removed') await rm(join(workspace.folder, 'audit'), { recursive: true })
      else await workspace.write({ audit: write(fresh) })
      const texts = await look()
      shown('the request after', texts, change === 'removed' ? 'Plain work.' : fresh)
      hidden('the request after', texts, old)
    },
  }
}

export const reloadHostChecks = hostChecksOf('reload', [
  sees('reload-added', 'lists a skill that was added', 'added'),
  sees('reload-changed', 'lists a description that was changed', 'changed'),
  sees('reload-removed', 'no longer lists a skill that was removed', 'removed'),
  sees(
    'reload-body',
    'activates instructions that were changed',
    'changed',
    (word) => manifest('audit', 'Audits.', `Say ${word}.`),
    { needs: ['activation'], moves: [activating('audit')] },
  ),
  sees(
    'reload-resource',
    'reads a file that was changed',
    'changed',
    (word) => ({ 'SKILL.md': manifest('audit', 'Audits.', 'Read.'), 'references/a.md': `Say ${word}.` }),
    { needs: ['activation', 'reading'], moves: [activating('audit'), reading('audit', 'references/a.md')] },
  ),
])
