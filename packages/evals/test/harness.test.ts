import { describe, expect, test } from 'vitest'
import { type EvalCase, type EvalRun, skillHarness, type SkillHarnessOptions } from '../src/index.ts'
import { activate, ADAPTERS, call, caseOf, folderWith, say, scripted, skill, skillsOf, together } from './scripted.ts'

const PDF = caseOf({ id: 'pdf/1', skill: 'pdf', shouldTrigger: true, owner: 'forms' })

describe.each(ADAPTERS)('$name', (adapter) => {
  async function run(
    script: Parameters<typeof scripted>[0],
    given: Partial<EvalCase> = {},
    options: Partial<SkillHarnessOptions> & {
      readonly signal?: AbortSignal
      readonly files?: Record<string, string>
      readonly open?: object
    } = {},
  ): Promise<EvalRun> {
    const { files = { ...skill('pdf'), ...skill('forms') }, open, signal, ...more } = options
    const repertoire = skillsOf(folderWith(files), open)
    const harness = skillHarness({ adapter, repertoire, model: await scripted(script), ...more })
    return harness.run({ ...PDF, ...given }, { signal })
  }

  test('[EVAL-2] returns output, calls, usage and the fate of each skill', async () => {
    const write = call('Write', { file_path: 'out.txt', content: 'Filled.' })
    const result = await run(() => [activate('pdf'), write, say('Done.')], {
      files: [{ path: 'in.txt', content: 'Name:' }],
      assertions: [
        { type: 'file', path: 'out.txt' },
        { type: 'contains', value: 'Done' },
        { type: 'not-contains', value: 'Sorry' },
        { type: 'judge', text: 'It is polite.' },
      ],
    })
    expect(result.error).toBeUndefined()
    expect(result.output).toBe('Done.')
    expect(result.calls).toMatchObject([{ tool: 'Write', outcome: 'succeeded', input: { file_path: 'out.txt' } }])
    expect(result.files).toEqual({ 'in.txt': 'Name:', 'out.txt': 'Filled.' })
    expect(result.usage.requests).toBe(3)
    expect(result.usage.inputTokens).toBeGreaterThan(0)
    expect(result.fate?.fate).toBe('activated')
    expect(result.advice).toBeUndefined()
    expect(result.assertions.map(({ passed }) => passed)).toEqual([true, true, true, undefined])
  })

  test('[EVAL-2] plays the same case without the skill, next to the others', async () => {
    const result = await run(() => [activate('pdf'), activate('forms'), say('Done.')], {}, { skills: 'off' })
    expect(result.activated).toEqual(['forms'])
    expect(result.fate?.fate).toBe('hidden')
  })

  const many = Object.assign({}, ...Array.from({ length: 150 }, (_, at) => skill(`skill-${at}`, 'x'.repeat(200))))
  const search = (query: string) => call('search_skills', { queries: [query] })
  const change = call('Write', { file_path: 'a', content: '' })
  const crowded = { listing: { budget: { share: 0.01 } }, context: { window: 20_000 } }
  const template = '---\nname: pdf\ndescription: d\ntype: template\n---\n```liquid\nHello.\n```\n'
  test.each<[string, Parameters<typeof run>, RegExp]>([
    ['activated', [() => [activate('pdf'), say('Done.')]], /activated it/],
    ['activated', [() => [call('LS', { path: '.' }), activate('pdf'), say('Done.')]], /activated it/],
    ['activated', [() => [activate('forms'), activate('pdf'), say('Done.')]], /activated it/],
    ['activated', [() => [together(activate('forms'), activate('pdf')), say('Done.')]], /activated it/],
    [
      'activated',
      [
        () => [search('pdf'), activate('pdf'), say('Done.')],
        {},
        { files: { ...many, ...skill('pdf') }, open: crowded },
      ],
      /activated it/,
    ],
    ['activated', [() => [activate('pdf'), say('Done.')], {}, { files: { 'pdf/SKILL.md': template } }], /activated it/],
    ['activated-late', [() => [together(activate('pdf'), change), say('Done.')]], /called Write before/],
    ['activated-late', [() => [change, activate('pdf'), say('Done.')]], /called Write before it had read the skill/],
    ['refused', [() => [activate('pdf'), say('No.')], {}, { consent: () => false }], /CONSENT_DENIED/],
    ['another-chosen', [() => [activate('forms'), say('Done.')]], /chose forms instead/],
    [
      'another-chosen',
      [
        () => [activate('forms'), activate('music'), say('Done.')],
        {},
        { files: { ...skill('pdf'), ...skill('forms'), ...skill('music') } },
      ],
      /chose forms, music instead/,
    ],
    ['listed', [() => [say('Done.')]], /activated no skill/],
    ['listed', [() => [activate('none-such'), say('Done.')]], /activated no skill/],
    ['cut', [() => [say('Done.')], {}, { files: { ...many, ...skill('pdf') }, open: crowded }], /budget of the list/],
    [
      'not-found',
      [() => [search('weather'), say('Done.')], {}, { files: { ...many, ...skill('pdf') }, open: crowded }],
      /no search found it/,
    ],
    ['hidden', [() => [say('Done.')], {}, { skills: 'off' }], /allowlist/],
    [
      'unavailable',
      [() => [say('Done.')], {}, { files: { ...skill('forms'), 'pdf/SKILL.md': 'no frontmatter' } }],
      /FRONTMATTER_MISSING/,
    ],
    ['not-installed', [() => [say('Done.')], {}, { files: skill('forms') }], /No source/],
  ])('[EVAL-2] tells why: %s', async (fate, parameters, reason) => {
    const result = await run(...parameters)
    expect(result.error).toBeUndefined()
    expect(result.fate).toMatchObject({ skill: 'pdf', fate })
    expect(result.fate?.reason).toMatch(reason)
  })

  test('[EVAL-2] a skill that another one of its name shadows is shadowed, although its name is activated', async () => {
    const folder = folderWith({ ...prefixed('one', skill('pdf')), ...prefixed('two', skill('pdf')) })
    const model = await scripted(() => [activate('pdf'), say('Done.')])
    const { openSkills } = await import('@repertoire/core/node')
    const harness = skillHarness({
      adapter,
      repertoire: (audit) => openSkills([`${folder}/one`, `${folder}/two`], { audit }),
      model,
    })
    const fates = await Promise.all(
      ['one', 'two'].map((name) =>
        harness.run({ ...PDF, place: { file: `${folder}/${name}/pdf/evals.json`, line: 1 } }),
      ),
    )
    expect(fates.map((each) => each.fate?.fate)).toEqual(['activated', 'shadowed'])
  })

  test('[EVAL-2] says which words the description lacks, and which skill was chosen', async () => {
    const files = { ...skill('pdf', 'Reads documents.'), ...skill('forms', 'Fills invoices.') }
    const prompt = 'Please fill the invoices of the quarter'
    const result = await run(() => [activate('forms'), say('Done.')], { prompt }, { files })
    expect(result.advice).toMatch(/lacks: fill, invoices, quarter\./)
    expect(result.fate?.reason).toMatch(/forms/)
  })

  test('[EVAL-2] a run that fails says why, and has no fate that it did not have', async () => {
    const result = await run(() => [{ status: 400, message: 'The model is not available.' }])
    expect(result.error).toMatch(/The model is not available/)
    expect(result.fate?.fate).toBe('listed')
  })

  test.each([
    ['pdf', 'evals/evals.json', /The model read the eval file/],
    ['pdf', 'evals/files/form.txt', undefined],
    ['forms', 'evals/evals.json', undefined],
  ])(
    '[EVAL-2] a run in which the model reads the expected answers does not count: %s, %s',
    async (from, path, reason) => {
      const own = { 'pdf/evals/evals.json': '[]', 'pdf/evals/files/form.txt': 'Name:' }
      const files = { ...skill('pdf'), ...own, ...skill('forms'), 'forms/evals/evals.json': '[]' }
      const read = call('read_skill_resource', { skill: from, path })
      const place = { file: '/skills/pdf/evals/evals.json', line: 1 }
      const result = await run(() => [activate('pdf'), activate('forms'), read, say('Done.')], { place }, { files })
      expect(result.output).toBe('Done.')
      expect(result.events.filter(({ type }) => type === 'resource.read')).toHaveLength(1)
      if (reason === undefined) expect(result.error).toBeUndefined()
      else expect(result.error).toMatch(reason)
    },
  )

  test('[EVAL-2] a run that takes too long ends', async () => {
    const result = await run(
      () => [{ hold: new Promise(() => {}), next: say('Never.') }],
      {},
      { signal: AbortSignal.timeout(200) },
    )
    expect(result.error).toMatch(/timeout/i)
  })

  test('[EVAL-2] so does one whose adapter ignores that it is to stop', async () => {
    const start: typeof adapter.start = async (task) => ({
      ...(await adapter.start(task)),
      send: () => new Promise(() => {}),
    })
    const model = await scripted(() => [])
    const harness = skillHarness({
      adapter: { ...adapter, start },
      repertoire: skillsOf(folderWith(skill('pdf'))),
      model,
    })
    const result = await harness.run(PDF, { signal: AbortSignal.timeout(200) })
    expect(result.error).toMatch(/timeout/i)
  })

  test('[ABUSE-138] files of a case cannot lead outside of its workspace, and tools cannot either', async () => {
    const { symlinkSync } = await import('node:fs')
    const folder = folderWith({ 'a.txt': 'inside' })
    symlinkSync('/etc/passwd', `${folder}/link`)
    const control = await run(() => [say('Done.')], { files: [{ path: 'a.txt', from: `${folder}/a.txt` }] })
    expect(control.files).toEqual({ 'a.txt': 'inside' })
    const linked = await run(() => [say('Done.')], { files: [{ path: 'l', from: `${folder}/link` }] })
    expect(linked.error).toMatch(/link or a special file/)
    const missing = await run(() => [say('Done.')], { files: [{ path: 'missing.txt' }] })
    expect(missing.error).toMatch(/missing\.txt does not exist/)
    const write = call('Write', { file_path: '../outside.txt', content: '!' })
    const read = call('Read', { file_path: '/etc/passwd' })
    const acted = await run(() => [write, read, say('Done.')])
    expect(acted.calls.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
    expect(acted.files).toEqual({})
  })
})

function prefixed(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
}
