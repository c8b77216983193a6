import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type Repertoire,
  type RepertoireOptions,
  type SkillSource,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { mapped } from '../../mapped-source.ts'

const manifest = (name: string, description: string, fields = '', body = `Body of ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\n${body}\n`

const SKILLS: Readonly<Record<string, string>> = {
  forms: manifest('forms', 'Fills in PDF forms.', 'allowed-tools: Read\n'),
  merge: manifest('merge', 'Joins PDF files.'),
  scans: manifest('scans', 'Reads PDF files that are scans.'),
  split: manifest('split', 'Divides PDF files.'),
  audio: manifest('audio', 'Edits audio tracks.'),
  template: manifest('template', 'Writes letters.', 'type: template\n', '```\nDear {{ name }}\n```'),
  hidden: manifest('hidden', 'Edits audio in secret.', 'disable-model-invocation: true\n'),
}

/** Counts what is read of each folder. */
function countingSource(skills: Record<string, string>): { readonly source: SkillSource; readonly reads: string[] } {
  const reads: string[] = []
  const source: SkillSource = {
    id: 's',
    layer: 'project',
    scan: () => {
      const folders = Object.fromEntries(Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }]))
      return mapped(memorySource({ layer: 'project', id: 's', skills: folders }), (found) => {
        const { folder } = found
        const readManifest = () => (reads.push(folder.location), folder.readManifest())
        return { ...found, folder: { ...folder, readManifest } }
      })
    },
  }
  return { source, reads }
}

async function open(options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({
    sources: [countingSource({ ...SKILLS }).source],
    ...options,
    listing: { style: 'matched', ...options.listing },
  })
}

async function openTask(
  session: AdapterSessionOptions = {},
  options: Partial<RepertoireOptions> = {},
): Promise<AdapterSession> {
  return openAdapterSession(await open(options), {
    consent: () => true,
    ...session,
    turns: { match: {}, ...session.turns },
  })
}

const shown = async (session: AdapterSession): Promise<string> =>
  (await session.step({ tools: ['Read', 'Write'] })).instructions
const headings = async (session: AdapterSession): Promise<readonly string[]> =>
  [...(await shown(session)).matchAll(/^## Skill: (.*)$/gm)].map(([, name]) => name!)

describe('the skills that fit a message', () => {
  it('[MATCH-1, SHOW-5] are the best three of a search for it, and stay until the next message', async () => {
    const session = await openTask()
    await session.beginTurn('Please join these PDF files for me')
    expect(await headings(session)).toEqual(['merge', expect.any(String), expect.any(String)])
    expect(await headings(session)).toEqual(await headings(session))
    await session.beginTurn('edit the audio')
    expect(await headings(session)).toEqual(['audio'])
    await session.beginTurn('something else entirely')
    expect(await headings(session)).toEqual([])
    expect((await session.step({ tools: [] })).tools.map(({ name }) => name)).toContain('search_skills')
  })

  it('[MATCH-1] are as many as the host says, in the order of its own rank', async () => {
    const rank = (): readonly string[] => ['split', 'hidden', 'audio', 'merge']
    const session = await openTask({ turns: { match: { limit: 2 } } }, { catalog: { rank } })
    await session.beginTurn('Hello')
    expect(await headings(session)).toEqual(['split', 'audio'])
  })

  it('[MATCH-2, ABUSE-109] show their description alone, also of what was agreed to', async () => {
    const session = await openTask()
    await session.activate('forms')
    await (await session.step({ tools: [] })).call({ id: 'c', tool: 'deactivate_skill', input: {} }, () => '')
    await session.beginTurn('fill in PDF forms')
    expect(await shown(session)).toContain('## Skill: forms\n\nDescription: Fills in PDF forms.')
    expect(await shown(session)).not.toContain('Body of')
  })

  it('[MATCH-2] show their instructions where the host consents to that, are not activated, and restrict nothing', async () => {
    const session = await openTask({ turns: { match: { content: true, limit: 1 } } })
    await session.beginTurn('fill in PDF forms')
    expect(await shown(session)).toContain('<skill_content name="forms">\nBody of forms.\n</skill_content>')
    expect(session.state.active).toEqual([])
    expect(session.state.granted).toEqual([])
    expect(await session.call({ id: 'w', tool: 'Write', input: {} }, () => 'written')).toMatchObject({ ok: true })
    // An active one comes first, and is not shown twice.
    await session.activate('audio')
    expect(await headings(session)).toEqual(['audio', 'forms'])
    await session.beginTurn('write letters')
    expect(await headings(session)).toEqual(['audio', 'template'])
    expect(await shown(session)).not.toContain('Dear')
  })

  it('[MATCH-2] are read once for a while, again after it, and by their new content after a reload', async () => {
    let now = 0
    const skills = { ...SKILLS }
    const { source, reads } = countingSource(skills)
    const repertoire = await openRepertoire({
      sources: [source],
      listing: { style: 'matched' },
      catalog: { now: () => now, rank: () => ['audio'] },
    })
    const match = { content: true, limit: 1 } as const
    const turn = async (): Promise<string> => {
      const session = openAdapterSession(repertoire, { turns: { match } })
      await session.beginTurn('audio')
      return shown(session)
    }
    expect(await turn()).toContain('Body of audio.')
    await turn()
    expect(reads).toEqual(['memory:s/audio'])
    now = 300_000
    await turn()
    expect(reads).toHaveLength(2)
    skills['audio'] = manifest('audio', 'Edits audio tracks.', '', 'A new body.')
    await repertoire.reload({ force: true })
    expect(await turn()).toContain('A new body.')
  })

  it('[MATCH-2, ACT-15] are kept in the saved session, and read again in another process', async () => {
    const first = await openTask({ turns: { match: { content: true, limit: 1 } } })
    await first.beginTurn('edit the audio')
    const saved = JSON.parse(JSON.stringify(first.save())) as ReturnType<AdapterSession['save']>
    const later = openAdapterSession(await open(), { saved, turns: { match: { content: true, limit: 1 } } })
    expect(await headings(later)).toEqual(['audio'])
    expect(await shown(later)).toContain('Body of audio.')
  })

  it('[MATCH-1, CAT-10] are not waited for once the turn is aborted or the session has ended', async () => {
    const rank = (): Promise<never> => new Promise(() => {})
    const session = await openTask({}, { catalog: { rank } })
    const controller = new AbortController()
    const beginning = session.beginTurn('Hello', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(beginning).rejects.toThrow('enough')
    const other = session.beginTurn('Hello')
    await session.end()
    expect(await other).toEqual({ activated: [], suggested: [] })
  })

  it('[MATCH-2] show nothing of what the host does not admit, cannot read, or is too long', async () => {
    const skills: Record<string, string> = { ...SKILLS, long: manifest('long', 'Is long.', '', 'x'.repeat(40_001)) }
    const { source } = countingSource(skills)
    const admit = { tools: [] as string[] }
    const catalog = { rank: () => ['long', 'merge'] }
    const repertoire = await openRepertoire({ sources: [source], listing: { style: 'matched' }, admit, catalog })
    const session = openAdapterSession(repertoire, { turns: { match: { content: true } } })
    skills['merge'] = 'broken now'
    await session.beginTurn('Hello')
    expect(await headings(session)).toEqual(['long', 'merge'])
    expect(await shown(session)).not.toContain('xxxx')
  })

  it('[MATCH-1] are asked for as the options say, or the options are refused', async () => {
    const repertoire = await open()
    const wrong = [{ limit: 0 }, { limit: 1.5 }, { content: foreign('none') }]
    for (const match of wrong)
      expect(() => openAdapterSession(repertoire, { turns: { match } })).toThrow(/`turns\.match\.(limit|content)` is/)
  })
})
