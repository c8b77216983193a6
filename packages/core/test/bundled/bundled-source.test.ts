import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { bundledSource, openRepertoire } from '../../src/index.ts'
import { parseSkill } from '../../src/authoring.ts'
import { embedSkills } from '../../src/node/index.ts'

const packageFolder = resolve(import.meta.dirname, '../..')
const skillsFolder = join(packageFolder, 'skills')

describe('[DISC-7] the bundled skills', () => {
  it('are those of the folder `skills`; if they are not, run `npm run embed` in this package', () => {
    const committed = readFileSync(join(packageFolder, 'bundled/skills.generated.js'), 'utf8')
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-bundled-'))
    try {
      const to = join(folder, 'skills.ts')
      embedSkills({ from: skillsFolder, to })
      expect(committed === readFileSync(to, 'utf8')).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('are a skill for every folder there, and load under the strict profile in the layer bundled, with nothing to be said of them', async () => {
    const { catalog } = await openRepertoire({ sources: [bundledSource()], catalog: { profile: 'strict' } })
    expect(catalog.diagnostics).toEqual([])
    expect(catalog.list().map(({ name, layer, source, location }) => ({ name, layer, source, location }))).toEqual(
      readdirSync(skillsFolder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
        .map((name) => ({
          name,
          layer: 'bundled',
          source: 'bundled',
          location: `memory:bundled/${name}`,
        })),
    )
  })

  it('can be activated, and their reference files read', async () => {
    const repertoire = await openRepertoire({ sources: [bundledSource()] })
    const session = openAdapterSession(repertoire, { consent: () => true })
    await session.step({ tools: [] })
    const call = (id: string, tool: string, input: unknown) => session.call({ id, tool, input }, () => undefined)
    const activated = await call('1', 'activate_skill', { name: 'write-a-skill' })
    expect(activated).toMatchObject({ ok: true, text: expect.stringContaining('# Write a skill') as string })
    const read = await call('2', 'read_skill_resource', { skill: 'write-a-skill', path: 'references/fields.md' })
    expect(read).toMatchObject({ ok: true, text: expect.stringContaining('# Frontmatter fields') as string })
  })

  it('name only files that they bring, and bring only files that they name', async () => {
    const { catalog } = await openRepertoire({ sources: [bundledSource()] })
    for (const { folder } of catalog.list()) {
      const body = new TextDecoder().decode(await folder.readManifest())
      const named = [...body.matchAll(/\]\(([^):]+)\)/g)].map(([, path]) => path!)
      const files = (await folder.list()).files.map(({ path }) => path)
      expect(new Set(named)).toEqual(new Set(files.filter((path) => path !== 'SKILL.md')))
    }
  })

  it('speak of rules and fields that this package reads so', async () => {
    const fields = readFileSync(join(skillsFolder, 'write-a-skill/references/fields.md'), 'utf8')
    const repertoireFields = fields.slice(fields.indexOf('## Repertoire'), fields.indexOf('## Mistakes'))
    const names = [...repertoireFields.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    )
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      const manifest = new TextEncoder().encode(`---\nname: x\ndescription: y\n${name}: z\n---\n`)
      const { diagnostics } = await parseSkill(manifest, { path: 'x/SKILL.md', folderName: 'x' })
      expect({ name, unknown: diagnostics.some(({ code }) => /UNKNOWN|MISSPELLED/.test(code)) }).toEqual({
        name,
        unknown: false,
      })
    }
    const rules = [...fields.matchAll(/^\| `([A-Z][^`]*\([^`]*\))` +\|/gm)].map(([, rule]) => rule!)
    expect(rules.length).toBeGreaterThan(3)
    const allowed = new TextEncoder().encode(`---\nname: x\ndescription: y\nallowed-tools: ${rules.join(', ')}\n---\n`)
    const { manifest } = await parseSkill(allowed, { path: 'x/SKILL.md', folderName: 'x' })
    expect(manifest?.allowedTools).toHaveLength(rules.length)
  })
})
