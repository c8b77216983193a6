import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type RepertoireOptions, memorySource, openRepertoire } from '../../src/index.ts'

const skillsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { 'SKILL.md': `---\nname: ${name}\ndescription: d\n---\nBody $1.\n` }]))
const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `s${String(index + 1).padStart(2, '0')}`)

/** The outcome of a call of the model's, in a session over skills of these names. */
async function calling(
  names: readonly string[],
  input: unknown,
  { tool = 'activate_skill', ...options }: Partial<RepertoireOptions> & { readonly tool?: string } = {},
) {
  const sources = [memorySource({ layer: 'project', skills: skillsOf(names) })]
  const repertoire = await openRepertoire({ sources, ...options })
  const session = openAdapterSession(repertoire, { consent: () => true })
  const outcome = await session.call({ id: 'c', tool, input }, () => 'ran')
  return outcome.ok ? outcome.text : `${outcome.refusal.code}: ${outcome.refusal.reason}`
}

describe('a skill that a model wants', () => {
  it('[ACT-2] is refused under an unknown name, with the names of the skills that there are', async () => {
    expect(await calling(['csv', 'tex'], { name: 'quarterly' })).toBe(
      'SKILL_NOT_FOUND: There is no skill "quarterly". The skills are: csv, tex.',
    )
    expect(await calling(['csv', 'tex'], { name: 'cvs' })).toBe(
      'SKILL_NOT_FOUND: There is no skill "cvs". Did you mean "csv"? The skills are: csv, tex.',
    )
  })

  it('[ACT-2] is refused with its unknown name, shortened', async () => {
    expect(await calling(['csv'], { name: 'q'.repeat(81) })).toBe(
      `SKILL_NOT_FOUND: There is no skill "${'q'.repeat(80)}…". The skills are: csv.`,
    )
  })

  it('[ACT-2] is refused with twenty names at most, and the number of further skills', async () => {
    const twenty = numbered(20).join(', ')
    expect(await calling(numbered(20), { name: 'quarterly' })).toBe(
      `SKILL_NOT_FOUND: There is no skill "quarterly". The skills are: ${twenty}.`,
    )
    expect(await calling(numbered(23), { name: 'quarterly' })).toBe(
      `SKILL_NOT_FOUND: There is no skill "quarterly". The skills are: ${twenty} and 3 more.`,
    )
  })

  it.each([{}, { name: '' }, { name: ' ' }, { name: null }])(
    '[ACT-2] is refused where its name is empty: %j',
    async (input) => {
      expect(await calling(['csv'], input)).toBe(
        'INPUT_INVALID: `name` of `activate_skill` is empty. The skills are: csv.',
      )
    },
  )

  it.each([
    [{ name: 7 }, '`name` of `activate_skill` must be a string.'],
    [{ name: 'csv', args: ['x'] }, '`args` of `activate_skill` must be a string.'],
    ['csv', '`activate_skill` takes its input as one JSON object; it was given "csv".'],
  ])('[ACT-2] is told what is wrong with the input %j', async (input, wrong) => {
    expect(await calling(['csv'], input)).toBe(`INPUT_INVALID: ${wrong}`)
  })

  it.each(['lines', 'tools'] as const)(
    '[ASK-10, ACT-2] that is gone when the person says yes is named, and not its tool: in the style %s',
    async (style) => {
      const skills: Record<string, Record<string, string>> = {
        pdf: { 'SKILL.md': '---\nname: pdf\ndescription: d\n---\nBody.\n' },
      }
      const source = {
        id: 's',
        layer: 'project' as const,
        scan: () => memorySource({ layer: 'project', skills }).scan(),
      }
      const repertoire = await openRepertoire({ sources: [source], listing: { style } })
      const session = openAdapterSession(repertoire)
      const call =
        style === 'lines' ? { tool: 'activate_skill', input: { name: 'pdf' } } : { tool: 'skill_pdf', input: {} }
      const waiting = await session.call({ id: '1', ...call }, () => 'ran', { canWait: true })
      const { id: requestId } = (waiting as Extract<typeof waiting, { ok: false }>).waits!
      delete skills['pdf']
      await repertoire.reload({ force: true })
      session.answer({ requestId, approved: true })
      expect(await session.call({ id: '1', ...call }, () => 'ran')).toMatchObject({
        ok: false,
        refusal: {
          code: 'SKILL_NOT_FOUND',
          reason: 'There is no skill "pdf". There are no skills: go on without one.',
        },
      })
    },
  )

  it('[ACT-2] says that there are no skills where a person names one', async () => {
    const repertoire = await openRepertoire({ sources: [] })
    const session = openAdapterSession(repertoire, { consent: () => true })
    const outcome = await session.activate('csv')
    expect(outcome.ok ? '' : outcome.refusal.reason).toBe(
      'There is no skill "csv". There are no skills: go on without one.',
    )
  })

  it('[ACT-1] is given the arguments in the input, unless they are empty', async () => {
    expect(await calling(['csv'], { name: 'csv', args: 'x' })).toContain('Body x.')
    expect(await calling(['csv'], { name: 'csv', args: '' })).toBe(await calling(['csv'], { name: 'csv' }))
    const own = { tool: 'skill_csv', listing: { style: 'tools' } } as const
    expect(await calling(['csv'], { args: 'x' }, own)).toContain('Body x.')
    expect(await calling(['csv'], undefined, own)).toContain('Body ')
    expect(await calling(['csv'], { args: 7 }, own)).toBe('INPUT_INVALID: `args` of `skill_csv` must be a string.')
    expect(await calling(['csv'], 'x', own)).toContain('INPUT_INVALID: `skill_csv` takes its input as one JSON object')
  })

  it('[SHOW-4] has its own tool, which a tool of the host with the same name does not replace', async () => {
    const sources = [memorySource({ layer: 'project', skills: skillsOf(['csv']) })]
    const session = openAdapterSession(await openRepertoire({ sources, listing: { style: 'tools' } }), {
      consent: () => true,
    })
    const call = { id: 'c', tool: 'skill_csv', input: {} }
    expect(session.toolName('SKILL_CSV')).toBe('skill_csv')
    expect(await session.call({ ...call, tool: 'activate_skill', input: { name: 'csv' } }, () => 'ran')).toEqual({
      ok: true,
      value: 'ran',
    })
    expect(JSON.parse(session.deniedText({ ...call, tool: 'skill_none' }) ?? '')).toMatchObject({
      error: { code: 'SKILL_NOT_FOUND' },
    })
  })
})
