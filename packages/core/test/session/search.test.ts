import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import {
  type AuditEvent,
  LISTING_STYLES,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'

const manifest = (name: string, description: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\nDo ${name}.\n`

const MANY = Object.fromEntries(
  Array.from({ length: 40 }, (_, number) => `filler-${number}`).map((name) => [
    name,
    { 'SKILL.md': manifest(name, `Tidies room ${name}, again and again, until it is tidy.`) },
  ]),
)

const SKILLS = {
  ...MANY,
  'zebra-forms': { 'SKILL.md': manifest('zebra-forms', 'Fills in <b>PDF</b> forms.', 'allowed-tools: Read\n') },
  people: { 'SKILL.md': manifest('people', 'Fills in PDF forms of people.', 'disable-model-invocation: true\n') },
  other: { 'SKILL.md': manifest('other', 'Fills in PDF forms of others.', 'scope:\n  agents: [operator]\n') },
}

/** Room for the names of some. */
const SMALL = { share: 120 / 200_000 }

async function opened(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
): Promise<AdapterSession> {
  const sources = [memorySource({ layer: 'project', skills: SKILLS })]
  const repertoire = await openRepertoire({ sources, ...options, listing: { budget: SMALL, ...options.listing } })
  return openAdapterSession(repertoire, { consent: () => true, ...session })
}

let calls = 0
const call = (session: AdapterSession, tool: string, input: unknown) =>
  session.call({ id: `call-${++calls}`, tool, input }, () => 'ran')

const search = (session: AdapterSession, ...queries: readonly string[]) => call(session, 'search_skills', { queries })

const toolNames = async (session: AdapterSession): Promise<readonly string[]> =>
  (await session.step({ tools: ['Read'] })).tools.map(({ name }) => name)

describe('search_skills', () => {
  it.each(LISTING_STYLES)(
    '[MATCH-4] is offered in the style %s where the list is not whole, and what it finds can be activated',
    async (style) => {
      const session = await opened({ listing: { style } })
      const { tools, instructions } = await session.step({ tools: ['Read'] })
      const activate = tools.find(({ name }) => name === 'activate_skill')!
      // Names of some would keep a model with a constrained decoder from calling others.
      expect(activate.inputSchema['properties']).toMatchObject({ name: { type: 'string' } })
      expect(JSON.stringify(activate.inputSchema)).not.toContain('enum')
      expect(instructions).toContain('call search_skills first')
      expect(instructions + JSON.stringify(tools)).not.toContain('zebra-forms')
      const found = await search(session, 'fill PDF forms', 'AcroForm')
      expect(found).toMatchObject({ ok: true, value: [{ name: 'zebra-forms' }] })
      expect(found.text).toContain(
        '<skill><name>zebra-forms</name><description>Fills in &lt;b&gt;PDF&lt;/b&gt; forms.</description></skill>',
      )
      expect(await call(session, 'activate_skill', { name: 'zebra-forms' })).toMatchObject({ ok: true })
      expect(session.activeSkills).toEqual(['zebra-forms'])
    },
  )

  it('[MATCH-4] is not offered where the list is whole, or never is, and is by option if it is whole', async () => {
    const whole = await opened({ listing: { budget: false } })
    expect(await toolNames(whole)).not.toContain('search_skills')
    expect(await toolNames(await opened({ listing: { search: 'never' } }))).not.toContain('search_skills')
    expect(await toolNames(await opened({ listing: { search: 'always', budget: false } }))).toContain('search_skills')
    expect(await toolNames(await opened({ listing: { search: 'always' } }, { skills: [] }))).toEqual([])
    await expect(opened({ listing: { search: foreign('often') } })).rejects.toThrow(
      '`listing.search` is "often". Give "auto", ',
    )
    await expect(opened({ catalog: { rank: foreign({}) } })).rejects.toThrow('`catalog.rank`')
  })

  it('[MATCH-4] shows nothing that the session may not see', async () => {
    const names = async (session: AdapterSessionOptions) => {
      const outcome = await search(await opened({}, session), 'PDF forms')
      return outcome.ok ? (outcome.value as { name: string }[]).map(({ name }) => name) : outcome
    }
    expect(await names({})).toEqual(['zebra-forms'])
    expect(await names({ agent: 'operator' })).toEqual(expect.arrayContaining(['zebra-forms', 'other']))
    expect(await names({ skills: ['filler-1', 'filler-2'] })).toEqual([])
  })

  it('[MATCH-4, GATE-2] is permitted whatever the rules of active skills are, and says which are active', async () => {
    const session = await opened()
    await session.step({ tools: ['Read', 'Write'] })
    await call(session, 'activate_skill', { name: 'zebra-forms' })
    expect(await call(session, 'Write', { file_path: 'a' })).toMatchObject({ ok: false })
    const found = await search(session, 'zebra forms')
    expect(found).toMatchObject({ ok: true, text: expect.stringContaining('<skill active="true"><name>zebra-forms') })
  })

  it('[MATCH-4] says so where nothing fits, and refuses what is not 1 to 5 phrases', async () => {
    const session = await opened()
    expect(await search(session, 'quantum chromodynamics')).toMatchObject({
      ok: true,
      value: [],
      text: expect.stringContaining('No skill fits.'),
    })
    const inputs = [undefined, 'pdf', {}, { queries: 'pdf' }, { queries: [] }, { queries: ['', ' '] }, { queries: [1] }]
    for (const input of [...inputs, { queries: ['a', 'b', 'c', 'd', 'e', 'f'] }]) {
      expect(await call(session, 'search_skills', input)).toMatchObject({
        ok: false,
        refusal: { code: 'INPUT_INVALID', reason: expect.stringContaining('search_skills') },
      })
    }
  })

  it('[MATCH-4] has the name that the host gives it, and leaves its own to the host if it is never offered', async () => {
    const named = await opened({ skillToolNames: { search: 'find_skill' } })
    expect(await toolNames(named)).toContain('find_skill')
    expect(await call(named, 'Find_Skill', { queries: ['PDF forms'] })).toMatchObject({ ok: true })
    const session = await opened()
    await expect(session.step({ tools: ['search_skills'] })).rejects.toThrow('which is the name of a skill tool')
    const without = await opened({ listing: { search: 'never' } })
    await without.step({ tools: ['search_skills'] })
    expect(await search(without, 'x')).toEqual({ ok: true, value: 'ran' })
  })

  it('[MATCH-4, OBS-1, OBS-3] is recorded with what it found before the model is told, or refused where it must be', async () => {
    const events: AuditEvent[] = []
    const session = await opened({ audit: { write: (event) => void events.push(event) } })
    await session.step({ tools: ['Read'] })
    await search(session, 'PDF forms')
    expect(events).toMatchObject([
      { type: 'skills.searched', outcome: 'succeeded', tool: 'search_skills', found: ['zebra-forms'] },
    ])
    const failing = { write: () => Promise.reject(new Error('full')) }
    const refusing = await opened({ audit: { sink: failing, required: true } })
    expect(await search(refusing, 'PDF forms')).toMatchObject({ ok: false, refusal: { code: 'AUDIT_UNAVAILABLE' } })
  })

  it('[MATCH-3, MATCH-4] reports to the host what could not be searched, and goes on', async () => {
    const codes: string[] = []
    const rank = () => Promise.reject(new Error('no key'))
    const session = await opened({ catalog: { rank } }, { onProblem: ({ code }) => codes.push(code) })
    expect(await search(session, 'PDF forms')).toMatchObject({ ok: true, value: [{ name: 'zebra-forms' }] })
    expect(codes).toEqual(['SEARCH_INCOMPLETE'])
  })

  it('[MATCH-4] waits for no other call, and ends with the session', async () => {
    const asked = Promise.withResolvers<boolean>()
    const session = await opened({}, { consent: () => asked.promise })
    await session.step({ tools: ['Read'] })
    const activating = call(session, 'activate_skill', { name: 'zebra-forms' })
    expect(await search(session, 'PDF forms')).toMatchObject({ ok: true })
    asked.resolve(true)
    expect(await activating).toMatchObject({ ok: true })
    await session.end()
    expect(await search(session, 'PDF forms')).toMatchObject({ ok: false, refusal: { code: 'SESSION_ENDED' } })
  })
})
