import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createOutput } from 'repertoire/terminal'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AddedTokens, countAdded } from '../../src/measures/added-tokens.ts'
import { publishedSkills } from '../../src/measures/published-skills.ts'
import { showSystems } from '../../src/report.ts'
import { type SystemId, SYSTEMS } from '../../src/systems/index.ts'

const IDS = Object.keys(SYSTEMS) as SystemId[]
const ROOT = join(import.meta.dirname, '../../../..')

describe('the tokens that skills add', () => {
  const added = new Map<SystemId, AddedTokens>()
  const shown = new Map<SystemId, string>()
  beforeAll(async () => {
    for (const id of IDS) {
      const { show } = await SYSTEMS[id].load()
      const tokens = await countAdded(async (skills, folder) => {
        const request = await show(skills, folder)
        shown.set(id, JSON.stringify(request))
        return request
      })
      added.set(id, tokens)
    }
  }, 120_000)

  it.each(IDS)('[NFR-7] are those of a request of %s that names and describes every skill', (id) => {
    for (const { name, description } of publishedSkills(40)) {
      expect(shown.get(id)).toContain(name)
      expect(shown.get(id)).toContain(description.split('"')[0])
    }
  })

  it('[NFR-7] are what the README states for ours and for the peers', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const stated = (pattern: RegExp): readonly number[] =>
      pattern
        .exec(readme)!
        .slice(1)
        .map((figure) => Number(figure.replaceAll(',', '')))
    const figures = (role: 'own' | 'peer'): readonly (readonly [ten: number, further: number])[] =>
      IDS.filter((id) => SYSTEMS[id].role === role).map((id) => {
        const { ten, forty } = added.get(id)!
        return [ten, Math.round((forty - ten) / 30)]
      })
    const peers = figures('peer')
    const [tens, furthers] = [peers.map(([ten]) => ten), peers.map(([, further]) => further)]
    expect(readme).toContain('[Four other systems]')
    expect(peers).toHaveLength(4)
    expect(stated(/add between ([\d,]+) and ([\d,]+), and between (\d+) and (\d+)\./)).toEqual([
      Math.min(...tens),
      Math.max(...tens),
      Math.min(...furthers),
      Math.max(...furthers),
    ])
    const [[ten, further] = [], [withPaths, furtherPath] = []] = figures('own')
    expect(stated(/add about (\d+) tokens to a request, and each further one about (\d+)\./)).toEqual([ten, further])
    // The paths are those of a temporary folder.
    const [about, furtherAbout] = stated(/`Bash`, they add about (\d+) and (\d+)\./)
    expect(Math.abs(withPaths! - about!)).toBeLessThan(60)
    expect(Math.abs(furtherPath! - furtherAbout!)).toBeLessThan(6)
    const cost = readFileSync(join(ROOT, 'docs/cost.md'), 'utf8')
    expect(cost).toContain(`about ${about} tokens for ten skills, and ${furtherAbout} for each further one`)
  })

  it('[NFR-7] stand in a table, and a system that failed says why', () => {
    const { paint } = createOutput(new PassThrough(), { NO_COLOR: '1' })
    const { title, role } = SYSTEMS.openai
    const table = showSystems(
      [
        { id: 'repertoire', title: 'ours', role: 'own', ten: 600, forty: 2_400 },
        { id: 'openai', title, role, absent: 'ended with exit code 1' },
      ],
      paint,
    )
    expect(table).toMatch(/ours +600 +2,400 +60\n/)
    expect(table).toMatch(/OpenAI Agents +n\/a +n\/a +n\/a\n/)
    expect(table).toContain('n/a: OpenAI Agents: ended with exit code 1')
  })
})
